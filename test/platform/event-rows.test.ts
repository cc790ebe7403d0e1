import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { defineEvent } from '../../server/platform/write/define-event.ts';
import { indexSubscriptions, later } from '../../server/platform/write/reactions.ts';
import type { Subscription } from '../../server/platform/write/subscriptions.ts';
import type { JobId } from '../../server/platform/ids.ts';
import { queueWorkers, requeueJobs } from '../../server/platform/work/job-queue.ts';
import { countJobs, deleteJobs, listJobs } from '../../server/platform/work/manage-jobs.ts';
import { recordJobChanges } from '../job-changes.ts';
import { recordStatements } from '../record-statements.ts';
import { startServer, type TestServer } from '../server.ts';

const posted = defineEvent('thing.posted', Type.Object({ n: Type.Integer() }));

const withReactions = ({ app }: TestServer, reactions: readonly Subscription[], failures: string[] = []): App => ({
  ...app,
  subscriptions: indexSubscriptions(reactions),
  reportJobFailure: (name) => failures.push(name),
});

const emit = (app: App, ...numbers: readonly number[]): Promise<void> =>
  transaction(app, async (tx) => numbers.forEach((n) => tx.emit(posted({ n }))));

async function runAll(app: App): Promise<number> {
  let count = 0;
  for (const worker of queueWorkers) count += await worker.run(app);
  return count;
}

async function runUntilIdle(app: App): Promise<void> {
  while ((await runAll(app)) > 0);
}

const list = async (app: App) =>
  (await listJobs(app, {}, { limit: 100 })).map(({ name, subscribers, attempts, last_error: error }) => ({
    names: subscribers ?? [name],
    attempts,
    error,
  }));

const deleteAll = ({ db }: TestServer) => db.deleteFrom('jobs').execute();

test('an event is one row for all reactions of a queue, and is inserted, leased and deleted once', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const reaction = (name: string, queue: 'default' | 'feeds') =>
    later(queue, [posted], { name, run: async (_app, { n }) => void seen.push(`${name} ${n}`) });
  const app = withReactions(server, [
    reaction('a', 'default'),
    reaction('b', 'feeds'),
    reaction('c', 'default'),
    reaction('d', 'default'),
  ]);
  const takeChanges = await recordJobChanges(server);
  await emit(app, 1);
  expect(await takeChanges()).toMatchObject({ stored: ['default: a c d', 'feeds: b'], updated: 0, deleted: 0 });
  expect(await countJobs(app)).toMatchObject([
    { queue: 'default', jobs: 3 },
    { queue: 'feeds', jobs: 1 },
  ]);
  await runUntilIdle(app);
  expect(seen.toSorted()).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  expect(await takeChanges()).toMatchObject({ stored: [], updated: 2, deleted: 2 });
});

test('a failed reaction is retried alone, with its own error and delay', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const failures: string[] = [];
  let isBroken = true;
  const app = withReactions(
    server,
    [
      later('default', [posted], { name: 'fine', run: async (_app, { n }) => void seen.push(`fine ${n}`) }),
      later('default', [posted], {
        name: 'broken',
        async run(_app, { n }) {
          if (isBroken && n === 2) throw new Error('not yet');
          seen.push(`broken ${n}`);
        },
      }),
      later('default', [posted], {
        name: 'batch',
        runBatch: async (_app, all) => void seen.push(`batch of ${all.length}`),
      }),
    ],
    failures,
  );
  await emit(app, 1, 2, 3);
  await runUntilIdle(app);
  expect(seen.splice(0).toSorted()).toEqual(['batch of 3', 'broken 1', 'broken 3', 'fine 1', 'fine 2', 'fine 3']);
  expect(await list(app)).toEqual([{ names: ['broken'], attempts: 1, error: 'Error: not yet' }]);
  isBroken = false;
  server.clock.advance(3_600);
  await runUntilIdle(app);
  expect([seen, failures]).toEqual([['broken 2'], ['broken']]);
  expect(await list(app)).toEqual([]);
});

