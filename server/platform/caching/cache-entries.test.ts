import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CacheEntries } from './cache-entries.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a look-up of many keys returns the others, and the next one reads the clock again, also after an error', () => {
  const entries = new CacheEntries<string, number>({ maxSize: 10, ttlMs: 100 });
  vi.advanceTimersByTime(1_000);
  entries.set('a', 1);
  entries.set('b', 2);
  const lookUp = (keys: Iterable<string>) => {
    const found = new Map<string, number>();
    return { missing: entries.getMany(keys, found), found: Object.fromEntries(found) };
  };
  expect(lookUp(['a', 'c', 'b', 'b'])).toEqual({ missing: ['c'], found: { a: 1, b: 2 } });

  function* failing(): Generator<string> {
    yield 'a';
    throw new Error('no more keys');
  }
  expect(() => lookUp(failing())).toThrow('no more keys');
  vi.advanceTimersByTime(101);
  expect(entries.get('a')).toBeUndefined();
  expect(lookUp(['a', 'b']).missing).toEqual(['a', 'b']);
});
