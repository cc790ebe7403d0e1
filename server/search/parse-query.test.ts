import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { queryOf, vectorOf } from './search-words.ts';

test('words, phrases and what must be missing', () => {
  expect(parseQuery('birds "grey heron" -crow -"red kite" -')).toMatchObject({
    all: ['birds', 'grey heron'],
    none: ['crow', 'red kite'],
    from: undefined,
  });
});

test('SRC-03: from: takes local, remote and @-led handles and me', () => {
  expect(parseQuery('from:me')).toMatchObject({ from: 'me', all: [] });
  expect(parseQuery('from:alice x')).toMatchObject({ from: 'alice', all: ['x'] });
  expect(parseQuery('from:@bob@there.test')).toMatchObject({ from: 'bob@there.test' });
  expect(parseQuery('FROM:@bob@localhost:3001')).toMatchObject({ from: 'bob@localhost:3001' });
  expect(parseQuery('-from:alice')).toMatchObject({ from: undefined, notFrom: 'alice' });
  for (const query of ['from:a:b', 'from:', 'from:@', 'from:https://there.test/@bob', 'from:a@b@c']) {
    expect(() => parseQuery(query), query).toThrow('Unprocessable Content');
  }
});

test('other operators, and what only looks like one', () => {
  expect(parseQuery('has:media is:reply -is:sensitive language:DE in:library')).toMatchObject({
    has: ['media'],
    isReply: true,
    isSensitive: false,
    language: 'de',
    within: 'library',
    all: [],
  });
  expect(parseQuery('foo:bar has:wings 12:30 https://a.test')).toMatchObject({
    all: ['foo:bar', 'has:wings', '12:30', 'https://a.test'],
  });
  expect(parseQuery('during:2026-11-21')).toMatchObject({
    since: new Date('2026-11-21T00:00:00Z'),
    before: new Date('2026-11-22T00:00:00Z'),
  });
  expect(() => parseQuery('before:yesterday')).toThrow('Invalid date supplied');
  expect(() => parseQuery('after:2026-13-01')).toThrow('Invalid date supplied');
});

test('words become vectors and queries that the database reads', () => {
  expect(vectorOf(["It's", 'a \\ b'])).toBe("'it''s':1 'a':7 'b':8");
  expect(queryOf({ all: ['grey heron', 'x'], none: ["d'or"] })).toBe("('grey' <-> 'heron') & ('x') & !('d''or')");
  expect(queryOf({ all: ['!!!', '"'], none: [] })).toBeUndefined();
});

test('no search breaks the reader', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('"', '-', 'from:me', 'is:', ':', ' ', "'", '\\'), fc.string())),
      (parts) => {
        try {
          queryOf(parseQuery(parts.join('')));
        } catch (error) {
          expect(error).toMatchObject({ status: 422 });
        }
      },
    ),
  );
});
