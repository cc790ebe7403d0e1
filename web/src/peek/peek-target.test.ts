import { expect, test } from 'vitest';
import { parsePath } from './peek-target.ts';

test('profiles and posts have previews, and other pages have none', () => {
  expect(parsePath('/@alice')).toEqual({ kind: 'person', acct: 'alice', path: '/@alice' });
  expect(parsePath('/@b%C3%B6b@bird.example')).toMatchObject({ kind: 'person', acct: 'böb@bird.example' });
  expect(parsePath('/@alice/123')).toEqual({ kind: 'post', id: '123', path: '/@alice/123' });
  expect(parsePath('/@/123')).toMatchObject({ kind: 'post', id: '123' });
  for (const path of ['/', '/@', '/@alice/followers', '/@alice/123/reblogs', '/tags/birds'])
    expect(parsePath(path)).toBeUndefined();
});
