import { expect, test } from 'vitest';
import { countCharacters, truncateGraphemes } from './count-characters.ts';
import { exceedsLimit, isTooLarge } from './text-limits.ts';

const family = '👨‍👩‍👧‍👦';
/** Ten code points, the longest that people type. */
const kiss = '👩🏻‍❤️‍💋‍👨🏿';
const scotland = '🏴󠁧󠁢󠁳󠁣󠁴󠁿';
const emojis = [family, kiss, scotland, '🇩🇪', '👍🏿', '1️⃣', '🏳️‍🌈', '🧑🏽‍🤝‍🧑🏿', '👩‍❤‍👩', '⛹🏿‍♀️', '❤️‍🔥'];

test('an emoji is one character, whatever its number of code points', () => {
  for (const emoji of emojis) {
    expect(countCharacters(emoji.repeat(500)), emoji).toBe(500);
    expect(exceedsLimit(emoji.repeat(500), 500), emoji).toBe(false);
    expect(exceedsLimit(emoji.repeat(501), 500), emoji).toBe(true);
    expect(exceedsLimit(`${emoji.repeat(499)}a`, 500), emoji).toBe(false);
    expect(exceedsLimit(emoji.repeat(40), 40), emoji).toBe(false);
    expect(exceedsLimit(emoji.repeat(41), 40), emoji).toBe(true);
    expect(isTooLarge(emoji.repeat(500), 500), emoji).toBe(false);
  }
  expect(exceedsLimit(emojis.join('').repeat(45), 500)).toBe(false);
});

test('a limit counts characters, and no character has thousands of code points', () => {
  expect(exceedsLimit('e\u0301'.repeat(500), 500)).toBe(false);
  expect(exceedsLimit('क्षि'.repeat(500), 500)).toBe(false);
  expect(exceedsLimit(`a${'\u0301'.repeat(1_999)}`, 500)).toBe(false);
  expect(exceedsLimit(`a${'\u0301'.repeat(2_000)}`, 500)).toBe(true);
  expect(exceedsLimit(`👍${'\u0301'.repeat(2_000)}`, 500)).toBe(true);
  expect(exceedsLimit(`👍${'\ufe0f'.repeat(2_001)}`, 500)).toBe(true);
  expect(exceedsLimit(`👍${'\u200d'.repeat(2_001)}`, 500)).toBe(true);
  expect(exceedsLimit(Array.from({ length: 2_001 }, () => '👩').join('\u200d'), 500)).toBe(true);
  expect(exceedsLimit(`🏴${'\u{e0061}'.repeat(2_001)}`, 500)).toBe(true);
  expect(exceedsLimit('a'.repeat(501), 500)).toBe(true);
  expect(exceedsLimit('🐦'.repeat(40), 40)).toBe(false);
  expect(exceedsLimit('🐦'.repeat(41), 40)).toBe(true);
});

test('a link counts 23 and a remote mention its name, up to 16 KB of them', () => {
  const links = { links: true };
  const link = (length: number) => `https://long.test/${'a'.repeat(length - 18)}`;
  for (const text of [
    link(2_000),
    `${link(2_000)} ${'a'.repeat(476)}`,
    Array.from({ length: 5 }, () => link(450)).join(' '),
    Array.from({ length: 20 }, () => link(700)).join(' '),
    Array.from({ length: 40 }, (_, index) => `@user${index}@${'long.'.repeat(12)}test`).join(' '),
    `https://far.test/${'ä'.repeat(4_000)}`,
  ]) {
    expect(exceedsLimit(text, 500, links), text).toBe(false);
    expect(isTooLarge(text, 500, links), text).toBe(false);
  }
  expect(exceedsLimit(`${link(2_000)} ${'a'.repeat(477)}`, 500, links)).toBe(true);
  expect(exceedsLimit(`${link(8_200)} ${link(8_200)}`, 500, links)).toBe(false);
  expect(exceedsLimit(`${link(8_300)} ${link(8_300)}`, 500, links)).toBe(true);
  expect(exceedsLimit(link(600), 500)).toBe(true);
});

test('a text is truncated to characters', () => {
  expect(truncateGraphemes('abc', 3)).toBe('abc');
  expect(truncateGraphemes('abcd', 3)).toBe('abc');
  expect(truncateGraphemes(family.repeat(4), 3)).toBe(family.repeat(3));
  expect(truncateGraphemes(family.repeat(3), 3)).toBe(family.repeat(3));
});
