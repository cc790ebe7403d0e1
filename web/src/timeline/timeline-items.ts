import { compareIds } from '../store/compare-ids.ts';

/** A row of a timeline: a post, or a gap between posts that can be loaded. */
export type TimelineItem =
  | { readonly kind: 'status'; readonly id: string }
  /** Posts that are older than `below` and newer than `above`. */
  | { readonly kind: 'gap'; readonly below: string; readonly above: string };
export type Gap = Extract<TimelineItem, { kind: 'gap' }>;

/** A page of posts, newest first. `isFull`: there may be more beyond its end. */
export interface LoadedPage {
  readonly ids: readonly string[];
  readonly isFull: boolean;
}

export const toItems = (ids: readonly string[]): TimelineItem[] => ids.map((id) => ({ kind: 'status', id }));

/** Returns the ids of the posts among the items. */
export const idsOf = (items: readonly TimelineItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'status' ? [item.id] : []));

/** Returns the posts among the items that are newer than a post; none if there is no such post. */
export const newerThan = (items: readonly TimelineItem[], id: string | undefined): TimelineItem[] =>
  toItems(idsOf(items).filter((other) => id !== undefined && compareIds(other, id) > 0));

/** Returns the items whose posts are not known yet. */
export function withoutKnown(
  items: readonly TimelineItem[],
  ...known: readonly (readonly TimelineItem[])[]
): TimelineItem[] {
  const ids = new Set(known.flatMap(idsOf));
  return items.filter((item) => item.kind === 'gap' || !ids.has(item.id));
}

interface Missed {
  /** The posts below the waiting ones. */
  readonly shown: readonly TimelineItem[];
  /** The newest post that was known before. */
  readonly since: string;
  /** Whether a page was added before: then the waiting posts below this one are complete. */
  readonly isRepeated: boolean;
}

/**
 * Adds the newest posts since a known one to the waiting ones, which may have got some of them otherwise. Sorted, newest
 * first. If the page is full, a gap is left where more posts may be missing.
 */
export function addMissed(
  waiting: readonly TimelineItem[],
  { ids, isFull }: LoadedPage,
  { shown, since, isRepeated }: Missed,
): readonly TimelineItem[] {
  const known = [...idsOf(waiting), ...idsOf(shown), since];
  const missed: TimelineItem[] = withoutKnown(toItems(ids), waiting, shown);
  const oldest = ids.at(-1);
  if (isFull && oldest !== undefined && !(isRepeated && known.includes(oldest))) {
    const newer = idsOf(waiting).filter((id) => compareIds(id, since) > 0);
    const below = isRepeated ? oldest : ([...newer, oldest].toSorted(compareIds)[0] ?? oldest);
    const older = known.filter((id) => compareIds(id, below) < 0);
    missed.push({ kind: 'gap', below, above: older.toSorted(compareIds).at(-1) ?? since });
  }
  // A stable sort keeps a gap below its post.
  const idOf = (item: TimelineItem): string => (item.kind === 'gap' ? item.below : item.id);
  return [...waiting, ...missed].toSorted((one, other) => compareIds(idOf(other), idOf(one)));
}

/** Replaces a gap with posts from its newer end. What is left of it stays below them. */
export function fillGap(items: readonly TimelineItem[], gap: Gap, { ids, isFull }: LoadedPage): TimelineItem[] {
  const oldest = ids.at(-1);
  const rest = isFull && oldest !== undefined ? [{ ...gap, below: oldest }] : [];
  return replaceGap(items, gap, [...withoutKnown(toItems(ids), items), ...rest]);
}

/** Replaces a gap with posts from its older end. What is left of it stays above them. */
export function fillGapUpwards(items: readonly TimelineItem[], gap: Gap, { ids, isFull }: LoadedPage): TimelineItem[] {
  const newest = ids[0];
  const rest = isFull && newest !== undefined ? [{ ...gap, above: newest }] : [];
  return replaceGap(items, gap, [...rest, ...withoutKnown(toItems(ids), items)]);
}

const replaceGap = (items: readonly TimelineItem[], gap: Gap, replacement: readonly TimelineItem[]): TimelineItem[] =>
  items.flatMap((item) => (item === gap ? replacement : [item]));

/** Joins the newest page with posts around an older position: with a gap between them if they do not overlap. */
export function joinPages(newest: LoadedPage, around: LoadedPage): TimelineItem[] {
  const oldest = newest.ids.at(-1);
  const newestAround = around.ids[0];
  if (oldest === undefined || newestAround === undefined) return toItems([...newest.ids, ...around.ids]);
  if (newest.isFull && around.isFull && compareIds(newestAround, oldest) < 0)
    return [...toItems(newest.ids), { kind: 'gap', below: oldest, above: newestAround }, ...toItems(around.ids)];
  const all = [...new Set([...newest.ids, ...around.ids])];
  return toItems(all.toSorted((one, other) => compareIds(other, one)));
}

/** Returns the index of a post; of the next older one if it is no longer there; -1 if there is none. */
export function indexAtOrBelow(items: readonly TimelineItem[], id: string): number {
  const index = items.findIndex((item) => item.kind === 'status' && item.id === id);
  // Bookmarks and favourites are not in the order of their posts' ids.
  return index >= 0 ? index : items.findIndex((item) => item.kind === 'status' && compareIds(item.id, id) <= 0);
}

interface LeftOff {
  /** The newest post that the reader saw. */
  readonly item: TimelineItem;
  /** The posts above it; 0 if some of them are not loaded. */
  readonly newAbove: number;
}

/** Returns where the reader left off; undefined if that post is not loaded, or is the newest one. */
export function findLeftOff(items: readonly TimelineItem[], readId: string): LeftOff | undefined {
  const index = indexAtOrBelow(items, readId);
  const item = items[index];
  const above = items.slice(0, Math.max(0, index));
  if (item === undefined || above.length === 0) return undefined;
  return { item, newAbove: above.every(({ kind }) => kind === 'status') ? above.length : 0 };
}
