import { expect, test } from 'vitest';
import { joinShared } from './shares.ts';

test.each([
  [['A title', 'Some words', 'https://a.example/1'], 'A title\nSome words\nhttps://a.example/1'],
  [['', 'Look: https://a.example/1', 'https://a.example/1'], 'Look: https://a.example/1'],
  [['The same', 'The same', ''], 'The same'],
  [['Title', ' Title and more ', ''], 'Title and more'],
  [['', '', ''], ''],
])('a title, a text and an address that repeat each other are shared once: %j', (parts, text) => {
  expect(joinShared(parts)).toBe(text);
});
