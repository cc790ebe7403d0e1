import type { StatusId } from '../../platform/ids.ts';

/** An entry of a home or list feed. */
export interface FeedEntry {
  readonly id: StatusId;
  /** The reblogged status; undefined for other entries. */
  readonly reblogOfId: StatusId | undefined;
}

/** A reblog is hidden if the status, or another reblog of it, is among this many earlier entries. */
export const repeatDistance = 40;

/**
 * Returns the ids of the first `count` entries (newest first) without repeated reblogs. `entries` must hold
 * `repeatDistance` older ones after these, unless the feed ends.
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
