import { splitWords, type Word } from '../text/index.ts';
import type { Phrase } from './parse-query.ts';

/** Words of one status that are stored; a tsvector counts positions up to 16,383. */
const maxWords = 5_000;
/** Positions left free between two parts of a status (warning, text, image descriptions), so that no phrase spans them. */
const partGap = 5;

/** A word as the index stores it. */
export interface IndexedWord {
  readonly folded: string;
  /** Absent when it equals the word or its language has no stemmer. */
  readonly stem?: string | undefined;
}

/**
 * Returns the text form of a tsvector; empty when there are no words. A word has weight D and its stem, at the same
 * position, weight A: a search for the exact form asks for weight D only.
 */
export function buildTsvector(parts: readonly (readonly IndexedWord[])[]): string {
  const entries: string[] = [];
  let count = 0;
  let position = 1;
  for (const part of parts) {
    for (const { folded, stem } of part) {
      if (count === maxWords) return entries.join(' ');
      count += 1;
      entries.push(`${quote(folded)}:${position}`);
      if (stem !== undefined) entries.push(`${quote(stem)}:${position}A`);
      position += 1;
    }
    position += partGap;
  }
  return entries.join(' ');
}

/** Phrases that a status must contain, and phrases that it must not contain. */
export interface WordQuery {
  readonly all: readonly Phrase[];
  readonly none: readonly Phrase[];
}

/** Returns the text form of a tsquery; undefined when no phrase contains a word. `stemsOf` returns a word's stems. */
export function buildTsquery({ all, none }: WordQuery, stemsOf: (word: Word) => readonly string[]): string | undefined {
  const phrases = (list: readonly Phrase[]): string[] =>
    list.flatMap(({ text, exact }) => {
      const terms = splitWords(text).map((word) =>
        exact ? `${quote(word.folded)}:D` : anyOf([word.folded, ...stemsOf(word)].map(quote)),
      );
      return terms.length === 0 ? [] : [`(${terms.join(' <-> ')})`];
    });
  const terms = [...phrases(all), ...phrases(none).map((phrase) => `!${phrase}`)];
  return terms.length === 0 ? undefined : terms.join(' & ');
}

const anyOf = (terms: readonly string[]): string => (terms.length === 1 ? terms.join('') : `(${terms.join(' | ')})`);

const quote = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
