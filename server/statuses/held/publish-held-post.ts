import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { HttpError, unprocessable } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { postStatus } from '../post/post-status.ts';
import { storeRemoteStatus, type RemoteStatus } from '../remote/store-remote-status.ts';
import type { HeldParams } from '../tables.ts';
import type { HeldPostRow } from './find-held-posts.ts';

/**
 * Publishes a held post as if it were posted or received now, and returns the id of the status. `onPublish` runs in the
 * same transaction. Throws 409 if it was decided meanwhile, 422 if it can no longer be published: its author is suspended,
 * or the post that it answers was deleted.
 */
export async function publishHeldPost(
  app: App,
  { id, account_id: accountId, params }: HeldPostRow,
  onPublish: (tx: Transaction, statusId: StatusId) => Promise<void>,
): Promise<StatusId> {
  const held = { id, onPublish };
  const author = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (author === undefined || author.suspended) throw unprocessable('heldPosts.unpublishable');
  const statusId = await ('local' in params
    ? postStatus(app, accountId, { ...params.local, held }).catch(rethrowUnpublishable)
    : storeRemoteStatus(app, parseRemote(params), { held }));
  if (statusId === undefined) throw unprocessable('heldPosts.unpublishable');
  return statusId;
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
