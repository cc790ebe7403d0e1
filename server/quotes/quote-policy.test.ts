import { expect, test } from 'vitest';
import { groupsOf, policyAsks, policyOfChoice, quotePermission, storedPolicy } from './quote-policy.ts';

const stranger = { visibility: 'public', isAuthor: false, isFollower: false, isFollowed: false };

test('a policy comes back as it was stored', () => {
  const policy = storedPolicy(['followers', 'following'], ['public', 'unsupported_policy']);
  expect(groupsOf(policy)).toEqual({
    automatic: ['followers', 'following'],
    manual: ['unsupported_policy', 'public'],
  });
  expect(groupsOf(0)).toEqual({ automatic: [], manual: [] });
  expect(policyAsks(policy)).toEqual({ follower: true, followed: true });
  expect(policyAsks(storedPolicy([], ['followers']))).toEqual({ follower: true, followed: false });
});

test('what is not for everybody can be quoted by its author alone, whatever was chosen', () => {
  expect(policyOfChoice('public', 'unlisted')).toBe(storedPolicy(['public']));
  expect(policyOfChoice('nobody', 'public')).toBe(0);
  for (const visibility of ['private', 'direct']) expect(policyOfChoice('public', visibility)).toBe(0);
  const policy = storedPolicy(['public']);
  expect(quotePermission({ ...stranger, policy, visibility: 'private' })).toBe('denied');
  expect(quotePermission({ ...stranger, policy: 0, visibility: 'private', isAuthor: true })).toBe('automatic');
  expect(quotePermission({ ...stranger, policy, visibility: 'direct', isAuthor: true })).toBe('denied');
});

test('who may quote at once goes before who has to ask, and both before what nobody can tell', () => {
  const policy = storedPolicy(['followers'], ['following', 'unsupported_policy']);
  expect(quotePermission({ ...stranger, policy })).toBe('unknown');
  expect(quotePermission({ ...stranger, policy, isFollowed: true })).toBe('manual');
  expect(quotePermission({ ...stranger, policy, isFollowed: true, isFollower: true })).toBe('automatic');
  expect(quotePermission({ ...stranger, policy: storedPolicy([], ['public']) })).toBe('manual');
  expect(quotePermission({ ...stranger, policy: 0, isFollower: true, isFollowed: true })).toBe('denied');
});
