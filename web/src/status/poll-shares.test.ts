import { expect, test } from 'vitest';
import { shareOf } from './poll-shares.ts';

const poll = (votes: readonly (number | null)[], voters: number | null) => ({
  options: votes.map((count) => ({ title: 'An option', votes_count: count })),
  votes_count: votes.reduce<number>((sum, count) => sum + (count ?? 0), 0),
  voters_count: voters,
});

test('shares are those of the voters, or of the votes if voters are not counted', () => {
  expect(shareOf(poll([3, 1], 4), 0)).toBe(0.75);
  expect(shareOf(poll([3, 3], 4), 1)).toBe(0.75);
  expect(shareOf(poll([3, 1], null), 1)).toBe(0.25);
});

test('a poll without votes has shares of 0, and secret votes have none', () => {
  expect(shareOf(poll([0, 0], 0), 0)).toBe(0);
  expect(shareOf(poll([null, null], 4), 0)).toBeUndefined();
  expect(shareOf(poll([1], 1), 5)).toBeUndefined();
});
