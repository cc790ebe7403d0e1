import { expect, test } from 'vitest';
import {
  decodeQuotePolicy,
  quotePolicyDependencies,
  quotePolicyFromSetting,
  quotePermission,
  encodeQuotePolicy,
} from './quote-policy.ts';

const unrelatedAccount = { visibility: 'public', isAuthor: false, isFollower: false, isFollowed: false };

test('a decoded policy equals the encoded one', () => {
  const policy = encodeQuotePolicy(['followers', 'following'], ['public', 'unsupported_policy']);
  expect(decodeQuotePolicy(policy)).toEqual({
    automatic: ['followers', 'following'],
    manual: ['unsupported_policy', 'public'],
  });
  expect(decodeQuotePolicy(0)).toEqual({ automatic: [], manual: [] });
  expect(quotePolicyDependencies(policy)).toEqual({ follower: true, followed: true });
  expect(quotePolicyDependencies(encodeQuotePolicy([], ['followers']))).toEqual({ follower: true, followed: false });
});

test('only the author can quote a private or direct post, whatever the setting', () => {
  expect(quotePolicyFromSetting('public', 'unlisted')).toBe(encodeQuotePolicy(['public']));
  expect(quotePolicyFromSetting('nobody', 'public')).toBe(0);
  for (const visibility of ['private', 'direct']) expect(quotePolicyFromSetting('public', visibility)).toBe(0);
  const policy = encodeQuotePolicy(['public']);
  expect(quotePermission({ ...unrelatedAccount, policy, visibility: 'private' })).toBe('denied');
  expect(quotePermission({ ...unrelatedAccount, policy: 0, visibility: 'private', isAuthor: true })).toBe('automatic');
  expect(quotePermission({ ...unrelatedAccount, policy, visibility: 'direct', isAuthor: true })).toBe('denied');
});

test('automatic permission precedes manual permission, and both precede unknown', () => {
  const policy = encodeQuotePolicy(['followers'], ['following', 'unsupported_policy']);
  expect(quotePermission({ ...unrelatedAccount, policy })).toBe('unknown');
  expect(quotePermission({ ...unrelatedAccount, policy, isFollowed: true })).toBe('manual');
  expect(quotePermission({ ...unrelatedAccount, policy, isFollowed: true, isFollower: true })).toBe('automatic');
  expect(quotePermission({ ...unrelatedAccount, policy: encodeQuotePolicy([], ['public']) })).toBe('manual');
  expect(quotePermission({ ...unrelatedAccount, policy: 0, isFollower: true, isFollowed: true })).toBe('denied');
});
