import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import type { Word } from '../text/index.ts';
import { buildTsquery, buildTsvector, type Phrase } from './search-words.ts';

test('words, phrases and excluded words are parsed', () => {
  expect(parseQuery('birds "grey heron" -crow -"red kite" -')).toMatchObject({
    all: [
      { text: 'birds', exact: false },
      { text: 'grey heron', exact: true },
    ],
    none: [
      { text: 'crow', exact: false },
      { text: 'red kite', exact: true },
    ],
    from: undefined,
  });
});

test('SRC-03: from: accepts local and remote handles, with or without @, and me', () => {
  expect(parseQuery('from:me')).toMatchObject({ from: 'me', all: [] });
  expect(parseQuery('from:alice x')).toMatchObject({ from: 'alice', all: [{ text: 'x' }] });
  expect(parseQuery('from:@bob@there.test')).toMatchObject({ from: 'bob@there.test' });
  expect(parseQuery('FROM:@bob@localhost:3001')).toMatchObject({ from: 'bob@localhost:3001' });
  expect(parseQuery('-from:alice')).toMatchObject({ from: undefined, notFrom: 'alice' });
  for (const query of ['from:a:b', 'from:', 'from:@', 'from:https://there.test/@bob', 'from:a@b@c']) {
    expect(() => parseQuery(query), query).toThrow('Unprocessable Content');
  }
});

test('other operators, and words that only look like operators, are parsed', () => {
  expect(parseQuery('has:media is:reply -is:sensitive language:DE in:library')).toMatchObject({
    has: ['media'],
    isReply: true,
    isSensitive: false,
    language: 'de',
    within: 'library',
    all: [],
  });
  expect(parseQuery('foo:bar has:wings 12:30 https://a.test')).toMatchObject({
    all: [{ text: 'foo:bar' }, { text: 'has:wings' }, { text: '12:30' }, { text: 'https://a.test' }],
  });
  expect(parseQuery('during:2026-11-21')).toMatchObject({
    since: new Date('2026-11-21T00:00:00Z'),
    before: new Date('2026-11-22T00:00:00Z'),
  });
  expect(() => parseQuery('before:yesterday')).toThrow('Invalid date supplied');
  expect(() => parseQuery('after:2026-13-01')).toThrow('Invalid date supplied');
});

test('words are converted to tsvector and tsquery syntax', () => {
  expect(buildTsvector([[{ folded: "it's" }], [{ folded: 'birds', stem: 'bird' }, { folded: 'b' }]])).toBe(
    "'it''s':1 'birds':7 'bird':7A 'b':8",
  );
  const stemsOf = ({ folded }: Word): string[] => (folded === 'herons' ? ['heron'] : []);
  const phrase = (text: string, exact = false): Phrase => ({ text, exact });
  expect(buildTsquery({ all: [phrase('grey herons'), phrase('x')], none: [phrase("d'or")] }, stemsOf)).toBe(
    "('grey' <-> ('herons' | 'heron')) & ('x') & !('d''or')",
  );
  expect(buildTsquery({ all: [phrase('grey herons', true)], none: [] }, stemsOf)).toBe("('grey':D <-> 'herons':D)");
  expect(buildTsquery({ all: [phrase('!!!'), phrase('"')], none: [] }, stemsOf)).toBeUndefined();
});

test('any query is parsed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('"', '-', 'from:me', 'is:', ':', ' ', "'", '\\'), fc.string())),
      (parts) => {
        try {
          buildTsquery(parseQuery(parts.join('')), () => []);
        } catch (error) {
          expect(error).toMatchObject({ status: 422 });
        }
      },
    ),
  );
});
