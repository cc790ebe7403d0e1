import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ClientPart, ClientTexts } from '../../../locales/keys.d.ts';
import {
  chooseForm,
  fillText,
  mapText,
  type Plural,
  type Text,
  type TextArguments,
} from '../../../server/platform/i18n/fill-text.ts';

/** The languages of the client. The first one is the default. */
export const locales = ['en', 'de', 'es', 'fr', 'ja', 'pt', 'ar'] as const;
export type Locale = (typeof locales)[number];

const rightToLeft: ReadonlySet<string> = new Set(['ar']);

/** A file of texts. `core` is loaded with the client, the others by the pages that need them. */
export type Part = ClientPart;

/** `domain.name` of a text. */
export type TextKey = keyof ClientTexts;

type Catalogue = Record<string, Readonly<Record<string, Text | Plural>>>;

/** The language of the client. */
export const locale = signal<Locale>('en');
let catalogue: Catalogue = {};
/** Changes when texts were loaded, so that what is shown is rendered with them. */
const version = signal(0);
let pluralRules = new Intl.PluralRules('en');
const loadedParts = new Set<Part>();

// Vite makes one module of each language and part, which web/compile-texts.ts compiles.
const files = import.meta.glob<Catalogue>('./*/client/*.json', { base: '../../../locales', import: 'default' });

/**
 * Loads a part of the texts in the current language; in English if its file cannot be loaded, because that is stored for the
 * time without a connection.
 */
export async function loadTexts(part: Part): Promise<void> {
  if (loadedParts.has(part)) return;
  const wanted = locale.peek();
  const own = await loadFile(wanted, part).catch(() => undefined);
  const texts = own ?? (await loadFile('en', part));
  catalogue = { ...catalogue, ...texts };
  version.value += 1;
  if (own !== undefined) loadedParts.add(part);
}

async function loadFile(language: Locale, part: Part): Promise<Catalogue> {
  const texts = await files[`./${language}/client/${part}.json`]?.();
  if (texts === undefined) throw new Error(`no texts: ${language}/${part}`);
  return texts;
}

/** Sets the language to the best one for a language tag, and loads its texts. */
export async function setLocale(tag: string): Promise<void> {
  const [primary = ''] = tag.toLowerCase().split('-', 1);
  const chosen = locales.find((one) => one === primary) ?? locales[0];
  if (chosen === locale.peek() && loadedParts.size > 0) return;
  const parts = loadedParts.size === 0 ? (['core'] as const) : [...loadedParts];
  loadedParts.clear();
  locale.value = chosen;
  pluralRules = new Intl.PluralRules(chosen);
  await Promise.all(parts.map(loadTexts));
  document.documentElement.lang = chosen;
  document.documentElement.dir = rightToLeft.has(chosen) ? 'rtl' : 'ltr';
}

/** Returns a text in the language of the client. `count` is formatted with separators. */
export function t<Key extends TextKey>(key: Key, ...args: TextArguments<ClientTexts[Key], string | number>): string {
  const [params = {}] = args as readonly [Readonly<Record<string, string | number>>?];
  return fillText(findText(key, params['count']), (name) => formatValue(name, params[name]));
}

/** Returns a text whose parameters are elements. It is one element, so that its words keep their distance in a flex container. */
export function tx<Key extends TextKey>(
  key: Key,
  ...args: TextArguments<ClientTexts[Key], ComponentChildren>
): ComponentChildren {
  const [params = {}] = args as readonly [Readonly<Record<string, ComponentChildren>>?];
  const count = params['count'];
  const parts = mapText<ComponentChildren>(
    findText(key, typeof count === 'number' ? count : undefined),
    (words) => words,
    (name) => {
      const value = params[name];
      return typeof value === 'number' ? formatValue(name, value) : value;
    },
  );
  return <span>{parts}</span>;
}

function findText(key: string, count: string | number | undefined): Text {
  void version.value;
  const dot = key.indexOf('.');
  const text = catalogue[key.slice(0, dot)]?.[key.slice(dot + 1)] ?? key;
  return chooseForm(text, pluralRules, Number(count ?? 0));
}

function formatValue(name: string, value: string | number | undefined): string {
  if (typeof value === 'number' && name === 'count') return formatCount(value);
  return String(value ?? '');
}

const numberFormats = computed(() => ({
  full: new Intl.NumberFormat(locale.value),
  brief: new Intl.NumberFormat(locale.value, { notation: 'compact', maximumFractionDigits: 1 }),
}));

/** Formats a number with the separators of the language. */
export const formatCount = (value: number): string => numberFormats.value.full.format(value);

/** Formats a number briefly: 1.2K. */
export const formatBriefly = (value: number): string => numberFormats.value.brief.format(value);
