import { cutWords } from '../text/index.ts';

/** Words of one status that are kept; a text column of PostgreSQL's kind counts positions up to 16,383. */
const mostWords = 5_000;
/** Between two parts of a status (warning, text, descriptions of pictures), so that no phrase spans them. */
const gap = 5;

/** The words of the parts of a text with their places, as the text form of a tsvector; empty when there are none. */
export function vectorOf(parts: readonly string[]): string {
  return vectorOfWords(parts.map(cutWords));
}

/** As `vectorOf`, of parts that are cut into their words already. */
export function vectorOfWords(parts: readonly (readonly string[])[]): string {
  const entries: string[] = [];
  let position = 1;
  for (const part of parts) {
    for (const word of part) {
      if (entries.length === mostWords) return entries.join(' ');
      entries.push(`${quote(word)}:${position}`);
      position += 1;
    }
    position += gap;
  }
  return entries.join(' ');
}

/** What a status must have so that it is found: all of these phrases, none of those; a phrase is words in a row. */
export interface Wanted {
  readonly all: readonly string[];
  readonly none: readonly string[];
}

/** The text form of a tsquery; undefined when nothing of it is a word. */
export function queryOf({ all, none }: Wanted): string | undefined {
  const phrases = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => {
      const words = cutWords(text);
      return words.length === 0 ? [] : [`(${words.map(quote).join(' <-> ')})`];
    });
  const terms = [...phrases(all), ...phrases(none).map((phrase) => `!${phrase}`)];
  return terms.length === 0 ? undefined : terms.join(' & ');
}

const quote = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
