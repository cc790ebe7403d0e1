import type pg from 'pg';
import { expect, test } from 'vitest';
import type { App } from '../app.ts';
import { readOnReplica } from '../replicas/readers.ts';
import type { Replica } from '../replicas/replica.ts';
import { BatchLoadingCache, LoadingCache } from './cache.ts';

/** The database that each load read from, with its keys. */
const loads: string[] = [];
const record = ({ replica }: App, keys: readonly string[]): void =>
  void loads.push(`${replica === undefined ? 'primary' : 'replica'}: ${keys.join(' ')}`);

const one = new LoadingCache<string, string>({
  name: 'test.one_of_replica',
  maxSize: 10,
  ttlMs: 60_000,
  load: async (app, key) => {
    record(app, [key]);
    return key;
  },
});
const many = new BatchLoadingCache<string, string>({
  name: 'test.many_of_replica',
  maxSize: 10,
  ttlMs: 60_000,
  loadMany: async (app, keys) => {
    record(app, keys);
    return new Map(keys.map((key) => [key, key]));
  },
});

test('a key is loaded from a replica only if that has its last eviction, and by others from the primary', async () => {
  const held = { until: 0 };
  const replica = { pool: {} as pg.Pool, has: (moment: number) => moment <= held.until } as Replica;
  const app = { replicas: { all: [replica], horizonMs: 60_000 }, queries: { count: 0 } } as unknown as App;
  const onReplica = <Result>(run: (reader: App) => Promise<Result>): Promise<Result> =>
    readOnReplica(app, { replica, run });
  const readAll = async (): Promise<string[]> => {
    await onReplica((reader) => one.get(reader, 'a'));
    await onReplica((reader) => many.getMany(reader, ['a', 'b']));
    return loads.splice(0).toSorted();
  };
  expect(await readAll()).toEqual(['replica: a', 'replica: a b']);
  for (const cache of [one, many]) cache.evict(app, 'a');
  expect(await readAll()).toEqual(['primary: a', 'primary: a']);
  for (const cache of [one, many]) cache.clear(app);
  expect(await readAll()).toEqual(['primary: a', 'primary: a b']);
  for (const cache of [one, many]) cache.clear(app);
  held.until = Number.MAX_VALUE;
  expect(await readAll()).toEqual(['replica: a', 'replica: a b']);
  for (const cache of [one, many]) cache.clear(app);
  await one.get(app, 'a');
  expect(loads.splice(0)).toEqual(['primary: a']);
});
