import { parsePolicyInput } from '../../interactions/policy/index.ts';
import { MediaClaimError } from '../../media/attach/index.ts';
import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { countAccountRequest } from '../../platform/http/rate-limits.ts';
import { newId, type AccountId, type ApplicationId, type StatusId } from '../../platform/ids.ts';
import { composeStatus, type ReplyParent, type StatusParams } from '../post/compose-status.ts';
import { claimThreadKey, findThreadByIdempotencyKey } from '../post/idempotency-keys.ts';
import { insertPreparedStatuses, type PreparedStatus } from '../post/insert-prepared-statuses.ts';
import { screenLocalPost } from '../screening/screen-local-post.ts';
import { assertPosts } from './check-posts.ts';
import { fieldsError, toFailedField } from './field-errors.ts';
import type { ThreadPost } from './schema.ts';
import { validateThread, type ValidatedPost, type ValidatedThread } from './validate-thread.ts';

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
 * Publishes all posts of a thread, or none, and returns their ids in order. A request that repeats an idempotency key
 * within an hour gets the posts of the first one. A post without a visibility takes that of the one before. Throws 422
 * that names the invalid fields, such as `posts[2].status`.
 */
export async function publishThread(app: App, accountId: AccountId, thread: Thread): Promise<readonly StatusId[]> {
  const { idempotencyKey: key } = thread;
  const earlier = key === undefined ? undefined : await findThreadByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  assertPosts(thread);
  const validated = await validateThread(app, accountId, {
    posts: thread.posts.map((post) => toStatusParams(post, thread.applicationId)),
    inReplyToId: thread.inReplyToId as StatusId | undefined,
  });
  const prepared = await composeThread(app, accountId, validated);
  // The request itself counts as one post.
  await Promise.all(prepared.slice(1).map(() => countAccountRequest(app, 'statuses', accountId)));
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

/** Builds the statuses. Their times differ by a millisecond, so that every server sorts them in order. */
async function composeThread(
  app: App,
  accountId: AccountId,
  { parent: replied, posts }: ValidatedThread,
): Promise<PreparedStatus[]> {
  const now = app.clock.now();
  const prepared: PreparedStatus[] = [];
  let parent: ReplyParent | undefined = replied;
  for (const [index, post] of posts.entries()) {
    const createdAt = new Date(now.getTime() + index);
    const status = await composePost(app, accountId, { post, parent, index, createdAt });
    const verdict = await screenPart(app, post, status, index);
    prepared.push({
      post: {},
      status:
        verdict === undefined ? status : { ...status, sensitive: status.sensitive || verdict.actions.has('sensitive') },
      verdict,
      formatted: post.formatted,
      quoted: post.quoted,
      mediaIds: post.post.mediaIds ?? [],
      poll: post.poll,
      threadId: prepared[0]?.status.id ?? status.id,
    });
    parent = status;
  }
  return prepared;
}

/** Throws 422 that names the post if a moderation rule refuses it. */
async function screenPart(
  app: App,
  { post, formatted, poll }: ValidatedPost,
  status: PreparedStatus['status'],
  index: number,
): Promise<Verdict | undefined> {
  try {
    return await screenLocalPost(app, {
      status,
      formatted,
      mediaIds: post.mediaIds ?? [],
      poll,
      mayNotWait: true,
    });
  } catch (error) {
    throw fieldsError([toFailedField(`posts[${index}].status`, error)]);
  }
}

async function composePost(
  app: App,
  accountId: AccountId,
  {
    post,
    parent,
    index,
    createdAt,
  }: {
    post: ValidatedPost;
    parent: ReplyParent | undefined;
    index: number;
    createdAt: Date;
  },
): Promise<PreparedStatus['status']> {
  const visibility = post.post.visibility ?? (index === 0 ? undefined : parent?.visibility);
  const parts = { ...post, post: { ...post.post, visibility }, parent };
  try {
    const status = await composeStatus(app, accountId, parts, createdAt);
    if (status.conversationId !== null) return status;
    return { ...status, conversationId: newId<'conversation'>(app.clock.now()), startsConversation: true };
  } catch (error) {
    throw fieldsError([toFailedField(`posts[${index}].quoted_status_id`, error)]);
  }
}
