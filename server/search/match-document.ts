import type { App } from '../platform/app.ts';
import type { StatusId } from '../platform/ids.ts';
import type { Word } from '../text/index.ts';
import { loadDocuments, type SearchDocument } from './load-documents.ts';
import { loadStems, type Stemmer } from './stems.ts';
import type { QueryPhrases, QueryWord } from './word-forms.ts';

/** What the texts of results must and must not contain. */
export interface TextQuery extends QueryPhrases {
  readonly tags: { readonly wanted: readonly string[]; readonly unwanted: readonly string[] };
}

/**
 * Returns those of the ids whose text matches, in order. The index only proposes them: it knows hashes of words, and not
 * their order.
 */
export async function filterMatching(app: App, ids: readonly StatusId[], query: TextQuery): Promise<StatusId[]> {
  const documents = await loadDocuments(app, ids);
  // Most results contain the very word, so that the stems of few are needed.
  const isPlain = query.none.length === 0;
  const plain = isPlain ? documents.filter((document) => matches(document, query, () => undefined)) : [];
  const others = documents.filter((document) => !plain.includes(document));
  const stemOf = await loadStems(
    app,
    others.map(({ row, parts }) => ({ language: row.language, words: parts.flat() })),
  );
  const stemmed = others.filter((document) => matches(document, query, stemOf));
  const matching = new Set([...plain, ...stemmed].map(({ row }) => row.id));
  return ids.filter((id) => matching.has(id));
}

/** Returns whether a document contains all wanted phrases and hashtags and none of the unwanted ones. */
export function matches(document: SearchDocument, { all, none, tags }: TextQuery, stemOf: Stemmer): boolean {
  const { row, parts } = document;
  const compare = (word: Word, wanted: QueryWord): boolean =>
    word.folded === wanted.folded ||
    (!wanted.isExact && (wanted.forms.has(word.folded) || wanted.forms.has(stemOf(row.language, word) ?? '')));
  const contains = (phrase: readonly QueryWord[]): boolean =>
    parts.some((words) => words.some((_, start) => startsWith(words, start, phrase, compare)));
  return (
    all.every(contains) &&
    !none.some(contains) &&
    tags.wanted.every((tag) => document.tags.includes(tag)) &&
    !tags.unwanted.some((tag) => document.tags.includes(tag))
  );
}

function startsWith(
  words: readonly Word[],
  start: number,
  phrase: readonly QueryWord[],
  compare: (word: Word, wanted: QueryWord) => boolean,
): boolean {
  return phrase.every((wanted, index) => {
    const word = words[start + index];
    return word !== undefined && compare(word, wanted);
  });
}
