import { expect, test } from 'vitest';
import { Cache, LoadingCache } from './cache.ts';

test('the entry used longest ago goes first', () => {
  const cache = new Cache<string, number>({ size: 2, ttl: 60_000 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('entries that ended make room for what comes', () => {
  const cache = new Cache<number, number>({ size: 1_000, ttl: -1 });
  for (let key = 0; key < 500; key += 1) cache.set(key, key);
  expect(cache.size).toBeLessThan(3);
});

test('a change keeps the time at which the entry ends', () => {
  const cache = new Cache<string, number>({ size: 9, ttl: -1 });
  cache.set('a', 1);
  cache.change('a', (value) => value + 1);
  expect(cache.get('a')).toBeUndefined();
  cache.change('a', () => 3);
  expect(cache.get('a')).toBeUndefined();
});

test('those who ask at once share one load', async () => {
  let loads = 0;
  const cache = new LoadingCache<string, number>({ size: 9, ttl: 60_000, load: async () => (loads += 1) });
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual([1, 1]);
  expect(await cache.get('a')).toBe(1);
});

test('a load that a drop overtook is not kept', async () => {
  const loading = Promise.withResolvers<string>();
  let answers = [loading.promise, Promise.resolve('new')];
  const cache = new LoadingCache<string, string>({
    size: 9,
    ttl: 60_000,
    load: () => answers.shift() ?? Promise.resolve('newest'),
  });
  const first = cache.get('a');
  cache.delete('a');
  loading.resolve('old');
  expect(await first).toBe('old');
  expect(await cache.get('a')).toBe('new');
  answers = [];
});

test('a load that failed is tried again', async () => {
  let tries = 0;
  const cache = new LoadingCache<string, number>({
    size: 9,
    ttl: 60_000,
    load: () => ((tries += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve(tries)),
  });
  await expect(cache.get('a')).rejects.toThrow('no');
  expect(await cache.get('a')).toBe(2);
});
