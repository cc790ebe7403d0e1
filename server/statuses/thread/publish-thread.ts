import { parsePolicyInput } from '../../interactions/policy/index.ts';
import { MediaClaimError } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { countAccountRequest } from '../../platform/http/rate-limits.ts';
import type { AccountId, ApplicationId, StatusId } from '../../platform/ids.ts';
import type { StatusParams } from '../post/status-params.ts';
import { claimThreadKey, findThreadByIdempotencyKey } from '../post/idempotency-keys.ts';
import { insertPreparedStatuses, type PreparedStatus } from '../post/insert-prepared-statuses.ts';
import { assertPosts } from './check-posts.ts';
import { applyMark, composeThread, screenThread } from './compose-thread.ts';
import { fieldsError, toFailedField } from './field-errors.ts';
import { holdThread } from './hold-thread.ts';
import type { ThreadPost } from './schema.ts';
import { validateThread } from './validate-thread.ts';

/** Posts of one author, each a reply to the one before. */
export interface Thread {
  readonly posts: readonly ThreadPost[];
  /** What the first post replies to. */
  readonly inReplyToId?: string | undefined;
  readonly applicationId?: ApplicationId | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Runs in the transaction before the posts are stored, unless the key was used before. */
  readonly claim?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Publishes all posts of a thread, or none, and returns their ids in order, or those of held posts if a moderation rule
 * holds one of them. A request that repeats an idempotency key while it is kept gets the posts of the first one. A post
 * without a visibility takes that of the one before. Throws 422 that names the invalid fields, such as `posts[2].status`.
 */
export async function publishThread(app: App, accountId: AccountId, thread: Thread): Promise<readonly StatusId[]> {
  const { idempotencyKey: key } = thread;
  const earlier = key === undefined ? undefined : await findThreadByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  assertPosts(thread);
  const inReplyToId = thread.inReplyToId as StatusId | undefined;
  const posts = thread.posts.map((post) => toStatusParams(post, thread.applicationId));
  const validated = await validateThread(app, accountId, { posts, inReplyToId });
  const composed = await screenThread(app, await composeThread(app, accountId, validated));
  // The request itself counts as one post.
  await Promise.all(composed.slice(1).map(() => countAccountRequest(app, 'statuses', accountId)));
  if (composed.some(({ verdict }) => verdict?.actions.has('hold') === true))
    return holdThread(app, accountId, { thread: { ...thread, inReplyToId }, posts: composed });
  const prepared = composed.map((post) => ({ ...applyMark(post), post: {} }));
  try {
    return await transaction(app, (tx) => insertThread(tx, app, { accountId, thread, prepared }));
  } catch (error) {
    if (!(error instanceof MediaClaimError)) throw error;
    throw fieldsError([toFailedField(`posts[${error.claimIndex}].media_ids`, error)]);
  }
}

async function insertThread(
  tx: Transaction,
  app: App,
  { accountId, thread, prepared }: { accountId: AccountId; thread: Thread; prepared: readonly PreparedStatus[] },
): Promise<readonly StatusId[]> {
  const statusIds = prepared.map(({ status }) => status.id) as [StatusId, ...StatusId[]];
  if (thread.idempotencyKey !== undefined) {
    const holders = await claimThreadKey(tx, app, { accountId, key: thread.idempotencyKey, statusIds });
    if (holders !== statusIds) return holders;
  }
  await thread.claim?.(tx);
  await insertPreparedStatuses(tx, app, prepared);
  return statusIds;
}

function toStatusParams(post: ThreadPost, applicationId: ApplicationId | undefined): StatusParams {
  return {
    text: post.text,
    contentType: post.content_type,
    spoilerText: post.spoiler_text,
    visibility: post.visibility,
    localOnly: post.local_only,
    sensitive: post.sensitive,
    language: post.language,
    mediaIds: post.media_ids,
    poll: post.poll,
    quotedStatusId: post.quoted_status_id as StatusId | undefined,
    quotePolicy: post.quote_approval_policy,
    interactionPolicy: post.interaction_policy && parsePolicyInput(post.interaction_policy),
    allowedMentions: post.allowed_mentions,
    applicationId,
  };
}
