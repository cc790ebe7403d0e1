import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caches } from '../../server/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { startServer } from '../server.ts';
import type { EvictionCase } from './eviction-case.ts';

const files = globSync('cases/*.ts', { cwd: import.meta.dirname });
const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<{ cases: EvictionCase[] }>));
const cases = modules.flatMap((module) => module.cases);

const keyOf = ({ cache, event }: { cache: string; event: string }): string => `${cache} ${event}`;

test('every cache has a case for each of its events', () => {
  const expected = caches.flatMap(({ name, events }) => events.map((event) => keyOf({ cache: name, event })));
  expect(expected.length).toBeGreaterThan(0);
  expect(new Set(cases.map(keyOf))).toEqual(new Set(expected));
});

test.each(cases)('$cache returns the old value until $event, and the new one after it', async ({ prepare }) => {
  await using server = await startServer();
  const { read, change, emitted } = await prepare(server);
  const old = await read();
  await change();
  expect(await read()).toEqual(old);
  await transaction(server.app, async (tx) => {
    tx.emit(emitted);
  });
  expect(await read()).not.toEqual(old);
});
