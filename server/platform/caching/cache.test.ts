import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { App } from '../app.ts';
import { LocalBus } from '../bus/bus.ts';
import { defineEvent } from '../write/define-event.ts';
import { indexSubscriptions } from '../write/reactions.ts';
import { publishEvents, receiveEvents } from '../write/publish.ts';
import { BatchLoadingCache, LoadingCache, Cache } from './cache.ts';
import { evict, evictAll, evictWhere, patch } from './cache-reactions.ts';

const counted = defineEvent('cache_test.counted', Type.Object({ key: Type.String(), count: Type.Integer() }));
const renamed = defineEvent('cache_test.renamed', Type.Object({ key: Type.String() }));
const emptied = defineEvent('cache_test.emptied', Type.Object({}));
const closed = defineEvent('cache_test.closed', Type.Object({ below: Type.Integer() }));

interface Item {
  readonly key: string;
  readonly count: number;
}

/** Loads that a test resolves by hand, in the order in which they started. */
const loads: { keys: readonly string[]; resolve: (items: Item[]) => void; reject: (error: unknown) => void }[] = [];

const load = (keys: readonly string[]): Promise<Item[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<Item[]>();
  loads.push({ keys, resolve, reject });
  return promise;
};

const evictOn = () => [
  evict<string, Item, typeof renamed.schema>(renamed, ({ key }) => [key]),
  evictAll<string, Item>(emptied),
  evictWhere<string, Item, typeof closed.schema>(closed, ({ count }, { below }) => count < below),
  patch<string, Item, typeof counted.schema>(
    counted,
    ({ key }) => key,
    (item, { count }) => (count > item.count ? { ...item, count } : item),
  ),
];

const many = new BatchLoadingCache<string, Item>({
  name: 'test.many',
  maxSize: 3,
  ttlMs: 60_000,
  loadMany: async (_app, keys) => new Map((await load(keys)).map((item) => [item.key, item])),
  evictOn: evictOn(),
});
const wide = new BatchLoadingCache<string, Item>({
  name: 'test.wide',
  maxSize: 1_000,
  ttlMs: 60_000,
  loadMany: async (_app, keys) => new Map((await load(keys)).map((item) => [item.key, item])),
});
const single = new LoadingCache<string, Item>({
  name: 'test.single',
  maxSize: 3,
  ttlMs: 60_000,
  load: async (_app, key) => (await load([key]))[0] as Item,
  evictOn: evictOn(),
});

const weighed = new Cache<string, Item>({
  name: 'test.weighed',
  maxSize: 5,
  ttlMs: 60_000,
  weight: { max: 10, of: ({ count }) => count },
});

