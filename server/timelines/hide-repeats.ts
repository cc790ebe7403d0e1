import type { StatusId } from '../platform/ids.ts';

/** A place in a home feed. */
export interface FeedEntry {
  readonly id: StatusId;
  /** The reblogged status, when the entry is a reblog. */
  readonly reblogOfId: StatusId | undefined;
}

/** A reblog is not shown when the post, or another reblog of it, is among so many entries before it. */
export const repeatDistance = 40;

/**
 * The ids to show of the first `count` entries of `entries` (newest first): reblogs of what stands among the
 * `repeatDistance` entries that came before them are left out. To decide about all of them, `entries` must go on so
 * much further, unless the feed ends.
 */
export function hideRepeats(entries: readonly FeedEntry[], count: number): StatusId[] {
  const shown: StatusId[] = [];
  for (let index = 0; index < Math.min(count, entries.length); index += 1) {
    const entry = entries[index];
    if (entry === undefined || isRepeat(entries, index, entry.reblogOfId)) continue;
    shown.push(entry.id);
  }
  return shown;
}

function isRepeat(entries: readonly FeedEntry[], index: number, original: StatusId | undefined): boolean {
  if (original === undefined) return false;
  const end = Math.min(index + repeatDistance, entries.length - 1);
  for (let before = index + 1; before <= end; before += 1) {
    const entry = entries[before];
    if (entry?.id === original || entry?.reblogOfId === original) return true;
  }
  return false;
}
