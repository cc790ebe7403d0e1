import { expect, test } from 'vitest';
import { featureApprovalFor, featurePolicyOf, dependsOnFollows, emptyFeaturePolicy } from './feature-approval.ts';

const remote = { domain: 'b.test', discoverable: null, locked: false };
const local = { domain: null, discoverable: true, locked: false, feature_automatic: null, feature_manual: null };

test('an account of this server agrees by its settings', () => {
  expect(featurePolicyOf(local)).toEqual({ automatic: ['public'], manual: [] });
  expect(featurePolicyOf({ ...local, locked: true })).toEqual({ automatic: ['followers'], manual: [] });
  expect(featurePolicyOf({ ...local, discoverable: false })).toEqual(emptyFeaturePolicy);
  expect(featurePolicyOf({ ...local, discoverable: null })).toEqual(emptyFeaturePolicy);
});

test('an account of another server agrees by what its actor says, or has not said anything', () => {
  expect(featurePolicyOf({ ...remote, feature_automatic: null, feature_manual: null })).toBeUndefined();
  expect(featurePolicyOf({ ...remote, feature_automatic: [], feature_manual: ['public'] })).toEqual({
    automatic: [],
    manual: ['public'],
  });
  expect(featureApprovalFor(undefined)).toBe('missing');
  expect(featureApprovalFor(undefined, { isSelf: true })).toBe('missing');
});

test('what a rule means depends on who follows whom, the automatic before the manual', () => {
  const mixed = { automatic: ['followers'], manual: ['following'] } as const;
  expect(featureApprovalFor(mixed)).toBe('denied');
  expect(featureApprovalFor(mixed, { isFollower: true })).toBe('automatic');
  expect(featureApprovalFor(mixed, { isFollowed: true })).toBe('manual');
  expect(featureApprovalFor(mixed, { isSelf: true })).toBe('automatic');
  expect(featureApprovalFor({ automatic: ['unsupported_policy'], manual: [] })).toBe('unknown');
  expect(featureApprovalFor({ automatic: ['unsupported_policy'], manual: ['public'] })).toBe('manual');
  expect(featureApprovalFor(emptyFeaturePolicy, { isSelf: true, isFollower: true, isFollowed: true })).toBe('denied');
  expect(dependsOnFollows(mixed)).toBe(true);
  expect(dependsOnFollows({ automatic: ['public'], manual: ['unsupported_policy'] })).toBe(false);
});
