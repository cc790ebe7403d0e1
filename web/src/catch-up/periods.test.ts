import { expect, test } from 'vitest';
import { addressOf, parseWanted } from './periods.ts';

test('the address of a catch-up names its posts or how long it is', () => {
  const since = Date.UTC(2026, 10, 26, 20, 41);
  const [, search] = addressOf(since, '116000000000000001').split('?', 2);
  expect(parseWanted(Object.fromEntries(new URLSearchParams(search)))).toEqual({
    kind: 'posts',
    since,
    until: '116000000000000001',
  });
  expect(parseWanted({ period: '8h' })).toEqual({ kind: 'hours', hours: 8 });
  expect(parseWanted({ period: 'visit' })).toEqual({ kind: 'visit' });
  for (const query of [{}, { period: '0h' }, { period: 'x' }, { since: 'x', until: '1' }, { since: '2026-11-26' }])
    expect(parseWanted(query)).toEqual({ kind: 'nothing' });
});
