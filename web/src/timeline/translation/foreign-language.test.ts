import { expect, test } from 'vitest';
import { canTranslate, isForeign } from './foreign-language.ts';

test.each([
  ['de', ['en'], true],
  ['de-AT', ['en', 'de-DE'], false],
  ['EN', ['en-GB'], false],
  [null, ['en'], false],
  ['', ['en'], false],
  ['fr', [null, ''], true],
])('a post in %s is foreign to readers of %j: %s', (language, read, expected) => {
  expect(isForeign(language, read)).toBe(expected);
});

test('only posts are offered that the service translates into the language of the client', () => {
  const targets = { de: ['en', 'pt-BR'], 'zh-TW': ['en'] };
  expect(canTranslate(targets, 'de-AT', 'en')).toBe(true);
  expect(canTranslate(targets, 'de', 'pt')).toBe(true);
  expect(canTranslate(targets, 'zh', 'en')).toBe(true);
  expect(canTranslate(targets, 'de', 'fr')).toBe(false);
  expect(canTranslate(targets, 'fr', 'en')).toBe(false);
});
