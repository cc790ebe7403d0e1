import { expect, test } from 'vitest';
import { withReaction } from './with-reaction.ts';

const star = { name: '⭐' };

test('a reaction is added with the count 1, or joins the others', () => {
  expect(withReaction([], star, true)).toEqual([{ name: '⭐', count: 1, me: true }]);
  expect(withReaction([{ name: '⭐', count: 2, me: false }], star, true)).toEqual([{ name: '⭐', count: 3, me: true }]);
});

test('the last reaction disappears when it is removed', () => {
  expect(withReaction([{ name: '⭐', count: 1, me: true }], star, false)).toEqual([]);
  expect(withReaction([{ name: '⭐', count: 2, me: true }], star, false)).toEqual([
    { name: '⭐', count: 1, me: false },
  ]);
});
