import { expect, test } from 'vitest';
import { detectLanguage } from './detect-language.ts';
import { findLanguage, languages, regionalForms } from './languages.ts';
import { splitWords } from '../split-words.ts';
import { isTagName, normalizeTag } from '../tag-names.ts';

test('languages are known by code, and a region falls back to its language', () => {
  expect(languages.length).toBeGreaterThan(180);
  expect(findLanguage('en-US')).toBe('en');
  expect(findLanguage('zh_tw')).toBe('zh-TW');
  expect(findLanguage('klingon')).toBeUndefined();
});

test.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['en-US', 'en'],
  ['en_gb', 'en'],
  ['en-Latn-GB-oxendict', 'en'],
  ['de-CH-1996', 'de'],
  ['de_CH.UTF-8', 'de'],
  ['sr@latin', 'sr'],
  [' ja-JP ', 'ja'],
  ['pt-PT', 'pt'],
  ['pt_BR', 'pt-BR'],
  ['pt-Latn-BR', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['nb-NO', 'nb'],
  ['no-NO', 'no'],
  ['sr-Latn-RS', 'sr'],
  ['zh', 'zh'],
  ['zh-cn', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-Hans-HK', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hant-TW', 'zh-TW'],
  ['zh_Hant_HK', 'zh-HK'],
  ['zh-MO', 'zh-HK'],
  ['zh-yue-HK', 'zh-YUE'],
  ['yue', 'zh-YUE'],
  ['yue-Hant-HK', 'zh-YUE'],
  ['cmn-Hant', 'zh-TW'],
  ['iw', 'he'],
  ['IW-il', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  ['sh', 'sr'],
  ['deu', 'de'],
  ['ger', 'de'],
  ['eng-US', 'en'],
  ['jpn', 'ja'],
  ['fil-PH', 'tl'],
  ['arb', 'ar'],
  ['ckb-IQ', 'ckb'],
  ['kmr', 'ku'],
])('the language that is nearest to %j is %s', (tag, code) => {
  expect(findLanguage(tag)).toBe(code);
});

test.each([
  '',
  'und',
  'mul',
  'zxx',
  'xx',
  'english',
  'klingon',
  'i-klingon',
  'x-private',
  '-',
  'e',
  'en US',
  '*',
  '%00',
])('there is no language near %j', (tag) => {
  expect(findLanguage(tag)).toBeUndefined();
});

test('a tag of more than 100 characters is none, so that no text takes long', () => {
  expect(findLanguage(`en.${'a'.repeat(97)}`)).toBe('en');
  expect(findLanguage(`en.${'a'.repeat(98)}`)).toBeUndefined();
  // Took minutes when it was compared with the patterns.
  expect(findLanguage(`${'@a '.repeat(300_000)}\na`)).toBeUndefined();
});

test('every listed language is the nearest to itself, whatever its capitals and separators', () => {
  for (const { code } of languages) {
    for (const tag of [code, code.toUpperCase(), code.toLowerCase().replace('-', '_')]) {
      expect([tag, findLanguage(tag)]).toEqual([tag, code]);
    }
  }
  expect(regionalForms('zh')).toEqual(['zh', 'zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE']);
  expect(regionalForms('en')).toEqual(['en']);
});

test.each([
  'Portrait video',
  'Animated portrait',
  'Important question',
  'Happy birthday Martin',
  'Best restaurant in Paris',
])('a few words are no reason to guess a language: %s', (text) => expect(detectLanguage(text)).toBeUndefined());

test('the language of a text is detected if it is clear', () => {
  expect(detectLanguage('Guten Morgen zusammen, wie geht es euch heute?')).toBe('de');
  expect(detectLanguage('今日はいい天気ですね')).toBe('ja');
  expect(detectLanguage('The quick brown fox jumps over the lazy dog')).toBe('en');
  expect(detectLanguage('ok')).toBeUndefined();
  expect(detectLanguage('')).toBeUndefined();
  expect(detectLanguage('@guten@morgen.example #zusammen https://wie.geht.es/euch/heute')).toBeUndefined();
});

test('hashtags are equal regardless of case and width', () => {
  expect(normalizeTag('#ＡＢＣ')).toBe('abc');
  expect(normalizeTag('Straße')).toBe('straße');
  expect(isTagName('a')).toBe(true);
  expect(isTagName('a-b')).toBe(false);
  expect(isTagName('')).toBe(false);
  expect(isTagName('a'.repeat(300))).toBe(false);
});

test('words are folded, and scripts without spaces are split into characters', () => {
  const fold = (text: string): string[] => splitWords(text).map(({ folded }) => folded);
  expect(fold('Ünïcode, Ｆｕｌｌ-width! don’t foo_bar 3.14')).toEqual(
    'unicode full width don t foo bar 3 14'.split(' '),
  );
  expect(splitWords('Большой')).toEqual([
    { folded: 'большои', accented: 'большой', isCharacter: false, isJoined: false },
  ]);
  expect(splitWords('2つの猫、ok').map(({ folded, isCharacter, isJoined }) => [folded, isCharacter, isJoined])).toEqual(
    [
      ['2', false, false],
      ['つ', true, false],
      ['の', true, true],
      ['猫', true, true],
      ['ok', false, false],
    ],
  );
  expect(fold('학교 ข้าว ကမ္ဘာ 𠮷野家').length).toBe(2 + 4 + 5 + 3);
});
