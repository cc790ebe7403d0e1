import type { App } from '../platform/app.ts';
import { compareIds, type AccountId, type StatusId } from '../platform/ids.ts';
import { beginning } from './feed-page.ts';
import { endOfTime, readGraph } from './follow-graph.ts';
import type { Entry } from './hide-repeats.ts';
import { followedMergedAuthors } from './merged-authors.ts';
import { readStored } from './stored-feed.ts';
import { noteUse } from './use-feed.ts';

/**
 * Up to `count` entries of a home below `before`, newest first: what is stored, with the posts of merged authors among
 * it; past the stored part, or when no feed is kept, through the follow graph. Fewer only where the home ends.
 */
export async function olderEntries(
  app: App,
  accountId: AccountId,
  { before, count }: { before: StatusId; count: number },
): Promise<Entry[]> {
  const stored = await readStored(app, 'desc', { accountId, bound: before, count });
  await noteUse(app, accountId, stored);
  const horizon = stored?.completeFrom ?? endOfTime;
  let entries = stored?.entries ?? [];
  if (horizon !== endOfTime) {
    const authors = await followedMergedAuthors(app, accountId);
    if (authors.length > 0) {
      const after = justBelow(horizon);
      const merged = await readGraph(app, 'desc', { accountId, authors, after, before, count });
      entries = mergeEntries(entries, merged, 'desc').slice(0, count);
    }
  }
  const missing = count - entries.length;
  if (missing === 0 || horizon === beginning) return entries;
  const rest = { accountId, authors: null, after: beginning, before: lesser(before, horizon), count: missing };
  return [...entries, ...(await readGraph(app, 'desc', rest))];
}

/** Up to `count` entries of a home above `after`, oldest first. Fewer only where the home ends. */
export async function newerEntries(
  app: App,
  accountId: AccountId,
  { after, count }: { after: StatusId; count: number },
): Promise<Entry[]> {
  const stored = await readStored(app, 'asc', { accountId, bound: after, count });
  await noteUse(app, accountId, stored);
  if (stored === undefined || compareIds(stored.completeFrom, after) > 0) {
    return readGraph(app, 'asc', { accountId, authors: null, after, before: endOfTime, count });
  }
  const authors = await followedMergedAuthors(app, accountId);
  if (authors.length === 0) return stored.entries;
  const merged = await readGraph(app, 'asc', { accountId, authors, after, before: endOfTime, count });
  return mergeEntries(stored.entries, merged, 'asc').slice(0, count);
}

/** Joins two ordered lists; an entry that stands in both appears once. */
function mergeEntries(one: readonly Entry[], other: readonly Entry[], direction: 'asc' | 'desc'): Entry[] {
  const byId = new Map([...one, ...other].map((entry) => [entry.id, entry]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...byId.values()].toSorted((a, b) => sign * compareIds(a.id, b.id));
}

const justBelow = (id: StatusId): StatusId => String(BigInt(id) - 1n) as StatusId;
const lesser = (a: StatusId, b: StatusId): StatusId => (compareIds(a, b) < 0 ? a : b);
