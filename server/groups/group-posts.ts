import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import { HttpError, notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { loadCachedStatuses } from '../statuses/read/index.ts';
import { reblogStatus, unreblogStatus } from '../statuses/react/index.ts';
import { plainVisibility } from '../statuses/visibility/index.ts';
import { groupPostAccepted, groupPostRemoved } from './events.ts';
import { requireModerated } from './find-groups.ts';
import { writable, type GroupPostState } from './tables.ts';

interface GroupPost {
  readonly groupId: AccountId;
  readonly statusId: StatusId;
}

/** Boosts an accepted post as the group, unless its author forbids that or it is gone. */
export async function boostPost(
  app: App,
  { groupId, statusId, reply }: GroupPost & { readonly reply: boolean },
): Promise<void> {
  if (reply || (await stateOf(app, { groupId, statusId })) !== 'accepted') return;
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined) return;
  const visibility = plainVisibility(status.visibility) === 'public' ? 'public' : 'unlisted';
  try {
    await reblogStatus(app, groupId, statusId, { visibility });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

async function stateOf(app: App, { groupId, statusId }: GroupPost): Promise<GroupPostState | undefined> {
  const row = await app.db
    .selectFrom('group_posts')
    .select('state')
    .where('group_id', '=', groupId)
    .where('status_id', '=', statusId)
    .executeTakeFirst();
  return row?.state;
}

interface WaitingPost {
  readonly id: RowId;
  readonly statusId: StatusId;
}

const waitingPosts = pagedQuery<WaitingPost>()<{ groupId: AccountId }>(
  (db, { groupId, below, above, limit }, order) => ({
    compile: () =>
      sql<WaitingPost>`
      select post.id, post.status_id as "statusId"
      from group_posts post join statuses on statuses.id = post.status_id join accounts on accounts.id = statuses.account_id
      where post.group_id = ${groupId}::bigint and post.state = 'waiting' and statuses.deleted_at is null
        and accounts.suspended_at is null and accounts.deleted_at is null
        and post.id < ${below}::bigint and post.id > ${above}::bigint
      order by post.id ${order} limit ${limit}::int`.compile(db),
  }),
);

/** Lists the posts that wait for a moderator, newest first. */
export const listWaitingPosts = (app: App, groupId: AccountId, page: Page): Promise<WaitingPost[]> =>
  waitingPosts(app, page, { groupId });

/** Lets a group boost a post that waits. Idempotent. Throws 404 if it neither waits nor was accepted, 403. */
export async function approvePost(
  app: App,
  viewer: CurrentUser,
  groupId: AccountId,
  statusId: StatusId,
): Promise<void> {
  await requireModerated(app, viewer, groupId);
  if (await changeState(app, { groupId, statusId }, { from: 'waiting', to: 'accepted' })) return;
  if ((await stateOf(app, { groupId, statusId })) !== 'accepted') throw notFound();
}

/**
 * Removes a post from a group: the boost is undone, and it does not return. One that waits is refused. Idempotent. Throws
 * 404 if it is no post of the group, 403.
 */
export async function removePost(app: App, viewer: CurrentUser, groupId: AccountId, statusId: StatusId): Promise<void> {
  await requireModerated(app, viewer, groupId);
  if (await changeState(app, { groupId, statusId }, { from: 'waiting', to: 'refused' })) return;
  const isRemoved = await changeState(
    app,
    { groupId, statusId },
    { from: 'accepted', to: 'removed', by: viewer.accountId },
  );
  if (!isRemoved && (await stateOf(app, { groupId, statusId })) === undefined) throw notFound();
  await unreblogStatus(app, groupId, statusId);
}

function changeState(
  app: App,
  { groupId, statusId }: GroupPost,
  { from, to, by: accountId }: { readonly from: GroupPostState; readonly to: GroupPostState; readonly by?: AccountId },
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const post = await writable(tx.db)
      .updateTable('group_posts')
      .set({ state: to, ...(to !== 'accepted' && { activity: null }) })
      .where('group_id', '=', groupId)
      .where('status_id', '=', statusId)
      .where('state', '=', from)
      .returning('reply')
      .executeTakeFirst();
    if (post === undefined) return false;
    if (to === 'accepted') tx.emit(groupPostAccepted({ groupId, statusId, reply: post.reply, approved: true }));
    if (to === 'removed' && accountId !== undefined)
      tx.emit(groupPostRemoved({ groupId, statusId, accountId, reply: post.reply }));
    return true;
  });
}
