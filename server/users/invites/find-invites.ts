import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, CollectionId, UserId } from '../../platform/ids.ts';
import { everyoneRoleId, permissionBits } from '../access/roles.ts';
import type { InviteId } from '../tables.ts';

/** An invite with what its use depends on. */
export interface Invite {
  readonly id: InviteId;
  readonly code: string;
  /** The local user who invites. */
  readonly accountId: AccountId;
  readonly username: string;
  /** Null: any number. */
  readonly maxUses: number | null;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly comment: string | null;
  /** Whether those who sign up with it follow the user who invites. */
  readonly autofollow: boolean;
  /** A collection that is recommended to those who sign up. */
  readonly collectionId: CollectionId | null;
  readonly createdAt: Date;
  /** Whether its sign-ups need no approval by staff. */
  readonly bypassesApproval: boolean;
  /** Whether the user who invites may use the server. */
  readonly isInviterActive: boolean;
}

const bypassBits = String(permissionBits.administrator | permissionBits.invite_bypass_approval);
/** Higher than `maxUsableInvites`, because staff may create more in the name of a user. */
const maxListedOfUser = 500;

/** Returns a condition: an invite is neither used up nor expired. */
export const isUnspent = (now: Date): RawBuilder<boolean> => sql<boolean>`
  (invites.max_uses is null or invites.uses < invites.max_uses)
  and (invites.expires_at is null or invites.expires_at > ${now})`;

interface Selection {
  /** On `invites`, `users` and `accounts`. */
  readonly condition: RawBuilder<boolean>;
  readonly limit: number;
  /** Oldest first. */
  readonly isAscending?: boolean;
}

/** Returns the invites that match a condition, newest first unless `isAscending` is set. */
export async function selectInvites(
  { db }: App,
  { condition, limit, isAscending = false }: Selection,
): Promise<Invite[]> {
  const { rows } = await sql<Invite>`
    select invites.id, invites.code, accounts.id as "accountId", accounts.username, invites.max_uses as "maxUses", invites.uses,
      invites.expires_at as "expiresAt", invites.comment, invites.autofollow,
      invites.collection_id as "collectionId", invites.created_at as "createdAt",
      exists (select from roles where roles.id in (users.role_id, ${everyoneRoleId}::bigint)
        and roles.permissions & ${sql.lit(bypassBits)}::bigint <> 0) as "bypassesApproval",
      users.confirmed_at is not null and users.approved and not users.disabled
        and accounts.suspended_at is null and accounts.deleted_at is null and not accounts.memorial
        as "isInviterActive"
    from invites
      join users on users.id = invites.user_id
      join accounts on accounts.id = users.account_id
    where ${condition}
    order by invites.id ${isAscending ? sql`asc` : sql`desc`} limit ${limit}::int`.execute(db);
  return rows;
}

/** Returns the invite with a code. */
export async function findInvite(app: App, code: string): Promise<Invite | undefined> {
  const [invite] = await selectInvites(app, { condition: sql`invites.code = ${code}`, limit: 1 });
  return invite;
}

/** Returns the invite with a code if someone may still sign up with it. */
export async function findUsableInvite(app: App, code: string | undefined): Promise<Invite | undefined> {
  const invite = code === undefined || code === '' ? undefined : await findInvite(app, code);
  return invite !== undefined && isUsable(app, invite) ? invite : undefined;
}

/** Returns the invites of a user that are neither used up nor expired, newest first. */
export const listOwnInvites = (app: App, userId: UserId): Promise<Invite[]> =>
  selectInvites(app, {
    condition: sql`invites.user_id = ${userId}::bigint and ${isUnspent(app.clock.now())}`,
    limit: maxListedOfUser,
  });

/** Returns the invite of a user with a code. Throws 404 if there is none. */
export async function requireOwnInvite(app: App, userId: UserId, code: string): Promise<Invite> {
  const [invite] = await selectInvites(app, {
    condition: sql`invites.code = ${code} and invites.user_id = ${userId}::bigint`,
    limit: 1,
  });
  if (invite === undefined) throw notFound();
  return invite;
}

/** Returns the link of an invite. */
export const inviteUrl = ({ config }: App, code: string): string => `${config.baseUrl}/invite/${code}`;

/** Whether someone may sign up with an invite: it is neither used up nor expired, and its user may use the server. */
export const isUsable = (app: App, { uses, maxUses, expiresAt, isInviterActive }: Invite): boolean =>
  isInviterActive && (maxUses === null || uses < maxUses) && (expiresAt === null || expiresAt > app.clock.now());
