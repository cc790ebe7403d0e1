import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { permissionBits } from '../access/roles.ts';
import type { InviteId } from '../tables.ts';

/** An invite with what its use depends on. */
export interface Invite {
  readonly id: InviteId;
  readonly code: string;
  /** The local user who invites. */
  readonly username: string;
  /** Null: any number. */
  readonly maxUses: number | null;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly comment: string | null;
  readonly createdAt: Date;
  /** Whether its sign-ups need no approval by staff. */
  readonly bypassesApproval: boolean;
  /** Whether the user who invites may use the server. */
  readonly isInviterActive: boolean;
}

const bypassBits = String(permissionBits.administrator | permissionBits.invite_bypass_approval);

/** All invites, newest first, or the one with a code. */
const inviteRows = preparedQuery<Invite>()((db, { code, limit }: { code: string | null; limit: number }) => ({
  compile: () =>
    sql<Invite>`
      select invites.id, invites.code, accounts.username, invites.max_uses as "maxUses", invites.uses,
        invites.expires_at as "expiresAt", invites.comment, invites.created_at as "createdAt",
        roles.permissions & ${sql.lit(bypassBits)}::bigint <> 0 as "bypassesApproval",
        users.confirmed_at is not null and users.approved and not users.disabled
          and accounts.suspended_at is null and accounts.deleted_at is null and not accounts.memorial
          as "isInviterActive"
      from invites
        join users on users.id = invites.user_id
        join accounts on accounts.id = users.account_id
        join roles on roles.id = users.role_id
      where ${code}::text is null or invites.code = ${code}::text
      order by invites.id desc limit ${limit}`.compile(db),
}));

/** Returns the invite with a code. */
export async function findInvite(app: App, code: string): Promise<Invite | undefined> {
  const [invite] = await inviteRows(app, { code, limit: 1 });
  return invite;
}

/** Returns the invite with a code if someone may still sign up with it. */
export async function findUsableInvite(app: App, code: string | undefined): Promise<Invite | undefined> {
  const invite = code === undefined || code === '' ? undefined : await findInvite(app, code);
  return invite !== undefined && isUsable(app, invite) ? invite : undefined;
}

/** Returns the invites, newest first. */
export const listInvites = (app: App, limit: number): Promise<readonly Invite[]> =>
  inviteRows(app, { code: null, limit });

/** Whether someone may sign up with an invite: it is neither used up nor expired, and its user may use the server. */
export const isUsable = (app: App, { uses, maxUses, expiresAt, isInviterActive }: Invite): boolean =>
  isInviterActive && (maxUses === null || uses < maxUses) && (expiresAt === null || expiresAt > app.clock.now());
