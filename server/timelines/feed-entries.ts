import type { App } from '../platform/app.ts';
import { compareIds, type AccountId, type ListId, type StatusId } from '../platform/ids.ts';
import { buildFeed, buildListFeed } from './build-feed.ts';
import { beginning, type Feed } from './feed-page.ts';
import { endOfTime, readGraph } from './follow-graph.ts';
import type { Entry } from './hide-repeats.ts';
import { homeFeed, listFeed } from './kept-feed.ts';
import { readListGraph } from './list-graph.ts';
import { followedMergedAuthors } from './merged-authors.ts';
import { readStoredHome, readStoredList, type StoredStretch } from './stored-feed.ts';
import { lockList, noteUse } from './use-feed.ts';

type Direction = 'asc' | 'desc';

interface Stretch {
  /** Ids above this one only. */
  readonly after: StatusId;
  /** Ids below this one only. */
  readonly before: StatusId;
  readonly count: number;
}

/** Where the entries of a feed come from. */
interface Sources {
  /** What is stored of it below or above an id; undefined when it is not kept. */
  stored(direction: Direction, stretch: { bound: StatusId; count: number }): Promise<StoredStretch | undefined>;
  noteUse(stored: StoredStretch | undefined): Promise<void>;
  /** What belongs in it, whether it is stored or not. */
  graph(direction: Direction, stretch: Stretch): Promise<Entry[]>;
  /** Of it, what is not stored although the feed is complete; undefined when there can be nothing. */
  unstored(): Promise<Sources['graph'] | undefined>;
}

/** The entries of a home: what is stored, with the posts of merged authors among it; past that, the follow graph. */
export function homeEntries(app: App, accountId: AccountId): Feed {
  const keeping = { feed: homeFeed(accountId), build: buildFeed({ accountId }) };
  return entriesOf({
    stored: (direction, stretch) => readStoredHome(app, direction, { accountId, ...stretch }),
    noteUse: (stored) => noteUse(app, keeping, stored),
    graph: (direction, stretch) => readGraph(app, direction, { accountId, authors: null, ...stretch }),
    async unstored() {
      const authors = await followedMergedAuthors(app, accountId);
      if (authors.length === 0) return undefined;
      return (direction, stretch) => readGraph(app, direction, { accountId, authors, ...stretch });
    },
  });
}

/** The entries of a list of `ownerId`, past what is stored by its members; 404 for the lists of others. */
export function listEntries(app: App, ownerId: AccountId, listId: ListId): Feed {
  const keeping = {
    feed: listFeed(listId),
    build: buildListFeed({ listId }),
    lock: lockList,
  };
  return entriesOf({
    stored: (direction, stretch) => readStoredList(app, direction, { ownerId, listId, ...stretch }),
    noteUse: (stored) => noteUse(app, keeping, stored),
    graph: (direction, stretch) => readListGraph(app, direction, { listId, ...stretch, now: app.clock.now() }),
    unstored: () => Promise.resolve(undefined),
  });
}

const entriesOf = (sources: Sources): Feed => ({
  older: (stretch) => olderEntries(sources, stretch),
  newer: (stretch) => newerEntries(sources, stretch),
});

async function olderEntries(
  sources: Sources,
  { before, count }: { before: StatusId; count: number },
): Promise<Entry[]> {
  const stored = await sources.stored('desc', { bound: before, count });
  await sources.noteUse(stored);
  const horizon = stored?.completeFrom ?? endOfTime;
  let entries = stored?.entries ?? [];
  if (horizon !== endOfTime) {
    const readUnstored = await sources.unstored();
    const unstored = (await readUnstored?.('desc', { after: justBelow(horizon), before, count })) ?? [];
    if (unstored.length > 0) entries = mergeEntries(entries, unstored, 'desc').slice(0, count);
  }
  const missing = count - entries.length;
  if (missing === 0 || horizon === beginning) return entries;
  const rest = { after: beginning, before: lesser(before, horizon), count: missing };
  return [...entries, ...(await sources.graph('desc', rest))];
}

async function newerEntries(sources: Sources, { after, count }: { after: StatusId; count: number }): Promise<Entry[]> {
  const stored = await sources.stored('asc', { bound: after, count });
  await sources.noteUse(stored);
  const stretch = { after, before: endOfTime, count };
  if (stored === undefined || compareIds(stored.completeFrom, after) > 0) return sources.graph('asc', stretch);
  const readUnstored = await sources.unstored();
  if (readUnstored === undefined) return stored.entries;
  return mergeEntries(stored.entries, await readUnstored('asc', stretch), 'asc').slice(0, count);
}

/** Joins two ordered lists; an entry that stands in both appears once. */
function mergeEntries(one: readonly Entry[], other: readonly Entry[], direction: Direction): Entry[] {
  const byId = new Map([...one, ...other].map((entry) => [entry.id, entry]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...byId.values()].toSorted((a, b) => sign * compareIds(a.id, b.id));
}

const justBelow = (id: StatusId): StatusId => String(BigInt(id) - 1n) as StatusId;
const lesser = (a: StatusId, b: StatusId): StatusId => (compareIds(a, b) < 0 ? a : b);
