import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { defineEvent } from '../../server/platform/write/define-event.ts';
import { indexSubscriptions, later } from '../../server/platform/write/reactions.ts';
import type { Subscription } from '../../server/platform/write/subscriptions.ts';
import { cancelRows, reserveRows } from '../../server/platform/work/reserve-rows.ts';
import { queueWorkers } from '../../server/platform/work/job-queue.ts';
import { WorkerLoop } from '../../server/platform/work/worker-loop.ts';
import { recordJobChanges } from '../job-changes.ts';
import { failStatements } from '../record-statements.ts';
import { startServer, type TestServer } from '../server.ts';

const posted = defineEvent('thing.posted', Type.Object({ n: Type.Integer() }));

const emit = (app: App, numbers: readonly number[]): Promise<void> =>
  transaction(app, async (tx) => numbers.forEach((n) => tx.emit(posted({ n }))));

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Starts the workers of the queues, and waits until they accept rows from transactions. */
async function startWorkers(server: TestServer, reactions: readonly Subscription[]) {
  const app: App = {
    ...server.app,
    subscriptions: indexSubscriptions(reactions),
    reportJobFailure: () => {},
    wakeWorkers: (names) => loop.wake(names),
  };
  const loop = new WorkerLoop(app, queueWorkers);
  loop.start();
  await waitForRoom(app);
  return { app, loop };
}

const waitForRoom = (app: App) =>
  expect
    .poll(() => {
      const reserved = reserveRows(app, [{ name: 'test', queue: 'default', data: {} }]);
      cancelRows(reserved);
      return reserved.length > 0;
    })
    .toBe(true);

const countRows = async ({ db }: TestServer): Promise<number> =>
  (await db.selectFrom('jobs').select('id').execute()).length;

test('the process that stores an event runs its reactions without a claim', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const { app, loop } = await startWorkers(server, [
    later('default', [posted], { name: 'a', run: async (_app, { n }) => void seen.push(`a ${n}`) }),
    later('default', [posted], {
      name: 'b',
      runBatch: async (_app, all) => void seen.push(...all.map(({ n }) => `b ${n}`)),
    }),
  ]);
  const takeChanges = await recordJobChanges(server);
  await emit(app, [1, 2]);
  await expect.poll(() => countRows(server)).toBe(0);
  expect(seen.toSorted()).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
  expect(await takeChanges()).toEqual({ stored: ['default: a b', 'default: a b'], updated: 0, deleted: 2 });
  await loop.stop();
});

test('more events than there is room for are claimed', async () => {
  await using server = await startServer();
  const seen: number[] = [];
  const { app, loop } = await startWorkers(server, [
    later('default', [posted], { name: 'a', run: async (_app, { n }) => void seen.push(n) }),
  ]);
  const takeChanges = await recordJobChanges(server);
  await emit(app, range(101));
  await expect.poll(() => countRows(server)).toBe(0);
  expect(seen.toSorted((a, b) => a - b)).toEqual(range(101));
  expect(await takeChanges()).toMatchObject({ updated: 101, deleted: 101 });
  await loop.stop();
});

test('a failed reaction of an event that was not claimed is retried alone', async () => {
  await using server = await startServer();
  const { app, loop } = await startWorkers(server, [
    later('default', [posted], { name: 'fine', run: async () => {} }),
    later('default', [posted], {
      name: 'broken',
      run: async () => {
        throw new Error('no');
      },
    }),
  ]);
  await emit(app, [1]);
  const failed = { name: 'broken', subscribers: null, attempts: 1, last_error: 'Error: no', lease_holder: null };
  await expect
    .poll(() =>
      server.db.selectFrom('jobs').select(['name', 'subscribers', 'attempts', 'last_error', 'lease_holder']).execute(),
    )
    .toEqual([failed]);
  await loop.stop();
  await server.db.deleteFrom('jobs').execute();
});

test('transactions that fail at the commit free their room', async () => {
  await using server = await startServer();
  const { app, loop } = await startWorkers(server, [later('default', [posted], { name: 'a', run: async () => {} })]);
  const takeChanges = await recordJobChanges(server);
  {
    using _failure = failStatements('40001', (text) => text.startsWith('insert into jobs'));
    for (let n = 0; n < 3; n += 1) await expect(emit(app, range(90))).rejects.toMatchObject({ code: '40001' });
  }
  await emit(app, range(90));
  await expect.poll(() => countRows(server)).toBe(0);
  expect(await takeChanges()).toMatchObject({ updated: 0, deleted: 90 });
  await loop.stop();
});

test('a stop runs or releases what was accepted', async () => {
  await using server = await startServer();
  const seen: number[] = [];
  const { app, loop } = await startWorkers(server, [
    later('default', [posted], { name: 'a', run: async (_app, { n }) => void seen.push(n) }),
  ]);
  await emit(app, range(50));
  await loop.stop();
  const rows = await server.db
    .selectFrom('jobs')
    .select(['data', 'attempts', 'lease_holder', 'leased_until'])
    .execute();
  expect(rows.every((row) => row.attempts === 0 && row.lease_holder === null && row.leased_until === null)).toBe(true);
  expect([...seen, ...rows.map(({ data }) => (data as unknown as { n: number }).n)].toSorted((a, b) => a - b)).toEqual(
    range(50),
  );
  await emit(app, [50]);
  const [last] = await server.db.selectFrom('jobs').select('lease_holder').orderBy('id', 'desc').limit(1).execute();
  expect(last).toEqual({ lease_holder: null });
  await server.db.deleteFrom('jobs').execute();
});

test('each reaction runs once, however many events the transactions have', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const { app, loop } = await startWorkers(server, [
    later('default', [posted], { name: 'a', run: async (_app, { n }) => void seen.push(`a ${n}`) }),
    later('feeds', [posted], {
      name: 'b',
      runBatch: async (_app, all) => void seen.push(...all.map(({ n }) => `b ${n}`)),
    }),
  ]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), async (sizes) => {
      seen.length = 0;
      let next = 0;
      const groups = sizes.map((size) => range(size).map(() => (next += 1)));
      await Promise.all(groups.map((numbers) => emit(app, numbers)));
      await expect.poll(() => countRows(server), { timeout: 30_000 }).toBe(0);
      expect(seen.toSorted()).toEqual(
        groups
          .flat()
          .flatMap((n) => [`a ${n}`, `b ${n}`])
          .toSorted(),
      );
    }),
    { numRuns: 10 },
  );
  await loop.stop();
});
