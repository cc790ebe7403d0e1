import { claimMediaForAll } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/database/group-commit.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { compareIds, type AccountId, type PollId, type StatusId, type TagId } from '../../platform/ids.ts';
import { createPolls, type PollParams } from '../../polls/index.ts';
import { insertQuote } from '../../quotes/index.ts';
import { ensureTags } from '../../tags/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { validateStatusParams, composeStatus, type StatusParams } from './compose-status.ts';
import { mentionsUnresolved, statusCreated } from '../events.ts';
import { findStatusByIdempotencyKey, claimIdempotencyKeys } from './idempotency-keys.ts';
import { insertStatuses, type NewStatus } from './insert-status.ts';
import { cacheDefaultState } from '../read/viewer-state.ts';
import { lockQuotableStatus, buildQuote, notQuotableError } from '../quote/quote-status.ts';
import type { FormattedText } from './format-status-text.ts';
import { claimScheduledStatus } from '../schedule/scheduled-statuses.ts';
import type { CachedStatus } from '../read/cached-status.ts';

/**
 * Posts a status of a local account and returns its id. A request that repeats an idempotency key within an hour gets the
 * id of the first one. Throws 422 for invalid parameters, 404 if the author may not see the parent or quote the quoted
 * status.
 */
export async function postStatus(app: App, accountId: AccountId, post: StatusParams): Promise<StatusId> {
  const key = post.idempotencyKey;
  const earlier = key === undefined ? undefined : await findStatusByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  const mediaIds = post.mediaIds ?? [];
  const { parts, poll } = await validateStatusParams(app, accountId, post);
  const status = await composeStatus(app, accountId, parts);
  const id = await insertPreparedStatuses(app, {
    post,
    status,
    formatted: parts.formatted,
    quoted: parts.quoted,
    mediaIds,
    poll,
  });
  if (id === status.id && status.inReplyToId === null) cacheDefaultState(app, accountId, id);
  return id;
}

/** A validated status, ready to be stored. */
interface PreparedStatus {
  readonly post: StatusParams;
  readonly status: NewStatus;
  readonly formatted: FormattedText;
  readonly quoted: CachedStatus | undefined;
  readonly mediaIds: readonly string[];
  readonly poll: PollParams | undefined;
}

/** Returns the id of each status, or of the one that an earlier request created with the same key. */
const insertPreparedStatuses = groupCommit(async (tx: Transaction, app: App, posts: readonly PreparedStatus[]) => {
  for (const { post, status } of posts) {
    if (post.scheduledId !== undefined) await claimScheduledStatus(tx, app, post.scheduledId, status.id);
  }
  const idsByKey = await claimKeys(tx, app, posts);
  const ids = posts.map((post) => idsByKey.get(post) ?? post.status.id);
  const created = posts.filter(({ status }, at) => ids[at] === status.id);
  if (created.length === 0) return ids;
  const stored = await insertStatuses(tx, await withTagsMediaAndPolls(tx, app, created));
  for (const { status, formatted } of created) {
    if (!stored.has(status.id)) throw new Error(`${status.uri} is taken`);
    emitCreated(tx, status, formatted);
  }
  for (const { status, quoted } of listQuotingStatuses(created)) {
    if (!(await lockQuotableStatus(tx, status.accountId, quoted))) throw notQuotableError();
    await insertQuote(tx, app, buildQuote(status.id, status.accountId, quoted));
  }
  return ids;
});

/** Returns the statuses that quote, sorted by the quoted status: its counters are locked in this order. */
function listQuotingStatuses(posts: readonly PreparedStatus[]) {
  return posts
    .flatMap(({ status, quoted }) => (quoted === undefined ? [] : [{ status, quoted }]))
    .toSorted((one, other) => compareIds(one.quoted.id, other.quoted.id));
}

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

/** Returns the statuses with their tags, media and polls, which it creates or claims. */
async function withTagsMediaAndPolls(
  tx: Transaction,
  app: App,
  posts: readonly PreparedStatus[],
): Promise<NewStatus[]> {
  const names = posts.flatMap(({ formatted }) => formatted.tagNames);
  const tags = names.length === 0 ? new Map<string, TagId>() : await ensureTags(tx, names, app.clock.now());
  const media = await claimMediaForAll(
    tx,
    app,
    posts.map(({ post: { scheduledId }, status: { id, accountId }, mediaIds }) => ({
      accountId,
      statusId: id,
      mediaIds,
      scheduledId,
    })),
  );
  const polls = await createPollsOf(tx, app, posts);
  return posts.map(({ status, formatted }, at) => ({
    ...status,
    mediaIds: (media[at] ?? []).map(({ id }) => id),
    pollId: polls.get(status.id) ?? null,
    tagIds: [...new Set(formatted.tagNames.flatMap((name) => tags.get(normalizeTag(name)) ?? []))],
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

function emitCreated(tx: Transaction, status: NewStatus, formatted: FormattedText): void {
  const { id: statusId, accountId } = status;
  tx.emit(statusCreated({ statusId, accountId, local: true, direct: status.visibility === 'direct' }));
  if (formatted.unresolvedHandles.length === 0) return;
  tx.emit(mentionsUnresolved({ statusId, accountId, handles: [...formatted.unresolvedHandles] }));
}
