import type { AccountId } from '../platform/ids.ts';
import type { Choice, StatusQuery } from './parse-query.ts';
import { hashTerm, propertyTerm, wordTerms, type Term } from './search-terms.ts';
import type { QueryPhrases, QueryWord } from './word-forms.ts';

/** Terms that an index entry must contain: all of `all`, one of each group of `any`, none of `none`. */
export interface TermFilter {
  readonly all: readonly Term[];
  readonly any: readonly (readonly Term[])[];
  readonly none: readonly Term[];
}

/** Further groups of alternatives do not narrow the search. */
const maxGroups = 8;
/** Further words do not narrow the search: each one more costs a scan of its posts in every window of time. */
const maxWordTerms = 20;

/** Returns the terms of a query. They narrow the search; its conditions and the comparison of the texts decide. */
export function buildTermFilter(
  query: StatusQuery,
  { all, none }: QueryPhrases,
  authors: Choice<AccountId>,
): TermFilter {
  const words = all.flatMap(phraseGroups);
  const groups = [
    ...words.filter((group) => group.length > 1),
    ...alternatives(authors.wanted.map(propertyTerm.author)),
    ...alternatives(query.language.wanted.map(propertyTerm.language)),
    // A post with a video player has a link.
    ...query.has.wanted.map((kind) => [propertyTerm.has(kind === 'embed' ? 'link' : kind)]),
    // There is no term for is:bot, because an account may change it at any time.
    ...query.is.wanted.filter((property) => property !== 'bot').map((property) => [propertyTerm.is(property)]),
    ...query.tags.wanted.map((tag) => [propertyTerm.tag(tag)]),
  ];
  return {
    all: [...new Set([...singleTerms(words).slice(0, maxWordTerms), ...singleTerms(groups)])],
    any: groups.filter((group) => group.length > 1).slice(0, maxGroups),
    none: [...none.flatMap(excludedTerms), ...query.tags.unwanted.map(propertyTerm.tag)],
  };
}

/** Returns the terms that have no alternative, each once. */
const singleTerms = (groups: readonly (readonly Term[])[]): Term[] => [
  ...new Set(groups.filter((group) => group.length === 1).flat()),
];

const alternatives = (terms: readonly Term[]): Term[][] => (terms.length === 0 ? [] : [[...terms]]);

/** Returns a group of terms for each word of a phrase, and the terms of its runs of characters. */
function phraseGroups(phrase: readonly QueryWord[]): Term[][] {
  const words = phrase.filter(({ isCharacter }) => !isCharacter).map(({ forms }) => [...forms].map(hashTerm));
  const characters = wordTerms(phrase.filter(({ isCharacter }) => isCharacter)).map((term) => [term]);
  return [...words, ...characters];
}

/** Only a single word can be excluded by its terms; phrases need the order of their words. */
function excludedTerms(phrase: readonly QueryWord[]): Term[] {
  const [word] = phrase;
  return phrase.length === 1 && word !== undefined && !word.isCharacter && !word.isExact
    ? [...word.forms].map(hashTerm)
    : [];
}
