import { compareIds } from '../store/compare-ids.ts';

/** What catching up knows of a row of home: a post or a boost. Times in milliseconds. */
export interface HomeRow {
  readonly id: string;
  /** The post itself, or what is boosted. */
  readonly statusId: string;
  readonly authorId: string;
  /** Who brought it to home: who boosted it, or the author. */
  readonly byId: string;
  readonly isBoost: boolean;
  /** The post to which it replies. */
  readonly parentId: string | null;
  readonly hasMedia: boolean;
  readonly at: number;
  /** How long it takes to read. */
  readonly seconds: number;
}

/** A post with all rows of home that show it: boosts are merged. */
export interface MergedPost {
  readonly statusId: string;
  /** Oldest first. */
  readonly rows: readonly HomeRow[];
  /** Who boosted it, first boost first. */
  readonly boosterIds: readonly string[];
}

/** What is read at once: a post, or the posts of a thread, oldest first. */
export interface Entry {
  readonly key: string;
  readonly posts: readonly MergedPost[];
  /** Who wrote the first post, or first boosted it. */
  readonly byId: string;
  /** When its newest row appeared. */
  readonly at: number;
}

/** What a person brought to home. */
export interface PersonGroup {
  readonly accountId: string;
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly postCount: number;
  readonly at: number;
}

export const kinds = ['all', 'posts', 'replies', 'boosts', 'media'] as const;
export type Kind = (typeof kinds)[number];

/** Whether a row is of a kind. Each row is one of posts, replies and boosts, and may have media. */
export function isOfKind(row: HomeRow, kind: Kind): boolean {
  switch (kind) {
    case 'all':
      return true;
    case 'boosts':
      return row.isBoost;
    case 'replies':
      return !row.isBoost && row.parentId !== null;
    case 'posts':
      return !row.isBoost && row.parentId === null;
    case 'media':
      return row.hasMedia;
  }
}

/** Returns each post once, with its boosts; oldest first. */
export function mergeRows(rows: readonly HomeRow[]): readonly MergedPost[] {
  const byPost = Map.groupBy(
    rows.toSorted((one, other) => compareIds(one.id, other.id)),
    ({ statusId }) => statusId,
  );
  return [...byPost]
    .map(([statusId, all]) => ({
      statusId,
      rows: all,
      boosterIds: [...new Set(all.filter(({ isBoost }) => isBoost).map(({ byId }) => byId))],
    }))
    .toSorted((one, other) => compareIds(one.statusId, other.statusId));
}

/** Returns what is read at once: posts that reply to each other, or to the same post, are one entry. */
export function foldThreads(posts: readonly MergedPost[]): readonly Entry[] {
  const roots = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = roots.get(root); next !== undefined; next = roots.get(root)) root = next;
    return root;
  };
  for (const { statusId, rows } of posts) {
    const parentId = rows[0]?.parentId ?? null;
    if (parentId === null) continue;
    const [root, parentRoot] = [rootOf(statusId), rootOf(parentId)];
    if (root !== parentRoot) roots.set(root, parentRoot);
  }
  const threads = Map.groupBy(posts, ({ statusId }) => rootOf(statusId));
  return [...threads.values()].flatMap((thread) => {
    const [first] = thread;
    if (first === undefined) return [];
    const own = first.rows.find(({ isBoost }) => !isBoost) ?? first.rows[0];
    const at = Math.max(...thread.flatMap(({ rows }) => rows.map((row) => row.at)));
    return [{ key: first.statusId, posts: thread, byId: own?.byId ?? '', at }];
  });
}

/** Newest first; of the same time, in the order of ids, so that the order does not depend on how the rows were loaded. */
const byTime = (one: Entry, other: Entry): number => other.at - one.at || compareIds(other.key, one.key);

/** Returns what each person brought to home. The person with the newest entry is first. */
export function groupByPerson(rows: readonly HomeRow[]): readonly PersonGroup[] {
  const entries = foldThreads(mergeRows(rows)).toSorted(byTime);
  return [...Map.groupBy(entries, ({ byId }) => byId)].map(([accountId, own]) => ({
    accountId,
    entries: own,
    postCount: own.reduce((sum, { posts }) => sum + posts.length, 0),
    at: own[0]?.at ?? 0,
  }));
}

/** Returns the groups with those first who post least: in posts a day, usually or in this time, whichever is more. */
export function sortByRarity(
  groups: readonly PersonGroup[],
  usualRateOf: (accountId: string) => number,
  days: number,
): readonly PersonGroup[] {
  const rates = new Map(
    groups.map(({ accountId, postCount }) => [accountId, Math.max(usualRateOf(accountId), postCount / days)]),
  );
  const rateOf = ({ accountId }: PersonGroup): number => rates.get(accountId) ?? 0;
  return groups.toSorted((one, other) => rateOf(one) - rateOf(other));
}

/** Returns how many posts rows show, and how long these take to read in minutes, at least one. */
export function measureLength(rows: readonly HomeRow[]): { readonly count: number; readonly minutes: number } {
  const secondsByPost = new Map(rows.map(({ statusId, seconds }) => [statusId, seconds]));
  const seconds = [...secondsByPost.values()].reduce((sum, one) => sum + one, 0);
  return { count: secondsByPost.size, minutes: Math.max(1, Math.round(seconds / 60)) };
}
