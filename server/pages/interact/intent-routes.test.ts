import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intentPath } from './intent-routes.ts';

test('web+mastodon: links lead to the pages for following and sharing', () => {
  expect(intentPath('web+mastodon://follow?uri=acct:bob@far.test')).toBe(
    '/authorize_interaction?uri=acct%3Abob%40far.test',
  );
  expect(intentPath('web+mastodon://share?text=a%26b&x=1')).toBe('/share?text=a%26b');
  for (const link of [
    '',
    'follow',
    'https://follow?uri=x',
    'web+mastodon://other?uri=x',
    'web+mastodon://follow',
    '//x',
  ])
    expect(intentPath(link), link).toBeUndefined();
});

test('no link leads to another host, or adds a parameter', () => {
  const host = fc.constantFrom('follow', 'share');
  fc.assert(
    fc.property(host, fc.string({ unit: 'binary' }), (name, text) => {
      const key = name === 'follow' ? 'uri' : 'text';
      const path = intentPath(`web+mastodon://${name}?${new URLSearchParams({ [key]: text }).toString()}`) ?? '';
      expect(path).toMatch(/^\/(?:authorize_interaction\?uri|share\?text)=[\x21-\x7e]*$/);
      const url = new URL(path, 'https://here.test');
      expect(url.host).toBe('here.test');
      expect([...url.searchParams]).toEqual([[key, text.toWellFormed()]]);
    }),
  );
});
