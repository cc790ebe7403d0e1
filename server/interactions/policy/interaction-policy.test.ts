import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeInteractionPolicy,
  encodeInteractionPolicy,
  interactionPermission,
  interactions,
  openPolicy,
  type InteractionFacts,
  type InteractionGroup,
  type InteractionPolicy,
} from './interaction-policy.ts';

const groups: readonly InteractionGroup[] = ['public', 'followers', 'following', 'mentioned', 'unsupported'];
const someGroups = fc.subarray([...groups]);
const someRules = fc.record({ automatic: someGroups, manual: someGroups });
const somePolicy = fc.record({ favourite: someRules, reply: someRules, reblog: someRules });
const someFacts = fc.record({
  isAuthor: fc.boolean(),
  isFollower: fc.boolean(),
  isFollowed: fc.boolean(),
  isMentioned: fc.boolean(),
});

const stranger: InteractionFacts = { isAuthor: false, isFollower: false, isFollowed: false, isMentioned: false };
const closed = { automatic: [], manual: [] };

const sorted = ({ favourite, reply, reblog }: InteractionPolicy) =>
  [favourite, reply, reblog].map(({ automatic, manual }) => [automatic.toSorted(), manual.toSorted()]);

test('a decoded policy equals the encoded one, and fits into 31 bits', () => {
  fc.assert(
    fc.property(somePolicy, (policy) => {
      const stored = encodeInteractionPolicy(policy);
      expect(sorted(decodeInteractionPolicy(stored))).toEqual(sorted(policy));
      expect(stored === null || (stored >= 0 && stored < 2 ** 31)).toBe(true);
    }),
  );
  expect(encodeInteractionPolicy(openPolicy)).toBeNull();
});

test('authors are always permitted, mentioned accounts may always reply, and more facts never need more approval', () => {
  fc.assert(
    fc.property(somePolicy, someFacts, fc.constantFrom(...interactions), (policy, facts, interaction) => {
      const stored = encodeInteractionPolicy(policy);
      expect(interactionPermission(stored, interaction, { ...facts, isAuthor: true })).toBe('automatic');
      expect(interactionPermission(stored, 'reply', { ...facts, isMentioned: true })).toBe('automatic');
      if (interactionPermission(stored, interaction, stranger) === 'denied') return;
      expect(interactionPermission(stored, interaction, facts)).not.toBe('denied');
    }),
  );
});

test('the rule for the more specific group decides', () => {
  const policy = (automatic: InteractionGroup[], manual: InteractionGroup[]) =>
    encodeInteractionPolicy({ favourite: closed, reply: { automatic, manual }, reblog: closed });
  const follower = { ...stranger, isFollower: true };
  expect(interactionPermission(policy(['followers'], ['public']), 'reply', follower)).toBe('automatic');
  expect(interactionPermission(policy(['followers'], ['public']), 'reply', stranger)).toBe('manual');
  expect(interactionPermission(policy(['public'], ['followers']), 'reply', follower)).toBe('manual');
  expect(interactionPermission(policy(['followers'], ['followers']), 'reply', follower)).toBe('automatic');
  expect(interactionPermission(policy(['following'], []), 'reply', follower)).toBe('denied');
  expect(interactionPermission(policy(['unsupported'], []), 'reply', stranger)).toBe('manual');
  expect(interactionPermission(policy(['public'], []), 'favourite', stranger)).toBe('denied');
});
