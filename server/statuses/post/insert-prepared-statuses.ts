import { claimMediaForAll } from '../../media/attach/index.ts';
import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { compareIds, newId, type PollId, type StatusId } from '../../platform/ids.ts';
import { createPolls, type PollParams } from '../../polls/index.ts';
import { insertQuote } from '../../quotes/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { mentionsUnresolved } from '../events.ts';
import { lockQuotableStatus, buildQuote, notQuotableError } from '../quote/quote-status.ts';
import { insertReplyRequest } from '../approval/held-reply.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { recordStoredMatches } from '../screening/record-stored-matches.ts';
import type { StatusParams } from './status-params.ts';
import { createdEvent } from './created-event.ts';
import type { FormattedText } from './format-status-text.ts';
import { ensureTagsOfPosts } from './ensure-tags-of-posts.ts';
import { insertStatuses, type NewStatus } from './insert-status.ts';

/** A validated status, ready to be stored. */
export interface PreparedStatus {
  readonly post: Pick<StatusParams, 'scheduledId' | 'idempotencyKey' | 'held'>;
  readonly status: NewStatus;
  readonly formatted: FormattedText;
  readonly quoted: CachedStatus | undefined;
  readonly mediaIds: readonly string[];
  readonly poll: PollParams | undefined;
  /** The first post of the thread that one request publishes. */
  readonly threadId?: StatusId | undefined;
  /** What the moderation rules decided about it. */
  readonly verdict?: Verdict | undefined;
}

/**
 * Stores statuses with their tags, media, polls and quotes, emits their events in order, and returns them as stored. Throws
 * 422 for files that cannot be attached, 404 if a status may no longer be quoted.
 */
export async function insertPreparedStatuses(
  tx: Transaction,
  app: App,
  posts: readonly PreparedStatus[],
): Promise<readonly PreparedStatus[]> {
  const complete = await withTagsMediaAndPolls(tx, app, posts);
  const stored = await insertStatuses(
    tx,
    complete.map(({ status }) => status),
  );
  for (const post of complete) {
    if (!stored.has(post.status.id)) throw new Error(`${post.status.uri} is taken`);
    emitCreated(tx, app, post);
    await insertReplyRequest(tx, app, post.status, post.formatted.unresolvedHandles);
    if (post.verdict !== undefined) await recordStoredMatches(tx, app, post.verdict, post.status);
  }
  for (const { status, quoted } of listQuotingStatuses(posts)) {
    if (!(await lockQuotableStatus(tx, status.accountId, quoted))) throw notQuotableError();
    await insertQuote(tx, app, buildQuote(status.id, status.accountId, quoted));
  }
  return complete;
}

/** Returns the statuses that quote, sorted by the quoted status: its counters are locked in this order. */
function listQuotingStatuses(posts: readonly PreparedStatus[]) {
  return posts
    .flatMap(({ status, quoted }) => (quoted === undefined ? [] : [{ status, quoted }]))
    .toSorted((one, other) => compareIds(one.quoted.id, other.quoted.id));
}

/** Returns the posts with the tags, media and polls of their statuses, which it creates or claims. */
async function withTagsMediaAndPolls(
  tx: Transaction,
  app: App,
  posts: readonly PreparedStatus[],
): Promise<PreparedStatus[]> {
  const tags = await ensureTagsOfPosts(
    tx,
    app,
    posts.map(({ status: { visibility }, formatted: { tagNames } }) => ({ visibility, tagNames })),
  );
  const media = await claimMediaForAll(
    tx,
    app,
    posts.map(({ post: { scheduledId, held }, status: { id, accountId }, mediaIds }) => ({
      accountId,
      statusId: id,
      mediaIds,
      scheduledId: scheduledId ?? held?.id,
    })),
  );
  const polls = await createPollsOf(tx, app, posts);
  return posts.map((post, at) => ({
    ...post,
    status: {
      ...post.status,
      conversationId: post.status.conversationId ?? newId<'conversation'>(post.status.createdAt),
      startsConversation: post.status.startsConversation ?? post.status.conversationId === null,
      mediaIds: (media[at] ?? []).map(({ id }) => id),
      pollId: polls.get(post.status.id) ?? null,
      tagIds: [...new Set(post.formatted.tagNames.flatMap((name) => tags.get(normalizeTag(name)) ?? []))],
    },
  }));
}

/** Stores the polls of the statuses that have one, and returns their ids by status. */
async function createPollsOf(
  tx: Transaction,
  app: App,
  posts: readonly PreparedStatus[],
): Promise<ReadonlyMap<StatusId, PollId>> {
  const polls = posts.flatMap(({ status: { id, accountId }, poll }) =>
    poll === undefined ? [] : [{ accountId, statusId: id, poll }],
  );
  const ids = await createPolls(tx, app, polls);
  return new Map(polls.map(({ statusId }, at) => [statusId, ids[at] as PollId]));
}

function emitCreated(tx: Transaction, app: App, { status, formatted, threadId }: PreparedStatus): void {
  const { id: statusId, accountId } = status;
  tx.emit(createdEvent(app, status, threadId));
  if (formatted.unresolvedHandles.length === 0 || status.heldReply !== undefined) return;
  tx.emit(mentionsUnresolved({ statusId, accountId, handles: [...formatted.unresolvedHandles] }));
}
