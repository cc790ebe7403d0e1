import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTexts } from '../../../locales/keys.d.ts';
import { compileTexts, type Plural, type Text, type TextFile, type Texts } from './compile-texts.ts';
import { chooseForm, type TextArguments } from './fill-text.ts';
import { locales, type Locale } from './locales.ts';

/** `domain.name` of a text. */
export type MessageKey = keyof ServerTexts;

/** The parameters of a text; for a union of keys, those of all its texts. */
export type MessageArguments<Key extends MessageKey, Value> = TextArguments<ServerTexts[Key], Value>;

const folder = join(import.meta.dirname, '..', '..', '..', 'locales');

interface Catalogue {
  readonly texts: Texts;
  readonly pluralRules: Intl.PluralRules;
}

/** The languages that were read since the start. */
const loaded = new Map<Locale, Catalogue>();

/** Returns a text in the plural form for `count`; in English if it has no translation. */
export function findText(locale: Locale, key: MessageKey, count = 0): Text {
  const { texts, pluralRules } = catalogueOf(locale);
  return chooseForm(texts.get(key) ?? findEnglish(key) ?? key, pluralRules, count);
}

/** Whether there is a text with this key. */
export const isMessageKey = (key: string): key is MessageKey => findEnglish(key) !== undefined;

const findEnglish = (key: string): Text | Plural | undefined => catalogueOf(locales[0]).texts.get(key);

function catalogueOf(locale: Locale): Catalogue {
  const found = loaded.get(locale) ?? loadCatalogue(locale);
  loaded.set(locale, found);
  return found;
}

function loadCatalogue(locale: Locale): Catalogue {
  const files = globSync('*/*.json', { cwd: join(folder, locale) });
  const contents = files.map((file) => JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as TextFile);
  return { texts: compileTexts(contents), pluralRules: new Intl.PluralRules(locale) };
}
