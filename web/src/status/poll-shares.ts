import type { Poll } from '../api/entities.ts';

/** Returns the share of an option, from 0 to 1: of the voters if several could be chosen. Undefined while it is secret. */
export function shareOf(
  poll: Pick<Poll, 'options' | 'votes_count' | 'voters_count'>,
  index: number,
): number | undefined {
  const votes = poll.options[index]?.votes_count;
  if (votes === undefined || votes === null) return undefined;
  const all = poll.voters_count ?? poll.votes_count;
  return all === 0 ? 0 : Math.min(1, votes / all);
}
