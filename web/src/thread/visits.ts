import { me } from '../session/session.ts';

/** The replies of a thread that the reader was shown. */
interface Visit {
  /** The first post of the thread. */
  readonly root: string;
  /** The posts whose pages were opened: each shows another part of the thread. */
  readonly pages: readonly string[];
  /** The newest replies that were shown, ascending. */
  readonly ids: readonly string[];
}

const maxThreads = 200;
const maxPages = 20;
const maxIds = 100;

/** Returns the visits with one added to that of the same thread, the latest first. Those of too many threads are dropped. */
export function withVisit(visits: readonly Visit[], { root, pages, ids }: Visit): readonly Visit[] {
  const before = visits.find((visit) => visit.root === root);
  const allIds = [...new Set([...(before?.ids ?? []), ...ids])];
  const merged = {
    root,
    pages: [...new Set([...pages, ...(before?.pages ?? [])])].slice(0, maxPages),
    ids: allIds.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).slice(-maxIds),
  };
  return [merged, ...visits.filter((visit) => visit !== before)].slice(0, maxThreads);
}

/**
 * Returns the replies on the page of a post that were not shown before. None on its first visit; and none before the oldest
 * that is remembered of a long thread.
 */
export function unknownIn(visit: Visit | undefined, page: string, ids: readonly string[]): readonly string[] {
  if (visit === undefined || !visit.pages.includes(page)) return [];
  const known = new Set(visit.ids);
  const oldest = visit.ids.length === maxIds ? BigInt(visit.ids[0] ?? 0) : 0n;
  return ids.filter((id) => !known.has(id) && BigInt(id) > oldest);
}

const storageKey = (): string => `threads:${me.peek().id}`;

/** Returns the last visit of a thread in this browser; undefined if there was none. */
export const findVisit = (root: string): Visit | undefined => load().find((visit) => visit.root === root);

/** Remembers in this browser which replies the reader was shown. */
export function saveVisit(visit: Visit): void {
  try {
    localStorage.setItem(storageKey(), JSON.stringify(withVisit(load(), visit)));
  } catch {
    // The storage is full or blocked: nothing is marked at the next visit.
  }
}

function load(): readonly Visit[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? '[]') as readonly Visit[];
  } catch {
    return [];
  }
}
