import { insertRemoteMedia, prepareRemoteMedia } from '../../media/remote/index.ts';
import type { Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type FetchBudgetId, type StatusId } from '../../platform/ids.ts';
import { storeRemotePoll } from '../../polls/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { insertReplyRequest } from '../approval/held-reply.ts';
import { claimHeldPost } from '../held/decide-held-post.ts';
import type { PublishedHeldPost } from '../post/status-params.ts';
import { createdEvent } from '../post/created-event.ts';
import { ensureTagsOfPosts } from '../post/ensure-tags-of-posts.ts';
import { insertStatuses, type NewStatus } from '../post/insert-status.ts';
import { recordStoredMatches } from '../screening/record-stored-matches.ts';
import { ensureConversations } from './ensure-conversations.ts';
import { recordOriginCounts } from './store-origin-counts.ts';
import { storeArticle } from './store-article.ts';
import { maxStatusTags } from './remote-limits.ts';
import { storeRemoteQuote } from './remote-quotes.ts';
import type { RemoteStatus } from './remote-status.ts';

/** A remote status that the moderation rules permit. */
export interface RemoteInsert {
  readonly remote: RemoteStatus;
  readonly status: NewStatus;
  readonly verdict: Verdict | undefined;
  readonly held: PublishedHeldPost | undefined;
}

/**
 * Stores a remote status and returns its id. Returns undefined if another status has its uri or, by chance, its id. Posts
 * that need no further rows share a transaction.
 */
export async function insertRemoteStatus(app: App, post: RemoteInsert): Promise<StatusId | undefined> {
  if (!isPlain(post)) return transaction(app, async (tx) => (await insertPosts(tx, app, [post]))[0]);
  return insertGroup(app, { ...post, fetchBudgetId: await app.fetchBudget?.store() });
}

/** Longer posts do not delay others. */
const maxGroupedLength = 50_000;

const isPlain = ({ remote, status, verdict, held }: RemoteInsert): boolean =>
  status.content.length <= maxGroupedLength &&
  [remote.poll, remote.quote, remote.article, status.heldReply, status.provenReply, verdict, held].every(
    (part) => part === undefined,
  );

interface GroupedInsert extends RemoteInsert {
  readonly fetchBudgetId: FetchBudgetId | undefined;
}

const insertGroup = groupCommit((tx: Transaction, app: App, posts: readonly GroupedInsert[]) =>
  insertPosts(tx, app, posts),
);

type InsertedPost = RemoteInsert & Partial<Pick<GroupedInsert, 'fetchBudgetId'>>;

async function insertPosts(
  tx: Transaction,
  app: App,
  posts: readonly InsertedPost[],
): Promise<readonly (StatusId | undefined)[]> {
  const tags = await ensureTagsOfPosts(
    tx,
    app,
    posts.map(({ remote, status: { visibility } }) => ({ visibility, tagNames: tagsOf(remote) })),
  );
  const conversations = await ensureConversations(
    tx,
    app,
    posts.flatMap(({ remote, status }) => (status.conversationId === null ? (remote.conversationUri ?? []) : [])),
  );
  const prepared = withoutTwins(posts).map((post) => {
    const { remote, status } = post;
    const media = prepareRemoteMedia(app, remote.accountId, remote.attachments ?? [], status.id);
    const pollId = remote.poll === undefined ? null : newId<'poll'>(app.clock.now());
    const conversationId = status.conversationId ?? conversations.get(remote.conversationUri ?? '') ?? null;
    const tagIds = [...new Set(tagsOf(remote).flatMap((name) => tags.get(normalizeTag(name)) ?? []))];
    const mediaIds = media.map(({ id }) => id);
    return { post, media, status: { ...status, mediaIds, pollId, tagIds, conversationId } };
  });
  const stored = await insertStatuses(
    tx,
    prepared.map(({ status }) => status),
  );
  const inserted = prepared.filter(({ status }) => stored.has(status.id));
  await insertRemoteMedia(
    tx,
    inserted.flatMap(({ media }) => media),
  );
  for (const { post, status } of inserted) await insertDetails(tx, app, post, status);
  await insertOriginCounts(tx, app, inserted);
  const ids = new Map(inserted.map(({ post, status }) => [post, status.id]));
  return posts.map((post) => ids.get(post));
}

/** Stores the counts of posts that have any; most are received before anyone reacts to them. */
async function insertOriginCounts(
  tx: Transaction,
  app: App,
  inserted: readonly { readonly post: InsertedPost; readonly status: NewStatus }[],
): Promise<void> {
  const counted = inserted.flatMap(({ post: { remote }, status: { id: statusId } }) => {
    const { counts } = remote;
    return counts !== undefined && Object.values(counts).some((count) => count) ? [{ statusId, counts }] : [];
  });
  if (counted.length > 0) await recordOriginCounts(tx, app, counted);
}

const tagsOf = ({ tags = [] }: RemoteStatus): readonly string[] => tags.slice(0, maxStatusTags);

/** Leaves out posts with the uri or id of an earlier one. */
function withoutTwins(posts: readonly InsertedPost[]): InsertedPost[] {
  const taken = new Set<string>();
  return posts.filter(({ status: { id, uri } }) => {
    const isTwin = taken.has(id) || taken.has(uri);
    taken.add(id).add(uri);
    return !isTwin;
  });
}

/** Stores the rows that belong to a new status, and emits its events with its fetch budget. */
async function insertDetails(
  tx: Transaction,
  app: App,
  { remote, verdict, held, fetchBudgetId }: InsertedPost,
  status: NewStatus,
): Promise<void> {
  const { id: statusId, accountId, pollId } = status;
  if (remote.poll !== undefined && pollId !== null)
    await storeRemotePoll(tx, app, { accountId, statusId, pollId, poll: remote.poll });
  if (remote.article !== undefined) await storeArticle(tx, statusId, remote.article);
  await insertReplyRequest(tx, app, status);
  if (verdict !== undefined) await recordStoredMatches(tx, app, verdict, status);
  if (held !== undefined) await claimHeld(tx, app, held, statusId);
  if (remote.quote !== undefined) await storeRemoteQuote(tx, app, { statusId, accountId }, remote.quote);
  tx.emit({ ...createdEvent(app, status), fetchBudgetId });
}

/** Marks a held post as published as this status. */
export async function claimHeld(tx: Transaction, app: App, held: PublishedHeldPost, statusId: StatusId): Promise<void> {
  await claimHeldPost(tx, app, held.id, statusId);
  await held.onPublish(tx, statusId);
}
