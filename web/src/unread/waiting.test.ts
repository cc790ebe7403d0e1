import { expect, test } from 'vitest';
import { sumOfDecisions } from './waiting.ts';

test('what somebody has to decide about is counted, as far as the role may see it', () => {
  const nothing = { reports: 0, held_posts: 0, sign_ups: 0, appeals: 0, trends: 0, failed_jobs: 0, failing_hosts: 0 };
  expect(sumOfDecisions(nothing)).toBe(0);
  expect(sumOfDecisions({ ...nothing, reports: 2, appeals: 1, trends: 4, failing_hosts: 70 })).toBe(7);
  expect(sumOfDecisions({ ...nothing, reports: null, held_posts: null, sign_ups: 3 })).toBe(3);
});
