import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createResolver, type Resolve } from './resolve-host.ts';

const four: LookupAddress = { address: '93.184.216.34', family: 4 };
const other: LookupAddress = { address: '93.184.216.35', family: 4 };

const ask = (resolve: Resolve, hostname: string): Promise<LookupAddress[]> =>
  new Promise((done, fail) => {
    resolve(hostname, (error, addresses) => (error === null ? done(addresses) : fail(error)));
  });

const unknown = (): Promise<never> => Promise.reject(new Error('ENOTFOUND'));

test('DNS is asked first, once for those who ask at the same time and for a while after', async () => {
  let asked = 0;
  const resolve = createResolver({ dns: async () => ((asked += 1), [four]), system: unknown });
  expect(await Promise.all([ask(resolve, 'a.test'), ask(resolve, 'a.test')])).toEqual([[four], [four]]);
  expect(await ask(resolve, 'a.test')).toEqual([four]);
  expect(asked).toBe(1);
});

test('the system is asked for plain names, and for what DNS does not know', async () => {
  const resolve = createResolver({ dns: unknown, system: async () => [other] });
  for (const hostname of ['localhost', 'database', 'database.', 'a.localhost', 'hosts-file.test']) {
    expect(await ask(resolve, hostname)).toEqual([other]);
  }
});

test('dead names hold one thread at most', async () => {
  let holding = 0;
  let most = 0;
  let release: (() => void) | undefined;
  const resolve = createResolver({
    dns: unknown,
    system: async () => {
      most = Math.max(most, (holding += 1));
      await new Promise<void>((done) => (release = done));
      holding -= 1;
      return [four];
    },
  });
  const first = ask(resolve, 'dead-1.test');
  const others = await Promise.allSettled([ask(resolve, 'dead-2.test'), ask(resolve, 'dead-3.test')]);
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  release?.();
  expect(await first).toEqual([four]);
  expect(most).toBe(1);
});

test('a failure is not kept', async () => {
  let answers = 0;
  const resolve = createResolver({
    dns: () => ((answers += 1) === 1 ? unknown() : Promise.resolve([four])),
    system: unknown,
  });
  await expect(ask(resolve, 'a.test')).rejects.toThrow('ENOTFOUND');
  expect(await ask(resolve, 'a.test')).toEqual([four]);
});

test('this machine knows itself', async () => {
  expect(await ask(createResolver(), 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
});
