import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { startOfDay } from './start-of-day.ts';

test('words, phrases and excluded words are parsed', () => {
  expect(parseQuery('birds +owl "grey heron" -crow -"red kite" “tawny owl” - +')).toMatchObject({
    all: [
      { text: 'birds', exact: false },
      { text: 'owl', exact: false },
      { text: 'grey heron', exact: true },
      { text: 'tawny owl', exact: true },
      { text: '-', exact: false },
      { text: '+', exact: false },
    ],
    none: [
      { text: 'crow', exact: false },
      { text: 'red kite', exact: true },
    ],
    from: { wanted: [], unwanted: [] },
  });
});

test('SRC-03: from: accepts local and remote handles, with or without @, and me', () => {
  expect(parseQuery('from:me')).toMatchObject({ from: { wanted: ['me'] }, all: [] });
  expect(parseQuery('from:alice x')).toMatchObject({ from: { wanted: ['alice'] }, all: [{ text: 'x' }] });
  expect(parseQuery('from:@bob@there.test')).toMatchObject({ from: { wanted: ['bob@there.test'] } });
  expect(parseQuery('FROM:@bob@localhost:3001')).toMatchObject({ from: { wanted: ['bob@localhost:3001'] } });
  expect(parseQuery('-from:alice')).toMatchObject({ from: { wanted: [], unwanted: ['alice'] } });
  expect(parseQuery('from:alice +from:bob')).toMatchObject({ from: { wanted: ['alice', 'bob'] } });
  for (const query of ['from:a:b', 'from:', 'from:@', 'from:https://there.test/@bob', 'from:a@b@c', '-from:']) {
    expect(() => parseQuery(query), query).toThrow('Unprocessable Content');
  }
});

test('SRC-02: other operators, and words that only look like operators, are parsed', () => {
  expect(
    parseQuery('has:media -has:Poll has:link is:reply -is:sensitive IS:bot language:DE -language:fr in:library'),
  ).toMatchObject({
    has: { wanted: ['media', 'link'], unwanted: ['poll'] },
    is: { wanted: ['reply', 'bot'], unwanted: ['sensitive'] },
    language: { wanted: ['de'], unwanted: ['fr'] },
    within: 'library',
    all: [],
  });
  expect(parseQuery('foo:bar has:wings 12:30 https://a.test language:')).toMatchObject({
    all: [
      { text: 'foo:bar' },
      { text: 'has:wings' },
      { text: '12:30' },
      { text: 'https://a.test' },
      { text: 'language:' },
    ],
  });
});

test('SRC-02: days narrow the time, and invalid ones are 422', () => {
  expect(parseQuery('during:2026-12-31')).toMatchObject({ since: '2026-12-31', before: '2027-01-01' });
  expect(parseQuery('after:2026-02-28 before:2026-04-01')).toMatchObject({ since: '2026-03-01', before: '2026-04-01' });
  expect(parseQuery('after:2026-01-01 after:2026-02-01 before:2026-04-01 before:2026-03-01')).toMatchObject({
    since: '2026-02-02',
    before: '2026-03-01',
  });
  for (const day of ['yesterday', '2026-13-01', '2026-02-31', '0000-01-01', '']) {
    for (const operator of ['before', 'after', 'during'])
      expect(() => parseQuery(`${operator}:${day}`), day).toThrow('Invalid date supplied');
  }
});

test('SRC-02: hashtags are parsed apart from words', () => {
  expect(parseQuery('#Birds -#crows +#日本語 ＃Zürich #1 "#quoted" #')).toMatchObject({
    tags: { wanted: ['birds', '日本語', 'zürich'], unwanted: ['crows'] },
    all: [{ text: '#1' }, { text: '#quoted', exact: true }, { text: '#' }],
  });
});

test('a day begins at midnight in the time zone of the viewer', () => {
  expect(startOfDay('2026-11-21', null)).toEqual(new Date('2026-11-21T00:00:00Z'));
  expect(startOfDay('2026-11-21', 'Asia/Tokyo')).toEqual(new Date('2026-11-20T15:00:00Z'));
  expect(startOfDay('2026-07-01', 'America/St_Johns')).toEqual(new Date('2026-07-01T02:30:00Z'));
  expect(startOfDay('2026-07-01', 'Europe/Berlin')).toEqual(new Date('2026-06-30T22:00:00Z'));
});

test('any query is parsed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('"', '-', 'from:me', 'is:', ':', ' ', "'", '\\'), fc.string())),
      (parts) => {
        try {
          const { all, none } = parseQuery(parts.join(''));
          expect(all.length + none.length).toBeLessThanOrEqual(50);
        } catch (error) {
          expect(error).toMatchObject({ status: 422 });
        }
      },
    ),
  );
});
