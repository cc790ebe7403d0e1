import { expect, test } from 'vitest';
import { featureApprovalFor, featurePolicyOf, dependsOnFollows, emptyFeaturePolicy } from './feature-approval.ts';

const remote = { domain: 'b.test', discoverable: null, locked: false };
const stranger = { isSelf: false, isFollower: false, isFollowed: false };
const local = { domain: null, discoverable: true, locked: false, feature_automatic: null, feature_manual: null };

test('the settings of a local account decide who may feature it', () => {
  expect(featurePolicyOf(local)).toEqual({ automatic: ['public'], manual: [] });
  expect(featurePolicyOf({ ...local, locked: true })).toEqual({ automatic: ['followers'], manual: [] });
  expect(featurePolicyOf({ ...local, discoverable: false })).toEqual(emptyFeaturePolicy);
  expect(featurePolicyOf({ ...local, discoverable: null })).toEqual(emptyFeaturePolicy);
});

test('the actor document of a remote account decides who may feature it, or omits it', () => {
  expect(featurePolicyOf({ ...remote, feature_automatic: null, feature_manual: null })).toBeUndefined();
  expect(featurePolicyOf({ ...remote, feature_automatic: [], feature_manual: ['public'] })).toEqual({
    automatic: [],
    manual: ['public'],
  });
  expect(featureApprovalFor(undefined)).toBe('missing');
  expect(featureApprovalFor(undefined, { ...stranger, isSelf: true })).toBe('missing');
});

test('a policy depends on follows, and its automatic audience comes first', () => {
  const mixed = { automatic: ['followers'], manual: ['following'] } as const;
  expect(featureApprovalFor(mixed)).toBe('denied');
  expect(featureApprovalFor(mixed, { ...stranger, isFollower: true })).toBe('automatic');
  expect(featureApprovalFor(mixed, { ...stranger, isFollowed: true })).toBe('manual');
  expect(featureApprovalFor(mixed, { ...stranger, isSelf: true })).toBe('automatic');
  expect(featureApprovalFor({ automatic: ['unsupported_policy'], manual: [] })).toBe('unknown');
  expect(featureApprovalFor({ automatic: ['unsupported_policy'], manual: ['public'] })).toBe('manual');
  expect(featureApprovalFor(emptyFeaturePolicy, { isSelf: true, isFollower: true, isFollowed: true })).toBe('denied');
  expect(dependsOnFollows(mixed)).toBe(true);
  expect(dependsOnFollows({ automatic: ['public'], manual: ['unsupported_policy'] })).toBe(false);
});