function createApp(bus = new LocalBus()): App {
  const app = {
    bus,
    isPartial: false,
    subscriptions: indexSubscriptions([], [many, wide, single, weighed]),
  } as unknown as App;
  receiveEvents(app);
  return app;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function nextLoad() {
  while (loads.length === 0) await turn();
  return loads.shift() as (typeof loads)[number];
}

test('all keys of a turn are loaded together, once', async () => {
  const app = createApp();
  const [first, second] = [many.getMany(app, ['a', 'b']), many.getMany(app, ['b', 'c'])];
  const { keys, resolve } = await nextLoad();
  expect(keys).toEqual(['a', 'b', 'c']);
  resolve([
    { key: 'a', count: 1 },
    { key: 'b', count: 2 },
  ]);
  expect([...(await first).keys()]).toEqual(['a', 'b']);
  expect([...(await second).keys()]).toEqual(['b']);
  expect([...(await many.getMany(app, ['a', 'b'])).keys()]).toEqual(['a', 'b']);
  expect(loads).toEqual([]);
});

test('callers of one key share a load, and a failed load is not cached', async () => {
  const app = createApp();
  const callers = [single.get(app, 'a'), single.get(app, 'a')];
  (await nextLoad()).reject(new Error('no database'));
  for (const caller of callers) await expect(caller).rejects.toThrow('no database');
  const again = single.get(app, 'a');
  (await nextLoad()).resolve([{ key: 'a', count: 1 }]);
  expect(await again).toEqual({ key: 'a', count: 1 });
});

for (const [name, event] of [
  ['its key', renamed({ key: 'a' })],
  ['all keys', emptied({})],
  ['matching values', closed({ below: 5 })],
] as const) {
  test(`a value that ${name} evicts while it is loaded is returned but not cached`, async () => {
    const app = createApp();
    const early = single.get(app, 'a');
    const earlyMany = many.getMany(app, ['a']);
    const [one, other] = [await nextLoad(), await nextLoad()];
    publishEvents(app, [event]);
    const late = single.get(app, 'a');
    one.resolve([{ key: 'a', count: 1 }]);
    other.resolve([{ key: 'a', count: 1 }]);
    expect(await early).toEqual({ key: 'a', count: 1 });
    expect((await earlyMany).get('a')).toEqual({ key: 'a', count: 1 });
    expect([single.peek(app, 'a'), many.peek(app, 'a')]).toEqual([undefined, undefined]);
    (await nextLoad()).resolve([{ key: 'a', count: 2 }]);
    expect(await late).toEqual({ key: 'a', count: 2 });
    expect(single.peek(app, 'a')).toEqual({ key: 'a', count: 2 });
    publishEvents(app, [event]);
    expect(single.peek(app, 'a')).toBeUndefined();
  });
}

test('a caller may load the missing keys itself: what is evicted meanwhile is returned but not cached', async () => {
  const app = createApp();
  many.set(app, 'a', { key: 'a', count: 1 });
  const loadItems = async (keys: readonly string[]) => new Map((await load(keys)).map((item) => [item.key, item]));
  const found = many.getManyBy(app, ['a', 'b', 'c', 'c'], loadItems);
  const { keys, resolve } = await nextLoad();
  expect(keys).toEqual(['b', 'c']);
  publishEvents(app, [renamed({ key: 'b' })]);
  resolve([
    { key: 'b', count: 2 },
    { key: 'c', count: 3 },
  ]);
  expect([...(await found).values()].map(({ count }) => count)).toEqual([1, 2, 3]);
  expect([many.peek(app, 'b'), many.peek(app, 'c')?.count]).toEqual([undefined, 3]);
});

test('a patch changes a cached value and one that is being loaded, in either order', async () => {
  const app = createApp();
  const loading = many.getMany(app, ['a']);
  const { resolve } = await nextLoad();
  publishEvents(app, [counted({ key: 'a', count: 3 }), counted({ key: 'a', count: 2 })]);
  resolve([{ key: 'a', count: 1 }]);
  expect((await loading).get('a')).toEqual({ key: 'a', count: 3 });
  expect(many.peek(app, 'a')).toEqual({ key: 'a', count: 3 });
  publishEvents(app, [counted({ key: 'a', count: 9 })]);
  expect(many.peek(app, 'a')).toEqual({ key: 'a', count: 9 });
});

test('a cache is bounded, belongs to one App, and is cleared after a gap', () => {
  const bus = new LocalBus();
  const [app, other] = [createApp(bus), createApp()];
  for (const key of ['a', 'b', 'c', 'd']) single.set(app, key, { key, count: 1 });
  expect([single.size(app), single.peek(app, 'a'), single.peek(other, 'b')]).toEqual([3, undefined, undefined]);
  bus.reportGap();
  expect(single.size(app)).toBe(0);
});

test('a cache of values that differ in size is bounded by their weights too', () => {
  const app = createApp();
  for (const [key, count] of Object.entries({ a: 4, b: 4, c: 4, huge: 11 })) weighed.set(app, key, { key, count });
  expect(['a', 'b', 'c', 'huge'].map((key) => weighed.peek(app, key)?.count)).toEqual([undefined, 4, 4, undefined]);
  for (const key of ['d', 'e', 'f', 'g', 'h', 'i']) weighed.set(app, key, { key, count: 1 });
  expect([weighed.size(app), weighed.peek(app, 'd'), weighed.peek(app, 'e')?.count]).toEqual([5, undefined, 1]);
});

test('each cache has its own name', () => {
  const other = new Cache({ name: 'test.many', maxSize: 1, ttlMs: 1 });
  expect(() => indexSubscriptions([], [many, other])).toThrow('two caches are named test.many');
});

test('many keys are loaded in parts, one after the other', async () => {
  const app = createApp();
  const keys = Array.from({ length: 600 }, (_, index) => `part-${index}`);
  const found = wide.getMany(app, keys);
  const sizes: number[] = [];
  for (let part = 0; part < 3; part += 1) {
    const { keys: asked, resolve } = await nextLoad();
    expect(loads).toEqual([]);
    sizes.push(asked.length);
    resolve(asked.map((key) => ({ key, count: 1 })));
  }
  expect(sizes).toEqual([250, 250, 100]);
  expect([...(await found).keys()]).toEqual(keys);
  expect(wide.size(app)).toBe(600);
});

test('a request for a few keys does not wait for all parts of a large one', async () => {
  const app = createApp();
  const wanted = Array.from({ length: 600 }, (_, index) => `large-${index}`);
  const large = wide.getMany(app, wanted);
  const small = wide.getMany(app, ['small']);
  const resolveNext = async (): Promise<number> => {
    const { keys, resolve } = await nextLoad();
    resolve(keys.map((key) => ({ key, count: 1 })));
    return keys.length;
  };
  expect([await resolveNext(), await resolveNext()]).toEqual([250, 1]);
  expect((await small).size).toBe(1);
  expect([await resolveNext(), await resolveNext()]).toEqual([250, 100]);
  expect((await large).size).toBe(600);
});
