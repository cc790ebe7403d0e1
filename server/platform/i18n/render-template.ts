import type { MessageKey } from './catalogue.ts';
import { ar } from './ar/index.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';
import { ja } from './ja/index.ts';
import { pt } from './pt/index.ts';
import type { Locale } from './locales.ts';
import type { Catalogue, Plural } from './catalogue.ts';

const catalogues: Readonly<Record<Locale, Catalogue>> = { en, ar, de, es, fr, ja, pt };
const pluralRules = new Map<Locale, Intl.PluralRules>();

/** Returns the template of a text, in the plural form for `count`. */
export function findTemplate(locale: Locale, key: MessageKey, count: number | undefined): string {
  const [domain, name] = splitKey(key);
  const texts: Readonly<Record<string, string | Plural>> = catalogues[locale][domain];
  const text = texts[name] ?? '';
  if (typeof text === 'string') return text;
  return text[pluralRulesOf(locale).select(count ?? 0)] ?? text.other;
}

function pluralRulesOf(locale: Locale): Intl.PluralRules {
  const rules = pluralRules.get(locale) ?? new Intl.PluralRules(locale);
  pluralRules.set(locale, rules);
  return rules;
}

function splitKey(key: MessageKey): readonly [domain: keyof Catalogue, name: string] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot) as keyof Catalogue, key.slice(dot + 1)];
}

/** Replaces the names in braces. */
export const fillTemplate = (template: string, valueOf: (name: string) => string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
