import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { splitWords, type Word } from '../text/index.ts';
import { loadUserSettings } from '../users/settings/index.ts';
import type { Phrase, StatusQuery } from './parse-query.ts';
import { loadStems } from './stems.ts';

/** A word of a query. */
export interface QueryWord extends Word {
  /** The word itself and, unless it was typed in quotation marks, its stems in the languages of the viewer. */
  readonly forms: ReadonlySet<string>;
  readonly isExact: boolean;
}

/** The phrases of a query, split into words. */
export interface QueryPhrases {
  readonly all: readonly (readonly QueryWord[])[];
  readonly none: readonly (readonly QueryWord[])[];
}

/** Further words of a phrase are ignored. */
const maxPhraseWords = 50;

/**
 * Splits the phrases of a query into words, with their stems in the languages that the viewer reads, or in those that
 * `language:` names.
 */
export async function loadPhrases(
  app: App,
  viewerId: AccountId,
  { all, none, language }: StatusQuery,
): Promise<QueryPhrases> {
  const { default_language, locale } = await loadUserSettings(app, viewerId);
  const languages = language.wanted.length === 0 ? [default_language, locale] : language.wanted;
  const split = (phrases: readonly Phrase[]) =>
    phrases
      .map(({ text, exact }) => ({ exact, words: splitWords(text).slice(0, maxPhraseWords) }))
      .filter(({ words }) => words.length > 0);
  const [wanted, unwanted] = [split(all), split(none)];
  const inexact = [...wanted, ...unwanted].filter(({ exact }) => !exact).flatMap(({ words }) => words);
  const stemOf = await loadStems(
    app,
    languages.map((language) => ({ language, words: inexact })),
  );
  const stemsOf = (word: Word): string[] =>
    languages.map((language) => stemOf(language, word)).filter((stem) => stem !== undefined);
  const addForms = ({ exact, words }: { exact: boolean; words: readonly Word[] }): QueryWord[] =>
    words.map((word) => ({
      ...word,
      isExact: exact,
      forms: new Set([word.folded, ...(exact ? [] : stemsOf(word))]),
    }));
  return { all: wanted.map(addForms), none: unwanted.map(addForms) };
}
