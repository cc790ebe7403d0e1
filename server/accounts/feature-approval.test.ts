import { expect, test } from 'vitest';
import { approvalOf, featurePolicyOf, hangsOnFollows, nobody } from './feature-approval.ts';

const remote = { domain: 'b.test', discoverable: null, locked: false };
const local = { domain: null, discoverable: true, locked: false, feature_automatic: null, feature_manual: null };

test('an account of this server agrees by its settings', () => {
  expect(featurePolicyOf(local)).toEqual({ automatic: ['public'], manual: [] });
  expect(featurePolicyOf({ ...local, locked: true })).toEqual({ automatic: ['followers'], manual: [] });
  expect(featurePolicyOf({ ...local, discoverable: false })).toEqual(nobody);
  expect(featurePolicyOf({ ...local, discoverable: null })).toEqual(nobody);
});

test('an account of another server agrees by what its actor says, or has not said anything', () => {
  expect(featurePolicyOf({ ...remote, feature_automatic: null, feature_manual: null })).toBeUndefined();
  expect(featurePolicyOf({ ...remote, feature_automatic: [], feature_manual: ['public'] })).toEqual({
    automatic: [],
    manual: ['public'],
  });
  expect(approvalOf(undefined)).toBe('missing');
  expect(approvalOf(undefined, { own: true })).toBe('missing');
});

test('what a rule means depends on who follows whom, the automatic before the manual', () => {
  const mixed = { automatic: ['followers'], manual: ['following'] } as const;
  expect(approvalOf(mixed)).toBe('denied');
  expect(approvalOf(mixed, { follower: true })).toBe('automatic');
  expect(approvalOf(mixed, { followed: true })).toBe('manual');
  expect(approvalOf(mixed, { own: true })).toBe('automatic');
  expect(approvalOf({ automatic: ['unsupported_policy'], manual: [] })).toBe('unknown');
  expect(approvalOf({ automatic: ['unsupported_policy'], manual: ['public'] })).toBe('manual');
  expect(approvalOf(nobody, { own: true, follower: true, followed: true })).toBe('denied');
  expect(hangsOnFollows(mixed)).toBe(true);
  expect(hangsOnFollows({ automatic: ['public'], manual: ['unsupported_policy'] })).toBe(false);
});
