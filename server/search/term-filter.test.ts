import { expect, test } from 'vitest';
import { splitWords } from '../text/index.ts';
import { parseQuery } from './parse-query.ts';
import { hashTerm, propertyTerm } from './search-terms.ts';
import { buildTermFilter } from './term-filter.ts';

const build = (text: string) =>
  buildTermFilter(
    parseQuery('has:poll #birds'),
    {
      all: [splitWords(text).map((word) => ({ ...word, forms: new Set([word.folded]), isExact: true }))],
      none: [],
    },
    { wanted: [], unwanted: [] },
  );

test('every word and property narrows a search, each once', () => {
  expect(build('owl heron owl').all).toEqual([
    hashTerm('owl'),
    hashTerm('heron'),
    propertyTerm.has('poll'),
    propertyTerm.tag('birds'),
  ]);
});

test('only twenty words narrow a search, and properties still do', () => {
  const { all } = build(Array.from({ length: 50 }, (_, index) => `word${index}`).join(' '));
  expect(all).toHaveLength(22);
  expect(all.slice(19)).toEqual([hashTerm('word19'), propertyTerm.has('poll'), propertyTerm.tag('birds')]);
});
