import { expect, test } from 'vitest';
import { maxFollows, needsApproval } from './follow-rules.ts';

test('an account may follow 7500 accounts, or a tenth more than it has followers', () => {
  expect(maxFollows(0)).toBe(7500);
  expect(maxFollows(6818)).toBe(7500);
  expect(maxFollows(6819)).toBe(7501);
  expect(maxFollows(100_000)).toBe(110_000);
});

test('ACC-05 ACC-06: a follow is pending if the target is locked or mutes the follower, or the follower is silenced', () => {
  const open = { targetLocked: false, followerSilenced: false, mutedByTarget: false };
  expect(needsApproval(open)).toBe(false);
  expect(needsApproval({ ...open, targetLocked: true })).toBe(true);
  expect(needsApproval({ ...open, followerSilenced: true })).toBe(true);
  expect(needsApproval({ ...open, mutedByTarget: true })).toBe(true);
});
