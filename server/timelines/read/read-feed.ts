import type { App } from '../../platform/app.ts';
import { addToId, compareIds, maxId, noId, type StatusId } from '../../platform/ids.ts';
import { touchFeed } from '../feeds/build-feed.ts';
import type { FeedRef } from '../feeds/feed-tables.ts';
import {
  extraEntries,
  findStoredEntries,
  isBuilt,
  type Direction,
  type OwnedFeed,
  type StoredEntries,
} from './find-stored-entries.ts';
import { findHomeHead, maxHeadEntries } from './home-heads.ts';
import { type CandidateBatch, type Cursor } from './page-filler.ts';
import { loadFromAuthors } from '../graph/follow-graph.ts';
import { scanHome } from '../graph/home-scan.ts';
import { hideRepeats, repeatDistance, type FeedEntry } from './hide-repeats.ts';
import { loadFromListGraph } from '../graph/list-graph.ts';
import { listFollowedMergedAuthors } from '../feeds/merged-authors.ts';
import { pendingStatuses, type PendingStatus } from '../feeds/pending-statuses.ts';
import { loadPendingEntries } from './load-pending-entries.ts';

/** Candidates from a feed. */
export interface FeedBatch extends CandidateBatch<StatusId> {
  /** The feed is not stored yet, so they were read from the graph. */
  readonly isBuilding: boolean;
}

/**
 * Returns the ids of the next entries of a feed of `ownerId`, enough for a page of `limit`, without reblogs of what was
 * shown shortly before. Throws 404 if the list does not belong to `ownerId`.
 */
export async function listFeedIds(
  app: App,
  feed: OwnedFeed,
  { direction, bound }: Cursor<StatusId>,
  limit: number,
): Promise<FeedBatch> {
  const count = limit + extraEntries;
  return direction === 'desc' ? listOlderIds(app, feed, bound, count) : listNewerIds(app, feed, bound, count);
}

async function listOlderIds(app: App, feed: OwnedFeed, before: StatusId, count: number): Promise<FeedBatch> {
  const requested = count + repeatDistance;
  const { entries, isBuilding } = await loadOlderEntries(app, feed, before, requested);
  if (entries.length < requested) return { ids: hideRepeats(entries, entries.length), next: undefined, isBuilding };
  return { ids: hideRepeats(entries, count), next: entries[count - 1]?.id, isBuilding };
}

async function listNewerIds(app: App, feed: OwnedFeed, after: StatusId, count: number): Promise<FeedBatch> {
  const newer = await loadNewerEntries(app, feed, after, count);
  const { isBuilding } = newer;
  const entries = newer.entries.toReversed();
  const next = entries.length === count ? entries[0]?.id : undefined;
  const hasReblogs = entries.some(({ reblogOfId }) => reblogOfId !== undefined);
  const earlier = hasReblogs ? (await loadOlderEntries(app, feed, incrementId(after), repeatDistance)).entries : [];
  return { ids: hideRepeats([...entries, ...earlier], entries.length).toReversed(), next, isBuilding };
}

interface LoadedEntries {
  readonly entries: FeedEntry[];
  /** As in FeedBatch. */
  readonly isBuilding: boolean;
}

/** Returns entries below `before`, newest first; fewer than `count` only where the feed ends. */
async function loadOlderEntries(app: App, feed: OwnedFeed, before: StatusId, count: number): Promise<LoadedEntries> {
  // Listed first: a fan-out that ends meanwhile is in one of the two.
  const pending = pendingStatuses(app).list();
  const stored = await findOlderEntries(app, feed, before, count);
  await touchFeed(app, feed, stored);
  if (!isBuilt(stored)) {
    return { entries: await loadFromGraph(app, feed, 'desc', { after: noId, before, count }), isBuilding: true };
  }
  const { completeFrom } = stored;
  const range = { after: decrementId(completeFrom), before, count };
  const merged = await loadMergedEntries(app, feed, 'desc', { ...range, pending });
  const entries = mergeEntries(stored.entries, merged, 'desc').slice(0, count);
  if (entries.length === count || completeFrom === noId) return { entries, isBuilding: false };
  const rest = { after: noId, before: lowerId(before, completeFrom), count: count - entries.length };
  return { entries: [...entries, ...(await loadFromGraph(app, feed, 'desc', rest))], isBuilding: false };
}

/** Returns stored entries below `before`, newest first: up to `count`, or all that are cached. Else as `findStoredEntries`. */
async function findOlderEntries(
  app: App,
  feed: OwnedFeed,
  before: StatusId,
  count: number,
): Promise<StoredEntries | undefined> {
  return feed.kind === 'home' && before === maxId && count <= maxHeadEntries
    ? findHomeHead(app, feed.id)
    : findStoredEntries(app, feed, 'desc', { bound: before, count });
}

/** Returns entries above `after`, oldest first; fewer than `count` only where the feed ends. */
async function loadNewerEntries(app: App, feed: OwnedFeed, after: StatusId, count: number): Promise<LoadedEntries> {
  const pending = pendingStatuses(app).list();
  const stored = await findStoredEntries(app, feed, 'asc', { bound: after, count });
  await touchFeed(app, feed, stored);
  const range = { after, before: maxId, count };
  if (stored === undefined || compareIds(stored.completeFrom, after) > 0) {
    return { entries: await loadFromGraph(app, feed, 'asc', range), isBuilding: !isBuilt(stored) };
  }
  const merged = await loadMergedEntries(app, feed, 'asc', { ...range, pending });
  return { entries: mergeEntries(stored.entries, merged, 'asc').slice(0, count), isBuilding: false };
}

interface IdRange {
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
  readonly count: number;
}

/** Loads entries from the statuses of the followed accounts or list members, whether the feed is stored or not. */
function loadFromGraph(app: App, feed: FeedRef, direction: Direction, range: IdRange): Promise<FeedEntry[]> {
  return feed.kind === 'home'
    ? scanHome(app, direction, { accountId: feed.id, ...range })
    : loadFromListGraph(app, direction, { listId: feed.id, ...range, now: app.clock.now() });
}

/**
 * Loads the entries that are not stored: of authors with very many followers, which are not written into home feeds, and
 * those that are still to be written.
 */
async function loadMergedEntries(
  app: App,
  feed: OwnedFeed,
  direction: Direction,
  { pending, ...range }: IdRange & { readonly pending: readonly PendingStatus[] },
): Promise<FeedEntry[]> {
  if (feed.kind === 'list') return loadPendingEntries(app, feed, pending, range);
  const [authors, unwritten] = await Promise.all([
    listFollowedMergedAuthors(app, feed.id),
    loadPendingEntries(app, feed, pending, range),
  ]);
  if (authors.length === 0) return unwritten;
  return [...unwritten, ...(await loadFromAuthors(app, direction, { accountId: feed.id, authors, ...range }))];
}

/** Merges two lists in the order of the ids. An entry of both appears once. */
function mergeEntries(one: readonly FeedEntry[], other: readonly FeedEntry[], direction: Direction): FeedEntry[] {
  if (other.length === 0) return [...one];
  const byId = new Map([...one, ...other].map((entry) => [entry.id, entry]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...byId.values()].toSorted((a, b) => sign * compareIds(a.id, b.id));
}

const incrementId = (id: StatusId): StatusId => addToId(id, 1n);
const decrementId = (id: StatusId): StatusId => addToId(id, -1n);
const lowerId = (a: StatusId, b: StatusId): StatusId => (compareIds(a, b) < 0 ? a : b);
