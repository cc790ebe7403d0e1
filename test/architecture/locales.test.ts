import { expect, test } from 'vitest';
import { compareTexts, listLanguages, listRepeated, readFiles } from '../../bin/texts.mjs';
import { locales } from '../../server/platform/i18n/locales.ts';
import type { TextFile } from '../../server/platform/i18n/compile-texts.ts';

const english = readFiles('en');

test('locales/ has a folder for each language of the server', () => {
  expect(listLanguages()).toEqual(locales.toSorted());
});

test.each(locales)(
  '%s has only texts of English, with the same parameters, and plural forms of the language',
  (language) => {
    expect(compareTexts(language, readFiles(language), english).wrong).toEqual([]);
  },
);

test('English has all plural forms, no empty text, and each key in one file', () => {
  expect(compareTexts('en', english, english).missing).toEqual([]);
  expect(listRepeated(english)).toEqual([]);
});

const compare = (language: string, texts: TextFile) => {
  const planted = {
    a: { open: 'Open {{name}}', posts_one: '{{count}} post by {{name}}', posts_other: '{{count}} posts by {{name}}' },
  };
  const file = 'client/core.json';
  return compareTexts(language, new Map([[file, texts]]), new Map([[file, planted]]));
};
const plurals = { posts_one: 'ein Beitrag', posts_other: '{{count}} Beiträge von {{name}}' };

test('a text without translation, or an empty one, is missing but not wrong', () => {
  expect(compare('de', { a: { ...plurals, open: '' } })).toEqual({ missing: ['a.open'], wrong: [] });
  expect(compare('de', {})).toEqual({ missing: ['a.open', 'a.posts_one', 'a.posts_other'], wrong: [] });
  const arabic = compare('ar', { a: { open: '{{name}}', posts_other: '{{name}}: {{count}}' } });
  expect(arabic.missing.toSorted()).toEqual(['few', 'many', 'one', 'two', 'zero'].map((form) => `a.posts_${form}`));
});

test.each<[problem: string, text: TextFile]>([
  ['has the unknown parameter who', { open: '{{who}} öffnen' }],
  ['lacks the parameter name', { open: 'Öffnen' }],
  ['lacks the parameter name', { posts_other: '{{count}} Beiträge' }],
  ['has a brace that is no part of {{name}}', { open: '{name} öffnen' }],
  ['is no text of English, or no plural form of the language', { shut: 'Schließen' }],
  ['is no text of English, or no plural form of the language', { open_one: 'Öffnen' }],
  ['is no text of English, or no plural form of the language', { posts_few: '{{count}}' }],
])('a text that %s is wrong', (problem, text) => {
  const { wrong } = compare('de', { a: { open: '{{name}} öffnen', ...plurals, ...text } });
  expect(wrong).toEqual([expect.stringMatching(/^locales\/de\/client\/core.json: a\.\w+ /)]);
  expect(wrong[0]).toContain(problem);
});
