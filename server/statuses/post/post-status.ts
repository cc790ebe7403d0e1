import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { newStatuses } from '../read/new-statuses.ts';
import { cacheDefaultState } from '../read/viewer-state.ts';
import { claimScheduledStatus } from '../schedule/scheduled-statuses.ts';
import { claimHeldPost } from '../held/decide-held-post.ts';
import { holdLocalPost } from '../held/hold-post.ts';
import { screenLocalPost } from '../screening/screen-local-post.ts';
import { validateStatusParams, composeStatus } from './compose-status.ts';
import type { StatusParams } from './status-params.ts';
import { findStatusByIdempotencyKey, claimIdempotencyKeys } from './idempotency-keys.ts';
import { insertPreparedStatuses, type PreparedStatus } from './insert-prepared-statuses.ts';

/**
 * Posts a status of a local account and returns its id, or that of a held post if a moderation rule holds it. A request
 * that repeats an idempotency key within an hour gets the id of the first one. Throws 422 for invalid parameters and if
 * a moderation rule refuses it, 404 if the author may not see the parent or quote the quoted status.
 */
export async function postStatus(app: App, accountId: AccountId, post: StatusParams): Promise<StatusId> {
  const key = post.idempotencyKey;
  const earlier = key === undefined ? undefined : await findStatusByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  const mediaIds = post.mediaIds ?? [];
  const { parts, poll } = await validateStatusParams(app, accountId, post);
  const status = await composeStatus(app, accountId, parts);
  const { formatted, quoted } = parts;
  const prepared = { status, formatted, quoted, mediaIds, poll };
  const verdict = post.held === undefined ? await screenLocalPost(app, prepared) : undefined;
  if (verdict?.actions.has('hold') === true) {
    const { contentType } = parts;
    return holdLocalPost(app, { ...prepared, post: { ...post, contentType }, verdict });
  }
  const id = await insertGroup(app, {
    ...prepared,
    post,
    status:
      verdict === undefined ? status : { ...status, sensitive: status.sensitive || verdict.actions.has('sensitive') },
    verdict,
  }).catch((error: unknown) => {
    newStatuses.evict(app, status.id);
    throw error;
  });
  if (id === status.id && status.inReplyToId === null) cacheDefaultState(app, accountId, id);
  return id;
}

/** Returns the id of each status, or of the one that an earlier request created with the same key. */
const insertGroup = groupCommit(
  async (tx: Transaction, app: App, posts: readonly PreparedStatus[]) => {
    for (const { post, status } of posts) {
      if (post.scheduledId !== undefined) await claimScheduledStatus(tx, app, post.scheduledId, status.id);
      if (post.held === undefined) continue;
      await claimHeldPost(tx, app, post.held.id, status.id);
      await post.held.onPublish(tx, status.id);
    }
    const idsByKey = await claimKeys(tx, app, posts);
    const ids = posts.map((post) => idsByKey.get(post) ?? post.status.id);
    const created = posts.filter(({ status }, at) => ids[at] === status.id);
    // Before the commit, after which the statuses are presented.
    if (created.length > 0)
      for (const { status, quoted } of await insertPreparedStatuses(tx, app, created))
        if (quoted === undefined) newStatuses.set(app, status.id, status);
    return ids;
  },
  { lingers: true },
);

/** Claims the idempotency keys. Returns the status of each key: the new one, or that of an earlier request. */
async function claimKeys(
  tx: Transaction,
  app: App,
  posts: readonly PreparedStatus[],
): Promise<ReadonlyMap<PreparedStatus, StatusId>> {
  const keyed = posts.flatMap((composed) => {
    const { post, status } = composed;
    const { idempotencyKey: key } = post;
    return key === undefined ? [] : [{ composed, request: { accountId: status.accountId, key, statusId: status.id } }];
  });
  const ids = await claimIdempotencyKeys(
    tx,
    app,
    keyed.map(({ request }) => request),
  );
  return new Map(keyed.map(({ composed }, at) => [composed, ids[at] as StatusId]));
}