test('a slow reaction does not keep the results of others from being recorded', async () => {
  await using server = await startServer();
  const gate = Promise.withResolvers<void>();
  const app = withReactions(server, [
    later('default', [posted], { name: 'slow', run: () => gate.promise }),
    later('default', [posted], { name: 'quick', run: async () => {} }),
    later('default', [posted], {
      name: 'failing',
      run: async () => {
        throw new Error('no');
      },
    }),
  ]);
  await emit(app, 1);
  const running = runUntilIdle(app);
  await expect
    .poll(() => list(app), { timeout: 30_000 })
    .toEqual([
      { names: ['failing'], attempts: 1, error: 'Error: no' },
      { names: ['slow'], attempts: 1, error: null },
    ]);
  gate.resolve();
  await running;
  expect(await list(app)).toEqual([{ names: ['failing'], attempts: 1, error: 'Error: no' }]);
  await deleteAll(server);
});

test('a stop releases the reactions that were not started, and keeps the results of the others', async () => {
  await using server = await startServer();
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const reaction = (name: string) =>
    later('media', [posted], {
      name,
      async run() {
        started.push(name);
        await gate.promise;
      },
    });
  // The queue has two lanes.
  const app = withReactions(server, [reaction('a'), reaction('b'), reaction('c')]);
  await emit(app, 1);
  const worker = queueWorkers.find(({ name }) => name === 'jobs:media');
  const running = worker?.run(app);
  await expect.poll(() => started).toEqual(['a', 'b']);
  const draining = worker?.drain(app);
  gate.resolve();
  await Promise.all([running, draining]);
  expect(started).toEqual(['a', 'b']);
  expect(await list(app)).toEqual([{ names: ['c'], attempts: 0, error: null }]);
  const leases = await server.db.selectFrom('jobs').select(['lease_holder', 'leased_until']).execute();
  expect(leases).toEqual([{ lease_holder: null, leased_until: null }]);
  await deleteAll(server);
});

test('rows that an earlier version stored run, and a renamed reaction runs under its new name', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const reaction = (name: string) =>
    later('default', [posted], { name, run: async (_app, { n }) => void seen.push(`${name} ${n}`) });
  const old = withReactions(server, [reaction('old'), reaction('other')]);
  await emit(old, 1);
  const row = { queue: 'default', run_at: server.clock.now(), data: '{"n":2}' };
  await server.db
    .insertInto('jobs')
    .values({ ...row, name: 'old' })
    .execute();
  // As migrations do.
  await server.pool.query(`update jobs set name = 'new' where name = 'old';
    update jobs set subscribers = array_replace(subscribers, 'old', 'new') where 'old' = any(subscribers)`);
  await runUntilIdle(withReactions(server, [reaction('new'), reaction('other')]));
  expect(seen.toSorted()).toEqual(['new 1', 'new 2', 'other 1']);
});

test('reactions move to the queues that a new release gives them', async () => {
  await using server = await startServer();
  const reactions = (queue: 'default' | 'feeds') =>
    ['a', 'b', 'c'].map((name) => later(name === 'a' ? 'default' : queue, [posted], { name, run: async () => {} }));
  const [before, after] = [withReactions(server, reactions('default')), withReactions(server, reactions('feeds'))];
  await emit(before, 1);
  await requeueJobs(before);
  expect(await list(before)).toEqual([{ names: ['a', 'b', 'c'], attempts: 0, error: null }]);
  await requeueJobs(after);
  const rows = await server.db.selectFrom('jobs').select(['queue', 'name', 'subscribers']).orderBy('name').execute();
  expect(rows).toEqual([
    { queue: 'default', name: 'a', subscribers: null },
    { queue: 'feeds', name: 'b', subscribers: null },
    { queue: 'feeds', name: 'c', subscribers: null },
  ]);
  await deleteAll(server);
});

