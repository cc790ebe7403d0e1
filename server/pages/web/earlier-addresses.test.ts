import { expect, test } from 'vitest';
import { clientPathOf } from './earlier-addresses.ts';

test('paths of another client lead to those of this one, and never to another host', () => {
  expect(
    ['getting-started', 'timelines/tag/Cats', 'timelines/home', '@a@b.test/1', 'statuses/12', ''].map(clientPathOf),
  ).toEqual(['/home', '/tags/Cats', '/home', '/@a@b.test/1', '/statuses/12', '/']);
  for (const path of ['/evil.test', '//evil.test', '\\evil.test', '/\\evil.test', ' //evil.test', '\t/evil.test'])
    expect([path, clientPathOf(path)]).toEqual([path, '/evil.test']);
});
