import { releaseReservedMedia, reserveMedia } from '../../media/attach/index.ts';
import { recordMatches, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type StatusId } from '../../platform/ids.ts';
import { htmlToText } from '../../text/index.ts';
import type { StatusParams } from '../post/status-params.ts';
import { claimIdempotencyKeys } from '../post/idempotency-keys.ts';
import type { PreparedStatus } from '../post/insert-prepared-statuses.ts';
import type { NewStatus } from '../post/insert-status.ts';
import type { RemoteStatus } from '../remote/remote-status.ts';
import { claimScheduledStatus } from '../schedule/scheduled-statuses.ts';
import type { HeldParams } from '../tables.ts';
import { hasRoom, insertHeldPosts } from './insert-held-posts.ts';
import { previewLocalPost, previewRemotePost } from './preview-post.ts';

/** A composed local post that a rule holds. */
export interface PostToHold extends Omit<PreparedStatus, 'post'> {
  readonly post: StatusParams;
  readonly verdict: Verdict;
}

/**
 * Holds a local post for review and returns the id of the held post, or what an earlier request with the same idempotency
 * key created. Its files are reserved. Throws 422 if too many posts of the author wait.
 */
export async function holdLocalPost(app: App, held: PostToHold): Promise<StatusId> {
  const { post, status, verdict, mediaIds } = held;
  const { idempotencyKey: key, scheduledId } = post;
  const { id, accountId, text } = status;
  return transaction(app, async (tx) => {
    if (scheduledId !== undefined) {
      await claimScheduledStatus(tx, app, scheduledId, id);
      await releaseReservedMedia(tx, app, scheduledId);
    }
    const [holder] = key === undefined ? [] : await claimIdempotencyKeys(tx, app, [{ accountId, key, statusId: id }]);
    if (holder !== undefined && holder !== id) return holder;
    if (!(await hasRoom(tx, { accountId, domain: null }))) throw validationFailed('heldPosts.tooMany');
    await reserveMedia(tx, app, { accountId, scheduledId: id, mediaIds });
    const params = toHeldParams(post, status);
    await insertHeldPosts(tx, app, [
      { id, accountId, domain: null, uri: null, params, preview: previewLocalPost(held) },
    ]);
    await recordMatches(tx, app, verdict, { type: 'held_post', id, accountId, text });
    return id;
  });
}

/** Returns the parameters with which a local post is published later, with the settings of its author as they are now. */
export function toHeldParams(post: StatusParams, status: NewStatus): HeldParams {
  const { idempotencyKey: _key, scheduledId: _scheduledId, ...requested } = post;
  const { contentType, visibility, sensitive, language, interactionPolicy } = status;
  const values = { contentType, visibility, sensitive, interactionPolicy, language: language ?? undefined };
  return { local: { ...requested, ...values } };
}

/**
 * Holds a remote post for review. A later version replaces one that still waits. Drops it if too many posts of the
 * author or of its domain wait.
 */
export async function holdRemotePost(
  app: App,
  {
    remote,
    status,
    domain,
    verdict,
  }: {
    readonly remote: RemoteStatus;
    readonly status: NewStatus;
    readonly domain: string | null;
    readonly verdict: Verdict;
  },
): Promise<void> {
  const { accountId, uri } = remote;
  const id = newId<'status'>(app.clock.now());
  await transaction(app, async (tx) => {
    if (!(await hasRoom(tx, { accountId, domain }))) {
      app.log.info({ uri }, 'dropped a post: too many wait for review');
      return;
    }
    const params = { remote: { ...remote, content: status.content } };
    const preview = previewRemotePost(remote, status);
    const added = await insertHeldPosts(tx, app, [{ id, accountId, domain, uri, params, preview }]);
    if (added.length === 0) return;
    const text = `${status.spoilerText}\n${htmlToText(status.content)}`;
    await recordMatches(tx, app, verdict, { type: 'held_post', id, accountId, uri, text });
  });
}
