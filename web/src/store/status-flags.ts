import type { Status } from '../api/entities.ts';

/** What the reader can set on a status. */
export type Flag = 'favourited' | 'reblogged' | 'bookmarked' | 'muted' | 'pinned';

const counters = { favourited: 'favourites_count', reblogged: 'reblogs_count' } as const;

/** Returns what changes in a status when the reader sets or removes a flag: the flag, and its counter. */
export function flagChange(status: Status, flag: Flag, isSet: boolean): Partial<Status> {
  const counter = flag === 'favourited' || flag === 'reblogged' ? counters[flag] : undefined;
  if (counter === undefined || status[flag] === isSet) return { [flag]: isSet };
  return { [flag]: isSet, [counter]: Math.max(0, status[counter] + (isSet ? 1 : -1)) };
}
