import keywords from 'emojilib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import groups from 'unicode-emoji-json/data-by-group.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { locales, type Locale } from '../i18n/translate.tsx';
import { suggestEmojis } from './completion.ts';
import { foldText, listEmojis, rankEmoji, type EmojiNames } from './list-emojis.ts';

const translated = locales.filter((locale) => locale !== 'en');

function namesIn(locale: Locale): EmojiNames | undefined {
  if (locale === 'en') return undefined;
  const file = join(import.meta.dirname, 'emoji-names', `${locale}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as EmojiNames;
}

const emojisIn = (locale: Locale) => listEmojis({ groups, keywords, names: namesIn(locale) });
const found = (locale: Locale, query: string) =>
  suggestEmojis(query, [], emojisIn(locale)).map(({ text, name }) => `${text} ${name}`);

test('every emoji has a name in every language, and no two have the same', () => {
  for (const locale of locales) {
    const emojis = emojisIn(locale);
    expect(emojis.length).toBeGreaterThan(1_800);
    expect(emojis.filter(({ name }) => !/[\p{L}\p{N}]/u.test(name) || /[↑_]/.test(name))).toEqual([]);
    const shared = [...Map.groupBy(emojis, ({ name }) => name).values()].filter((group) => group.length > 1);
    expect(shared.map((group) => group.map(({ emoji, name }) => `${locale} ${emoji} ${name}`))).toEqual([]);
  }
});

test('the names of each language are those of all emojis that are listed, and no others', () => {
  const listed = groups.flatMap(({ emojis }) => emojis.map(({ emoji }) => emoji));
  for (const locale of translated) expect(Object.keys(namesIn(locale) ?? {})).toEqual(listed);
});

test('names are in the script of their language, or short ones such as CD', () => {
  const scripts = { ar: /\p{Script=Arabic}/u, ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u } as const;
  for (const locale of ['ar', 'ja'] as const) {
    const others = emojisIn(locale).filter(({ name }) => !scripts[locale].test(name) && name.length > 5);
    expect(others.map(({ emoji, name }) => `${emoji} ${name}`)).toEqual([]);
  }
});

test('emojis are found in the language of the client and in English', () => {
  expect(found('de', 'rotes_herz')).toEqual(['❤️ rotes Herz']);
  expect(found('de', 'red_heart')[0]).toBe('❤️ rotes Herz');
  expect(found('fr', 'coeur rou')[0]).toBe('❤️ cœur rouge');
  expect(found('es', 'corazon rojo')[0]).toBe('❤️ corazón rojo');
  expect(found('pt', 'coracao vermelho')[0]).toBe('❤️ coração vermelho');
  expect(found('ja', 'ねこのかお')).toEqual([]);
  expect(found('ja', 'ねこの')[0]).toBe('🐱 ネコの顔');
  expect(found('ar', 'قلب احمر')[0]).toBe('❤️ قلب أحمر');
  expect(found('en', 'thumbsup')[0]).toBe('👍 thumbs up');
});

test('an emoji without a name in a language has its English one', () => {
  const [first] = listEmojis({ groups, keywords, names: {} });
  expect(first).toMatchObject({ emoji: '😀', name: 'grinning face', group: 'smileys_emotion' });
});

test('custom emojis are found by their shortcodes, those that begin with the query first', () => {
  const unicode = emojisIn('en');
  const custom = [{ shortcode: 'red_panda', static_url: '/red.png' }];
  expect(suggestEmojis('red_pa', custom, unicode)[0]).toMatchObject({ text: ':red_panda:', image: '/red.png' });
  expect(suggestEmojis('bird', custom, unicode)[0]?.name).toBe('bird');
});

test('a search ignores case, accents, vowel signs and the kind of kana', () => {
  expect(foldText('Größe Cœur Été_là')).toBe('grosse coeur ete la');
  expect(foldText('ガラス ｶﾞﾗｽ がらす')).toBe('がらす がらす がらす');
  expect(foldText('أَحْمَر وردة')).toBe('احمر ورده');
});

test('beginnings of names are better matches than beginnings of words, and these than parts', () => {
  const words = ['rotes herz liebe', 'red heart'];
  const ranks = ['rotes', 'red', 'herz', 'heart', 'erz', 'redheart', 'blau'].map((query) => rankEmoji(words, query));
  expect(ranks).toEqual([0, 0, 1, 1, 2, 2, undefined]);
});
