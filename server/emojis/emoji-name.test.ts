import { expect, test } from 'vitest';
import { normalizeEmoji } from './emoji-name.ts';

test.each([
  ['👍', '👍'],
  ['👍🏽', '👍🏽'],
  ['❤', '❤️'],
  ['❤️', '❤️'],
  ['👩‍🚀', '👩‍🚀'],
  ['🇨🇭', '🇨🇭'],
  ['#️⃣', '#️⃣'],
])('ANN-02: %s is an emoji', (text, name) => {
  expect(normalizeEmoji(text)).toBe(name);
});

test.each(['', 'a', '1', '#', 'thumbsup', '👍👍', ' 👍', '👍 ', '\uFE0F', '🇨'])('ANN-02: "%s" is no emoji', (text) => {
  expect(normalizeEmoji(text)).toBeUndefined();
});
