import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createResolver, type Resolve } from './resolve-host.ts';

const four: LookupAddress = { address: '93.184.216.34', family: 4 };
const other: LookupAddress = { address: '93.184.216.35', family: 4 };

const lookUp = (resolve: Resolve, hostname: string): Promise<LookupAddress[]> =>
  new Promise((done, fail) => {
    resolve(hostname, (error, addresses) => (error === null ? done(addresses) : fail(error)));
  });

const unknown = (): Promise<never> => Promise.reject(new Error('ENOTFOUND'));

test('DNS is queried first, once for concurrent callers and for a while after', async () => {
  let queries = 0;
  const resolve = createResolver({ dns: async () => ((queries += 1), [four]), system: unknown });
  expect(await Promise.all([lookUp(resolve, 'a.test'), lookUp(resolve, 'a.test')])).toEqual([[four], [four]]);
  expect(await lookUp(resolve, 'a.test')).toEqual([four]);
  expect(queries).toBe(1);
});

test('plain names, and names that DNS does not know, are resolved by the system', async () => {
  const resolve = createResolver({ dns: unknown, system: async () => [other] });
  for (const hostname of ['localhost', 'database', 'database.', 'a.localhost', 'hosts-file.test']) {
    expect(await lookUp(resolve, hostname)).toEqual([other]);
  }
});

test('dead names block at most one thread', async () => {
  let running = 0;
  let maxRunning = 0;
  let release: (() => void) | undefined;
  const resolve = createResolver({
    dns: unknown,
    system: async () => {
      maxRunning = Math.max(maxRunning, (running += 1));
      await new Promise<void>((done) => (release = done));
      running -= 1;
      return [four];
    },
  });
  const first = lookUp(resolve, 'dead-1.test');
  const others = await Promise.allSettled([lookUp(resolve, 'dead-2.test'), lookUp(resolve, 'dead-3.test')]);
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  release?.();
  expect(await first).toEqual([four]);
  expect(maxRunning).toBe(1);
});

test('a failure is not cached', async () => {
  let queries = 0;
  const resolve = createResolver({
    dns: () => ((queries += 1) === 1 ? unknown() : Promise.resolve([four])),
    system: unknown,
  });
  await expect(lookUp(resolve, 'a.test')).rejects.toThrow('ENOTFOUND');
  expect(await lookUp(resolve, 'a.test')).toEqual([four]);
});

test('localhost resolves to this machine', async () => {
  expect(await lookUp(createResolver(), 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
});
