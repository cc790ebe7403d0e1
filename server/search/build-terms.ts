import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Word } from '../text/index.ts';
import type { SearchDocument } from './load-documents.ts';
import { hashTerm, propertyTerm, timeTerms, wordTerms, type Term } from './search-terms.ts';
import type { Stemmer } from './stems.ts';

/** Maximum number of terms that are stored for one status. */
const maxTerms = 5_000;

/** A link that is no mention and no hashtag, by its class: the address may contain these words. */
const linkPattern = /<a (?![^>]*\bclass="[^"]*\b(?:mention|hashtag)\b)/;

/** Returns the terms of a status: of its time and properties, its hashtags, its words and their stems. */
export function buildTerms({ row, parts, tags }: SearchDocument, stemOf: Stemmer): Term[] {
  const { id, account_id, language } = row;
  return [
    ...new Set([
      ...propertyTerms({ id, accountId: account_id, language }),
      ...listKinds(row).map(propertyTerm.has),
      ...[row.is_answer && 'reply', row.sensitive && 'sensitive', row.is_quote && 'quote']
        .filter((property) => property !== false)
        .map(propertyTerm.is),
      ...tags.map(propertyTerm.tag),
      ...parts.flatMap((words) => [...wordTerms(words), ...stemTerms(words, language, stemOf)]),
    ]),
  ].slice(0, maxTerms);
}

/** Returns the terms that every status has. */
export const propertyTerms = (status: {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly language: string | null;
}): Term[] => [
  ...timeTerms(status.id),
  propertyTerm.author(status.accountId),
  ...(status.language === null ? [] : [propertyTerm.language(status.language)]),
];

export const stemTerms = (words: readonly Word[], language: string | null, stemOf: Stemmer): Term[] =>
  words
    .map((word) => stemOf(language, word))
    .filter((stem) => stem !== undefined)
    .map(hashTerm);

function listKinds({ content, media_types, poll_options }: SearchDocument['row']): string[] {
  const types = media_types.map((type) => (type === 'gifv' ? 'video' : type));
  return [
    ...types,
    ...(types.length > 0 ? ['media'] : []),
    ...(poll_options === null ? [] : ['poll']),
    ...(linkPattern.test(content) ? ['link'] : []),
  ];
}
