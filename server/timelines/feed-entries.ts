import type { App } from '../platform/app.ts';
import { compareIds, type AccountId, type ListId, type StatusId } from '../platform/ids.ts';
import { buildHomeFeed, buildListFeed } from './build-feed.ts';
import { minId, type Feed } from './feed-page.ts';
import { maxId, loadFromFollowGraph } from './follow-graph.ts';
import type { FeedEntry } from './hide-repeats.ts';
import { homeFeed, listFeed } from './feed-tables.ts';
import { loadFromListGraph } from './list-graph.ts';
import { listFollowedMergedAuthors } from './merged-authors.ts';
import { readHomeFeed, readListFeed, type FeedSlice } from './read-feed.ts';
import { lockList, touchFeed } from './touch-feed.ts';

type Direction = 'asc' | 'desc';

interface IdRange {
  /** Ids above this one only. */
  readonly after: StatusId;
  /** Ids below this one only. */
  readonly before: StatusId;
  readonly count: number;
}

/** Where the entries of a feed come from. */
interface FeedSources {
  /** What is stored of it below or above an id; undefined when it is not kept. */
  readFeed(direction: Direction, stretch: { bound: StatusId; count: number }): Promise<FeedSlice | undefined>;
  touchFeed(stored: FeedSlice | undefined): Promise<void>;
  /** What belongs in it, whether it is stored or not. */
  loadFromGraph(direction: Direction, stretch: IdRange): Promise<FeedEntry[]>;
  /** Of it, what is not stored although the feed is complete; undefined when there can be nothing. */
  mergedAuthorsLoader(): Promise<FeedSources['loadFromGraph'] | undefined>;
}

/** The entries of a home: what is stored, with the posts of merged authors among it; past that, the follow graph. */
export function createHomeFeed(app: App, accountId: AccountId): Feed {
  const keeping = { feed: homeFeed(accountId), build: buildHomeFeed({ accountId }) };
  return createFeed({
    readFeed: (direction, stretch) => readHomeFeed(app, direction, { accountId, ...stretch }),
    touchFeed: (stored) => touchFeed(app, keeping, stored),
    loadFromGraph: (direction, stretch) =>
      loadFromFollowGraph(app, direction, { accountId, authors: null, ...stretch }),
    async mergedAuthorsLoader() {
      const authors = await listFollowedMergedAuthors(app, accountId);
      if (authors.length === 0) return undefined;
      return (direction, stretch) => loadFromFollowGraph(app, direction, { accountId, authors, ...stretch });
    },
  });
}

/** The entries of a list of `ownerId`, past what is stored by its members; 404 for the lists of others. */
export function createListFeed(app: App, ownerId: AccountId, listId: ListId): Feed {
  const keeping = {
    feed: listFeed(listId),
    build: buildListFeed({ listId }),
    lock: lockList,
  };
  return createFeed({
    readFeed: (direction, stretch) => readListFeed(app, direction, { ownerId, listId, ...stretch }),
    touchFeed: (stored) => touchFeed(app, keeping, stored),
    loadFromGraph: (direction, stretch) =>
      loadFromListGraph(app, direction, { listId, ...stretch, now: app.clock.now() }),
    mergedAuthorsLoader: () => Promise.resolve(undefined),
  });
}

const createFeed = (sources: FeedSources): Feed => ({
  older: (stretch) => loadOlderEntries(sources, stretch),
  newer: (stretch) => loadNewerEntries(sources, stretch),
});

async function loadOlderEntries(
  sources: FeedSources,
  { before, count }: { before: StatusId; count: number },
): Promise<FeedEntry[]> {
  const stored = await sources.readFeed('desc', { bound: before, count });
  await sources.touchFeed(stored);
  const horizon = stored?.completeFrom ?? maxId;
  let entries = stored?.entries ?? [];
  if (horizon !== maxId) {
    const readUnstored = await sources.mergedAuthorsLoader();
    const unstored = (await readUnstored?.('desc', { after: decrementId(horizon), before, count })) ?? [];
    if (unstored.length > 0) entries = mergeEntries(entries, unstored, 'desc').slice(0, count);
  }
  const missing = count - entries.length;
  if (missing === 0 || horizon === minId) return entries;
  const rest = { after: minId, before: lowerId(before, horizon), count: missing };
  return [...entries, ...(await sources.loadFromGraph('desc', rest))];
}

async function loadNewerEntries(
  sources: FeedSources,
  { after, count }: { after: StatusId; count: number },
): Promise<FeedEntry[]> {
  const stored = await sources.readFeed('asc', { bound: after, count });
  await sources.touchFeed(stored);
  const stretch = { after, before: maxId, count };
  if (stored === undefined || compareIds(stored.completeFrom, after) > 0) return sources.loadFromGraph('asc', stretch);
  const readUnstored = await sources.mergedAuthorsLoader();
  if (readUnstored === undefined) return stored.entries;
  return mergeEntries(stored.entries, await readUnstored('asc', stretch), 'asc').slice(0, count);
}

/** Joins two ordered lists; an entry that stands in both appears once. */
function mergeEntries(one: readonly FeedEntry[], other: readonly FeedEntry[], direction: Direction): FeedEntry[] {
  const byId = new Map([...one, ...other].map((entry) => [entry.id, entry]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...byId.values()].toSorted((a, b) => sign * compareIds(a.id, b.id));
}

const decrementId = (id: StatusId): StatusId => String(BigInt(id) - 1n) as StatusId;
const lowerId = (a: StatusId, b: StatusId): StatusId => (compareIds(a, b) < 0 ? a : b);
