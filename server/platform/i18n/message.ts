import { findText, type MessageArguments, type MessageKey } from './catalogue.ts';
import { fillText } from './fill-text.ts';
import { locales, textDirection, type Locale } from './locales.ts';

/** A parameter of a text. Messages are rendered in the language of the text; the items of a list are separated by the commas of the language. */
export type MessageValue = string | number | Message | readonly Message[];
export type MessageParams = Readonly<Record<string, MessageValue>>;

/** A text whose language is chosen later: errors are thrown without knowing who reads them. */
export class Message {
  readonly #render: (locale: Locale) => string;

  constructor(render: (locale: Locale) => string) {
    this.#render = render;
  }

  render(locale: Locale): string {
    return this.#render(locale);
  }

  /** Returns the text in the default language, for logs and the command line. */
  toString(): string {
    return this.#render(locales[0]);
  }
}

/** Returns the message with this key. */
export function message<Key extends MessageKey>(key: Key, ...args: MessageArguments<Key, MessageValue>): Message {
  const [params = {}] = args as readonly [MessageParams?];
  return new Message((locale) => renderMessage(locale, key, params));
}

/** Returns a message that is the same in every language: a name, or a text for programs and for their developers. */
export const verbatim = (text: string): Message => new Message(() => text);

/** Returns a message as it is, or that of a key with its parameters. */
export function toMessage(text: Message | MessageKey, params: MessageParams = {}): Message {
  return text instanceof Message ? text : new Message((locale) => renderMessage(locale, text, params));
}

/** Serializes JSON with its messages in a language. */
export const stringifyLocalized = (value: unknown, locale: Locale): string =>
  JSON.stringify(value, (_key, item: unknown) => (item instanceof Message ? item.render(locale) : item));

function renderMessage(locale: Locale, key: MessageKey, params: MessageParams): string {
  const text = findText(locale, key, params['count'] as number | undefined);
  return fillText(text, (name) => renderValue(params[name] ?? '', locale, name));
}

const listSeparators: Partial<Record<Locale, string>> = { ar: '، ', ja: '、' };

/** Renders a parameter of a text in its language. `count` has the separators of that language. */
export function renderValue(value: MessageValue, locale: Locale, name: string): string {
  const text = renderPlain(value, locale, name);
  return typeof value === 'string' && textDirection(locale) === 'rtl' ? isolate(text) : text;
}

/** Keeps a handle, a hashtag or a date in a text from right to left in its own order. Programs must find links as they are. */
const isolate = (text: string): string => (text === '' || URL.canParse(text) ? text : `\u2068${text}\u2069`);

function renderPlain(value: MessageValue, locale: Locale, name: string): string {
  if (value instanceof Message) return value.render(locale);
  if (typeof value === 'object') return value.map((item) => item.render(locale)).join(listSeparators[locale] ?? ', ');
  return typeof value === 'number' && name === 'count' ? value.toLocaleString(locale) : String(value);
}