test('a reaction is listed by its name, and deleted without the other reactions of its event', async () => {
  await using server = await startServer();
  const app = withReactions(
    server,
    ['a', 'b'].map((name) => later('default', [posted], { name, run: async () => {} })),
  );
  await emit(app, 1);
  const remove = (name: string) => transaction(app, (tx) => deleteJobs(tx, app, { name, after: '0' as JobId }));
  expect(await listJobs(app, { name: 'b' }, { limit: 9 })).toMatchObject([
    { name: 'thing.posted', subscribers: ['a', 'b'] },
  ]);
  expect(await listJobs(app, { name: 'thing.posted' }, { limit: 9 })).toHaveLength(1);
  expect(await remove('b')).toHaveLength(1);
  expect(await remove('b')).toHaveLength(0);
  expect(await list(app)).toEqual([{ names: ['a'], attempts: 0, error: null }]);
  expect(await remove('a')).toHaveLength(1);
  expect(await list(app)).toEqual([]);
});

test('jobs are claimed and deleted by index, because the table is full of deleted rows', async () => {
  await using server = await startServer();
  const app = withReactions(server, [later('default', [posted], { name: 'a', run: async () => {} })]);
  await emit(app, 1, 2);
  const texts = (await recordStatements(() => runUntilIdle(app))).map(({ text }) => text.trim().slice(0, 26));
  const beginOf = (start: string) => texts[texts.findIndex((text) => text.startsWith(start)) - 1];
  expect([beginOf('update jobs'), beginOf('delete from jobs')]).toEqual(Array(2).fill('begin read write; set loca'));
});

const names = ['a', 'b', 'c'] as const;
const arbitraryFailures = fc.array(fc.record({ n: fc.integer({ min: 1, max: 6 }), name: fc.constantFrom(...names) }), {
  maxLength: 8,
});

test('whichever reactions fail, each succeeds once for each event, and only the failed ones are repeated', async () => {
  await using server = await startServer();
  await fc.assert(
    fc.asyncProperty(arbitraryFailures, fc.boolean(), async (failures, isBatched) => {
      const attempts = new Map<string, number>();
      const failing = new Set(failures.map(({ n, name }) => `${name} ${n}`));
      const done: string[] = [];
      const run = (name: string, n: number): void => {
        const key = `${name} ${n}`;
        attempts.set(key, (attempts.get(key) ?? 0) + 1);
        if (failing.delete(key)) throw new Error(key);
        done.push(key);
      };
      const app = withReactions(
        server,
        names.map((name) =>
          // The last one runs as a batch, which fails as a whole before anything is done.
          isBatched && name === 'c'
            ? later('default', [posted], {
                name,
                async runBatch(_app, all) {
                  const failed = all.find(({ n }) => all.length > 1 && failing.has(`${name} ${n}`));
                  if (failed !== undefined) throw new Error('the batch');
                  for (const { n } of all) run(name, n);
                },
              })
            : later('default', [posted], { name, run: async (_app, { n }) => run(name, n) }),
        ),
      );
      const expected = names.flatMap((name) => [1, 2, 3, 4, 5, 6].map((n) => `${name} ${n}`)).toSorted();
      const repeated = [...failing].toSorted();
      await emit(app, 1, 2, 3, 4, 5, 6);
      await runUntilIdle(app);
      expect((await list(app)).map(({ error }) => error).toSorted()).toEqual(repeated.map((key) => `Error: ${key}`));
      server.clock.advance(3_600);
      await runUntilIdle(app);
      expect(await list(app)).toEqual([]);
      expect(done.toSorted()).toEqual(expected);
      expect(
        [...attempts]
          .filter(([, count]) => count > 1)
          .map(([key]) => key)
          .toSorted(),
      ).toEqual(repeated);
    }),
    { numRuns: 25 },
  );
});
