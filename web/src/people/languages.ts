import { request } from '../api/client.ts';
import type { Language } from '../api/entities.ts';
import { locale } from '../i18n/translate.tsx';

let languages: Promise<readonly Language[]> | undefined;

/** Loads the languages that a post can have, sorted by their names in the language of the client. */
export function loadLanguages(): Promise<readonly Language[]> {
  languages ??= request<readonly Language[]>('GET', '/api/v1/instance/languages')
    .then((list) => list.toSorted((one, other) => compare(nameOfLanguage(one), nameOfLanguage(other))))
    .catch((error: unknown) => {
      languages = undefined;
      throw error;
    });
  return languages;
}

const compare = (one: string, other: string): number => one.localeCompare(other, locale.peek());

/** Returns the name of a language in the language of the client. */
export function nameOfLanguage({ code, name }: Language): string {
  try {
    return new Intl.DisplayNames(locale.value, { type: 'language', fallback: 'none' }).of(code) ?? name;
  } catch {
    return name;
  }
}
