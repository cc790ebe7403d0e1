import { expect, test } from 'vitest';
import { countPost } from './count-post.ts';

const count = (text: string, warning?: string): number =>
  countPost({ text, warning: warning ?? '', hasWarning: warning !== undefined });

test('a link counts 23 characters, whatever its length', () => {
  expect(count('https://example.com/a-very-long-path/that-does-not-matter?at=all')).toBe(23);
  expect(count('see https://a.example (or not)')).toBe('see  (or not)'.length + 23);
});

test('a remote mention counts its local part only', () => {
  expect(count('@bob@remote.example hello')).toBe('@bob hello'.length);
  expect(count('@bob@münchen.de')).toBe('@bob'.length);
  expect(count('bob@remote.example')).toBe('bob@remote.example'.length);
});

test('a family emoji and an accent are one character each', () => {
  expect(count('👩‍👩‍👧‍👦é')).toBe(2);
});

test('a shown content warning counts, and spaces around texts do not', () => {
  expect(count('  text\n', ' spoiler ')).toBe('textspoiler'.length);
  expect(countPost({ text: 'text', warning: 'hidden', hasWarning: false })).toBe(4);
});
