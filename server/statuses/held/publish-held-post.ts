import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { conflict, HttpError, unprocessable } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { postStatus } from '../post/post-status.ts';
import { storeRemoteStatus } from '../remote/store-remote-status.ts';
import type { RemoteStatus } from '../remote/remote-status.ts';
import type { HeldParams } from '../tables.ts';
import { publishHeldThread, type HeldPart } from '../thread/publish-held-thread.ts';
import { listHeldThread, type HeldPostRow } from './find-held-posts.ts';

/**
 * Publishes a held post, or all pending posts of its thread, as if they were posted or received now, and returns the id
 * of the first status. `onPublish` runs in the same transaction. Throws 409 if it was decided meanwhile, 422 if it can no longer be published: its author is suspended,
 * or the post that it answers was deleted.
 */
export async function publishHeldPost(
  app: App,
  row: HeldPostRow,
  onPublish: (tx: Transaction, statusId: StatusId) => Promise<void>,
): Promise<StatusId> {
  const { id, account_id: accountId, params } = row;
  const held = { id, onPublish };
  const author = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (author === undefined || author.suspended) throw unprocessable('heldPosts.unpublishable');
  if (row.thread_id !== null) return publishThreadOf(app, row, row.thread_id, onPublish);
  const statusId = await ('local' in params
    ? postStatus(app, accountId, { ...params.local, held }).catch(rethrowUnpublishable)
    : storeRemoteStatus(app, parseRemote(params), { held }));
  if (statusId === undefined) throw unprocessable('heldPosts.unpublishable');
  return statusId;
}

async function publishThreadOf(
  app: App,
  { id, account_id: accountId }: HeldPostRow,
  threadId: StatusId,
  onPublish: (tx: Transaction, statusId: StatusId) => Promise<void>,
): Promise<StatusId> {
  const rows = await listHeldThread(app, threadId);
  if (!rows.some((row) => row.id === id)) throw conflict('heldPosts.decided');
  const parts = rows.flatMap((row) => ('local' in row.params ? [{ id: row.id, params: row.params.local }] : []));
  return publishHeldThread(app, accountId, parts as [HeldPart, ...HeldPart[]], onPublish).catch(rethrowUnpublishable);
}

/** Makes dates of the texts that JSON stores. */
function parseRemote({ remote }: Extract<HeldParams, { remote: unknown }>): RemoteStatus {
  const { poll, updatedAt, publishedAt } = remote;
  const dateOf = (date: Date | string | undefined) => (date === undefined ? undefined : new Date(date));
  return {
    ...remote,
    publishedAt: new Date(publishedAt),
    updatedAt: dateOf(updatedAt),
    poll: poll && { ...poll, expiresAt: dateOf(poll.expiresAt) },
  };
}

function rethrowUnpublishable(error: unknown): never {
  if (error instanceof HttpError && error.status !== 409) throw unprocessable('heldPosts.unpublishable');
  throw error;
}
