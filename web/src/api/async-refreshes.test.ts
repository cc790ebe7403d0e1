import { expect, test } from 'vitest';
import { parseRefresh } from './async-refreshes.ts';

test.each([
  ['id="abc=="; x', { id: 'abc==', retryMs: 5_000 }],
  ['id="abc", retry=3, result_count=2', { id: 'abc', retryMs: 3_000 }],
  ['id="abc", retry=0', { id: 'abc', retryMs: 1_000 }],
  ['nothing', undefined],
])('the header %s is understood', (header, refresh) => {
  expect(parseRefresh(header)).toEqual(refresh);
});
