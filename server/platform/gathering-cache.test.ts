import { expect, test } from 'vitest';
import { GatheringCache } from './gathering-cache.ts';

interface Thing {
  readonly id: string;
  readonly text: string;
}

/** A cache over `source`, whose loads wait for `proceed`, if that is given. */
function cacheOf(source: Map<string, string>, proceed?: Promise<void>) {
  const loads: string[][] = [];
  const cache = new GatheringCache<string, Thing>({
    size: 9,
    ttl: 60_000,
    keyOf: ({ id }) => id,
    load: async (keys) => {
      loads.push(keys);
      const things = keys.flatMap((id) => (source.has(id) ? [{ id, text: source.get(id) ?? '' }] : []));
      await proceed;
      return things;
    },
  });
  const textOf = async (id: string) => (await cache.get([id])).get(id)?.text;
  return { cache, loads, textOf };
}

test('what several ask for in one turn is one load, and then costs nothing', async () => {
  const { cache, loads, textOf } = cacheOf(new Map(Object.entries({ a: 'A', b: 'B' })));
  const [first, second] = await Promise.all([cache.get(['a', 'missing']), cache.get(['a', 'b'])]);
  expect([[...first.keys()], [...second.keys()]]).toEqual([['a'], ['a', 'b']]);
  expect(await textOf('b')).toBe('B');
  expect(loads).toEqual([['a', 'missing', 'b']]);
});

test('a change shows in what is kept, and what is not kept is not made by it', async () => {
  const { cache, loads, textOf } = cacheOf(new Map(Object.entries({ a: 'A', b: 'B' })));
  await textOf('a');
  for (const id of ['a', 'b']) cache.change(id, (thing) => ({ ...thing, text: `${thing.text}!` }));
  expect([await textOf('a'), await textOf('b')]).toEqual(['A!', 'B']);
  expect(loads).toEqual([['a'], ['b']]);
});

const overtaking: [string, (cache: GatheringCache<string, Thing>) => void][] = [
  ['a drop', (cache) => cache.delete('a')],
  ['a clearing', (cache) => cache.clear()],
];

test.each(overtaking)('a load that %s overtook is not kept', async (_name, overtake) => {
  const source = new Map([['a', 'old']]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { cache, textOf } = cacheOf(source, promise);
  const early = textOf('a');
  await new Promise((next) => setImmediate(() => setImmediate(next)));
  source.set('a', 'new');
  overtake(cache);
  resolve();
  expect([await early, await textOf('a')]).toEqual(['old', 'new']);
});

test('a change reaches what is being loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { cache, loads, textOf } = cacheOf(new Map([['a', 'A']]), promise);
  const early = textOf('a');
  await new Promise((next) => setImmediate(() => setImmediate(next)));
  for (const sign of ['!', '?']) cache.change('a', (thing) => ({ ...thing, text: `${thing.text}${sign}` }));
  resolve();
  expect([await early, await textOf('a')]).toEqual(['A!?', 'A!?']);
  expect(loads).toHaveLength(1);
});
