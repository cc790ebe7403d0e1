import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { InviteId } from '../tables.ts';
import { inviteUrl, isUnspent, isUsable, selectInvites, type Invite } from './find-invites.ts';
import type { AdminInvite } from './schema.ts';

/** Which invites staff list. */
export interface InviteFilters {
  /** available: neither used up nor expired. */
  readonly state?: 'available' | 'expired' | undefined;
  /** The local user who invites. */
  readonly accountId?: AccountId | undefined;
}

/** Returns a page of the invites of all users, newest first. */
export async function listInvites(
  app: App,
  page: Page,
  filters: InviteFilters = {},
): Promise<{ readonly invites: Invite[] } & PageEnds> {
  const { limit, maxId, sinceId, minId } = page;
  const above = minId ?? sinceId;
  const conditions = [
    ...filterConditions(app, filters),
    ...(maxId === undefined ? [] : [sql<boolean>`invites.id < ${maxId}::bigint`]),
    ...(above === undefined ? [] : [sql<boolean>`invites.id > ${above}::bigint`]),
  ];
  const condition = conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
  const rows = await selectInvites(app, { condition, limit, isAscending: minId !== undefined });
  const invites = minId === undefined ? rows : rows.toReversed();
  return { invites, ...pageEnds(page, invites) };
}

/** Returns the conditions of the filters, for a query that joins `invites` and `users`. */
function filterConditions(app: App, { state, accountId }: InviteFilters): RawBuilder<boolean>[] {
  const unspent = isUnspent(app.clock.now());
  return [
    ...(state === undefined
      ? []
      : [state === 'available' ? sql<boolean>`(${unspent})` : sql<boolean>`not (${unspent})`]),
    ...(accountId === undefined ? [] : [sql<boolean>`users.account_id = ${accountId}::bigint`]),
  ];
}

/** Returns an invite. Throws 404 if there is none with this id. */
export async function requireInvite(app: App, id: InviteId): Promise<Invite> {
  const [invite] = await selectInvites(app, { condition: sql`invites.id = ${id}::bigint`, limit: 1 });
  if (invite === undefined) throw notFound();
  return invite;
}

/** Presents an invite to staff. */
export const presentInvite = (app: App, invite: Invite): AdminInvite => ({
  id: invite.id,
  code: invite.code,
  url: inviteUrl(app, invite.code),
  account_id: invite.accountId,
  username: invite.username,
  max_uses: invite.maxUses,
  uses: invite.uses,
  expires_at: invite.expiresAt?.toISOString() ?? null,
  usable: isUsable(app, invite),
  bypasses_approval: invite.bypassesApproval,
  autofollow: invite.autofollow,
  collection_id: invite.collectionId,
  comment: invite.comment,
  created_at: invite.createdAt.toISOString(),
});
