import { escapeHtml, Html, rawHtml } from '../http/html.ts';
import { findText, type MessageArguments, type MessageKey } from './catalogue.ts';
import { mapText } from './fill-text.ts';
import { chooseLocale, locales, type Locale } from './locales.ts';
import { message, renderValue, type MessageValue } from './message.ts';

/** The texts in the language of one reader, for pages and mails: `t('session.signIn')`. */
export interface Translator {
  <Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, MessageValue>): string;
  readonly locale: Locale;
  /** Returns a text as HTML: it is escaped, as are its parameters unless they are HTML. */
  html<Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, MessageValue | Html>): Html;
}

const createTranslator = (locale: Locale): Translator =>
  Object.assign(
    <Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, MessageValue>) =>
      message(key, ...args).render(locale),
    {
      locale,
      html: (key: MessageKey, params: Readonly<Record<string, MessageValue | Html>> = {}) =>
        renderHtml(locale, key, params),
    },
  ) as Translator;

function renderHtml(locale: Locale, key: MessageKey, params: Readonly<Record<string, MessageValue | Html>>): Html {
  const parts = mapText(findText(locale, key, params['count'] as number | undefined), escapeHtml, (name) => {
    const value = params[name] ?? '';
    return value instanceof Html ? value.text : escapeHtml(renderValue(value, locale, name));
  });
  return rawHtml(parts.join(''));
}

const translators = new Map(locales.map((locale) => [locale, createTranslator(locale)]));

/** Returns the texts in a language. */
export function translator(locale: Locale): Translator {
  return translators.get(locale) ?? createTranslator(locale);
}

/** Returns the texts for an account with this language tag; in the language `fallback` if it has none. */
export const translatorOf = (tag: string, fallback: Locale): Translator =>
  translator(chooseLocale(tag, undefined, fallback));
