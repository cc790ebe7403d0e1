import { expect, test } from 'vitest';
import { toggledReactions, withReaction } from './announcements.ts';

const others = [{ name: '🎉', count: 2, me: false }];

test('a reaction of the reader is counted, and removed with its last count', () => {
  const added = toggledReactions(others, '🎉', true);
  expect(added).toEqual([{ name: '🎉', count: 3, me: true }]);
  expect(toggledReactions(added, '🎉', false)).toEqual(others);
  expect(toggledReactions([{ name: '👋', count: 1, me: true }], '👋', false)).toEqual([]);
  expect(toggledReactions([], '👋', true)).toEqual([{ name: '👋', count: 1, me: true }]);
});

test('a count of the stream keeps whether the reader reacted', () => {
  expect(withReaction([{ name: '🎉', count: 2, me: true }], { name: '🎉', count: 5 })).toEqual([
    { name: '🎉', count: 5, me: true },
  ]);
  expect(withReaction(others, { name: '🎉', count: 0 })).toEqual([]);
  expect(withReaction([], { name: '👋', count: 1 })).toEqual([{ name: '👋', count: 1, me: false }]);
});
