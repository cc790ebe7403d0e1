import { reserveMedia } from '../../media/attach/index.ts';
import { recordMatches } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { toHeldParams } from '../held/hold-post.ts';
import { hasRoom, insertHeldPosts } from '../held/insert-held-posts.ts';
import { previewLocalPost } from '../held/preview-post.ts';
import { claimThreadKey } from '../post/idempotency-keys.ts';
import { joinVerdicts, type ComposedPost } from './compose-thread.ts';
import { fieldsError, toFailedField } from './field-errors.ts';

interface ThreadToHold {
  readonly inReplyToId: StatusId | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly claim?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Holds all posts of a thread for review, because a rule holds one of them, and returns the ids of the held posts, or what
 * an earlier request with the same idempotency key created. Throws 422 if too many posts of the author wait.
 */
export function holdThread(
  app: App,
  accountId: AccountId,
  { thread, posts }: { readonly thread: ThreadToHold; readonly posts: readonly ComposedPost[] },
): Promise<readonly StatusId[]> {
  const ids = posts.map(({ status }) => status.id) as [StatusId, ...StatusId[]];
  return transaction(app, async (tx) => {
    if (thread.idempotencyKey !== undefined) {
      const holders = await claimThreadKey(tx, app, { accountId, key: thread.idempotencyKey, statusIds: ids });
      if (holders !== ids) return holders;
    }
    if (!(await hasRoom(tx, { accountId, domain: null, posts: ids.length })))
      throw validationFailed('heldPosts.tooMany');
    await thread.claim?.(tx);
    await reserveFiles(tx, app, posts);
    await insertHeldPosts(
      tx,
      app,
      posts.map((held) => ({
        id: held.status.id,
        accountId,
        domain: null,
        uri: null,
        threadId: ids[0],
        // Each has the parent of the thread, because the author may withdraw the first post.
        params: toHeldParams({ ...held.post, inReplyToId: thread.inReplyToId }, held.status),
        preview: previewLocalPost(held),
      })),
    );
    await recordHold(tx, app, posts);
    return ids;
  });
}

/** Stores one match for each rule, because staff decide about the thread as a whole. It names the first post that is held. */
async function recordHold(tx: Transaction, app: App, posts: readonly ComposedPost[]): Promise<void> {
  const held = posts.find(({ verdict }) => verdict?.actions.has('hold') === true);
  if (held === undefined) return;
  const { id, accountId, text } = held.status;
  const verdict = joinVerdicts(posts.flatMap((post) => post.verdict ?? []));
  await recordMatches(tx, app, verdict, { type: 'held_post', id, accountId, text });
}

async function reserveFiles(tx: Transaction, app: App, posts: readonly ComposedPost[]): Promise<void> {
  for (const [index, { status, mediaIds }] of posts.entries()) {
    if (mediaIds.length === 0) continue;
    try {
      await reserveMedia(tx, app, { accountId: status.accountId, scheduledId: status.id, mediaIds });
    } catch (error) {
      throw fieldsError([toFailedField(`posts[${index}].media_ids`, error)]);
    }
  }
}
