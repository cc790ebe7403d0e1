import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTexts } from '../../../locales/keys.d.ts';
import { compileTexts, type TextFile, type Texts } from './compile-texts.ts';
import { chooseForm, type Text, type TextArguments } from './fill-text.ts';
import { locales, type Locale } from './locales.ts';

/** `domain.name` of a text. */
export type MessageKey = keyof ServerTexts;

/** The parameters of a text; for a union of keys, those of all its texts. */
export type MessageArguments<Key extends MessageKey, Value> = TextArguments<ServerTexts[Key], Value>;

const folder = join(import.meta.dirname, '..', '..', '..', 'locales');

/** The texts of the server, and those that it shares with the client, by folder. */
const loaded = new Map<string, Texts>();
const pluralRules = new Map<Locale, Intl.PluralRules>();

/** Returns a text in the plural form for `count`; in English if it has no translation. */
export function findText(locale: Locale, key: MessageKey, count = 0): Text {
  const part = textsOf(locales[0], 'server').has(key) ? 'server' : 'client';
  const text = textsOf(locale, part).get(key) ?? textsOf(locales[0], part).get(key) ?? key;
  return chooseForm(text, pluralRulesOf(locale), count);
}

/** Whether there is a text of the server with this key. */
export const isMessageKey = (key: string): key is MessageKey => textsOf(locales[0], 'server').has(key);

/** Returns the texts in a folder. They are read when the first of them is needed. */
function textsOf(locale: Locale, part: 'client' | 'server'): Texts {
  const path = `${locale}/${part}`;
  const texts = loaded.get(path) ?? readTexts(join(folder, path));
  loaded.set(path, texts);
  return texts;
}

const readTexts = (path: string): Texts =>
  compileTexts(readdirSync(path).map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as TextFile));

function pluralRulesOf(locale: Locale): Intl.PluralRules {
  const rules = pluralRules.get(locale) ?? new Intl.PluralRules(locale);
  pluralRules.set(locale, rules);
  return rules;
}
