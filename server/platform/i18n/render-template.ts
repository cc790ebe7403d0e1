import type { MessageKey } from './catalogue.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Locale } from './locales.ts';
import type { Catalogue, Plural } from './catalogue.ts';

const catalogues: Readonly<Record<Locale, Catalogue>> = { en, de };
const pluralRules: Readonly<Record<Locale, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  de: new Intl.PluralRules('de'),
};

/** Returns the template of a text, in the plural form for `count`. */
export function findTemplate(locale: Locale, key: MessageKey, count: number | undefined): string {
  const [domain, name] = splitKey(key);
  const texts: Readonly<Record<string, string | Plural>> = catalogues[locale][domain];
  const text = texts[name] ?? '';
  if (typeof text === 'string') return text;
  return pluralRules[locale].select(count ?? 0) === 'one' ? text.one : text.other;
}

function splitKey(key: MessageKey): readonly [domain: keyof Catalogue, name: string] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot) as keyof Catalogue, key.slice(dot + 1)];
}

/** Replaces the names in braces. */
export const fillTemplate = (template: string, valueOf: (name: string) => string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
