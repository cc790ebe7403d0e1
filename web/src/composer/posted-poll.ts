import type { Poll } from '../api/entities.ts';
import type { ComposedPoll } from './composed.ts';

/** Seconds that a poll lasts unless its author chooses. */
export const usualDuration = 86_400;

/** Returns the poll of a post that is edited. Its end and its votes stay unless its author changes them. */
export function postedPoll({ options, multiple, expires_at: end, expired }: Poll): ComposedPoll {
  const titles = options.map(({ title }) => title);
  return {
    options: titles,
    isMultiple: multiple,
    hidesTotals: expired ? undefined : options.some(({ votes_count: votes }) => votes === null),
    duration: undefined,
    posted: { options: titles, isMultiple: multiple, end },
  };
}

/** Returns whether saving the poll deletes the votes that it got. */
export function deletesVotes({ options, isMultiple, posted }: ComposedPoll): boolean {
  if (posted === undefined) return false;
  const written = options.map((option) => option.trim()).filter((option) => option !== '');
  return isMultiple !== posted.isMultiple || JSON.stringify(written) !== JSON.stringify(posted.options);
}

/** Returns whether a poll can keep the end that it has: not a new one, nor another question after the end. */
export function mayKeepEnd(poll: ComposedPoll, now = Date.now()): boolean {
  const { posted } = poll;
  if (posted === undefined) return false;
  return !deletesVotes(poll) || posted.end === null || Date.parse(posted.end) > now;
}

/** Returns how many seconds the poll lasts from now; undefined: it ends when it would have ended. */
export function durationOf(poll: ComposedPoll, now = Date.now()): number | undefined {
  return poll.duration ?? (mayKeepEnd(poll, now) ? undefined : usualDuration);
}
