import { publish, inTransaction, indexSubscriptions, later } from '../../server/platform/write/reactions.ts';
import type { Subscription } from '../../server/platform/write/subscriptions.ts';
import { defineEvent } from '../../server/platform/write/define-event.ts';
import { defineJob } from '../../server/platform/work/define-job.ts';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { type App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { DatabaseUnavailable } from '../../server/platform/wire/database-unavailable.ts';
import { queueWorkers } from '../../server/platform/work/job-queue.ts';
import { runScheduleSlot } from '../../server/platform/work/run-schedules.ts';
import { WorkerLoop } from '../../server/platform/work/worker-loop.ts';
import { startServer, type TestServer } from '../server.ts';
import { writable } from '../writable.ts';

const thingDone = defineEvent('thing.done', Type.Object({ thing: Type.String() }));

/** The server's App with the reactions of a test only. */
function withSubscriptions(server: TestServer, subscriptions: Subscription[], failures: unknown[] = []): App {
  return {
    ...server.app,
    subscriptions: indexSubscriptions(subscriptions),
    reportJobFailure: (_name, error) => failures.push(error),
  };
}

async function runAll(app: App): Promise<number> {
  let count = 0;
  for (const worker of queueWorkers) count += await worker.run(app);
  return count;
}

const pending = async (app: App): Promise<string[]> =>
  (await app.db.selectFrom('jobs').select('name').orderBy('id').execute()).map(({ name }) => name);

test('an event reaches its subscribers if and only if the transaction commits', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const app = withSubscriptions(server, [
    later('default', [thingDone], {
      name: 'durable',
      run: async (_app, { thing }) => void seen.push(`durable ${thing}`),
    }),
    publish([thingDone], { onlyHere: true, run: (_app, { thing }) => void seen.push(`live ${thing}`) }),
  ]);
  await expect(
    transaction(app, async ({ emit }) => {
      emit(thingDone({ thing: 'a' }));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect([await pending(app), seen]).toEqual([[], []]);
  await transaction(app, async ({ emit }) => emit(thingDone({ thing: 'b' })));
  expect([await pending(app), seen]).toEqual([['durable'], ['live b']]);
  expect(await runAll(app)).toBe(1);
  expect([await pending(app), seen]).toEqual([[], ['live b', 'durable b']]);
});

test('a reaction in the transaction may fail it, and may emit further events', async () => {
  await using server = await startServer();
  const followed = defineEvent('thing.followed', Type.Object({ thing: Type.String() }));
  const app = withSubscriptions(server, [
    inTransaction([thingDone], {
      run: async ({ db, emit }, _app, { thing }) => {
        await writable(db).insertInto('tombstones').values({ uri: thing, created_at: new Date() }).execute();
        emit(followed({ thing }));
        if (thing === 'bad') throw new Error('no');
      },
    }),
    later('default', [followed], { name: 'after', run: async () => {} }),
  ]);
  await transaction(app, async ({ emit }) => emit(thingDone({ thing: 'good' })));
  await expect(transaction(app, async ({ emit }) => emit(thingDone({ thing: 'bad' })))).rejects.toThrow('no');
  expect(await app.db.selectFrom('tombstones').select('uri').execute()).toEqual([{ uri: 'good' }]);
  expect(await pending(app)).toEqual(['after']);
  // Only the App above has the subscriber.
  server.expectPendingJobs('after');
});

test('reactions that lock contended rows run after all others, once, in the order of the tables', async () => {
  await using server = await startServer();
  const followed = defineEvent('thing.followed', Type.Object({ thing: Type.String() }));
  const counted = defineEvent('thing.counted', Type.Object({ thing: Type.String() }));
  const seen: string[] = [];
  const app = withSubscriptions(server, [
    inTransaction([thingDone], { locks: 'webhooks', run: async () => void seen.push('webhooks') }),
    inTransaction([followed], {
      locks: 'account_stats',
      runBatch: async ({ emit }, _app, all) => {
        seen.push(`account_stats: ${all.map(({ thing }) => thing).join(' ')}`);
        emit(counted({ thing: 'x' }));
      },
    }),
    inTransaction([thingDone], {
      run: async ({ emit }, _app, { thing }) => {
        seen.push(thing);
        emit(followed({ thing: `${thing}!` }));
      },
    }),
    later('default', [counted], { name: 'after', run: async () => {} }),
  ]);
  await transaction(app, async ({ emit }) => {
    emit(thingDone({ thing: 'a' }));
    emit(thingDone({ thing: 'b' }));
  });
  expect(seen).toEqual(['a', 'b', 'account_stats: a! b!', 'webhooks', 'webhooks']);
  expect(await pending(app)).toEqual(['after']);
  // Only the App above has the handler.
  server.expectPendingJobs('after');
});

test('a reaction that locks contended rows must not emit an event that others react to in the transaction', async () => {
  await using server = await startServer();
  const followed = defineEvent('thing.followed', Type.Object({ thing: Type.String() }));
  const app = withSubscriptions(server, [
    inTransaction([thingDone], {
      locks: 'webhooks',
      run: async ({ emit }, _app, { thing }) => emit(followed({ thing })),
    }),
    inTransaction([followed], { run: async () => {} }),
  ]);
  const committing = transaction(app, async ({ emit }) => emit(thingDone({ thing: 'a' })));
  await expect(committing).rejects.toThrow('thing.followed was emitted by a reaction after those to it had run');
});

test('a failed job is retried later, and kept for staff after its last attempt', async () => {
  await using server = await startServer();
  const failures: unknown[] = [];
  let broken = true;
  const job = defineJob('fragile', Type.Object({}), async () => {
    if (broken) throw new Error('not today');
  });
  const app = withSubscriptions(server, [job.subscription], failures);
  server.expectFailedJobs('fragile');
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  await runAll(app);
  expect(await runAll(app)).toBe(0);
  expect(failures).toHaveLength(1);
  server.clock.advance(3_600);
  broken = false;
  expect(await runAll(app)).toBe(1);
  expect(await pending(app)).toEqual([]);

  broken = true;
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  for (let i = 0; i < 20; i += 1) {
    await runAll(app);
    server.clock.advance(7 * 3_600);
  }
  const [failed] = await app.db.selectFrom('jobs').select(['attempts', 'exhausted_at', 'last_error']).execute();
  expect(failed).toMatchObject({ attempts: 16, last_error: 'Error: not today', exhausted_at: expect.any(Date) });
});

test('a job that an outage of the database made fail is retried soon, once', async () => {
  await using server = await startServer();
  const outage = new DatabaseUnavailable(new Error('the connection broke'));
  const job = defineJob('cut-off', Type.Object({}), () => Promise.reject(outage));
  const reaction = later('default', [thingDone], { name: 'cut-off-reaction', run: () => Promise.reject(outage) });
  const app = withSubscriptions(server, [job.subscription, reaction]);
  server.expectFailedJobs('cut-off', 'cut-off-reaction');
  await transaction(app, async ({ enqueue, emit }) => {
    enqueue(job({}));
    emit(thingDone({ thing: 'one' }));
  });
  expect(await runAll(app)).toBe(2);
  server.clock.advance(2);
  expect(await runAll(app)).toBe(2);
  server.clock.advance(2);
  expect(await runAll(app)).toBe(0);
});

test('a job of a process that died runs in another one once its lease expires', async () => {
  await using server = await startServer();
  let runs = 0;
  const job = defineJob('leased', Type.Object({}), async () => void (runs += 1));
  const app = withSubscriptions(server, [job.subscription]);
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  const lease = new Date(server.clock.now().getTime() + 300_000);
  await server.db.updateTable('jobs').set({ leased_until: lease }).execute();
  expect(await runAll(app)).toBe(0);
  server.clock.advance(301);
  expect([await runAll(app), runs]).toEqual([1, 1]);
});

test('a job waits for its time, and jobs with the same key keep their order even after a failure', async () => {
  await using server = await startServer();
  const seen: number[] = [];
  let broken = true;
  const job = defineJob('keyed', Type.Object({ n: Type.Integer() }), async (_app, { n }) => {
    if (n === 1 && broken) throw new Error('not yet');
    seen.push(n);
  });
  const app = withSubscriptions(server, [job.subscription]);
  await transaction(app, async ({ enqueue }) => {
    for (const n of [1, 2, 3]) enqueue(job({ n }, { key: 'one' }));
    enqueue(job({ n: 9 }, { runAt: new Date(server.clock.now().getTime() + 60_000) }));
  });
  await runAll(app);
  expect(seen).toEqual([]);
  broken = false;
  server.clock.advance(59);
  while ((await runAll(app)) > 0);
  expect(seen).toEqual([1, 2, 3]);
  server.clock.advance(1);
  await runAll(app);
  expect(seen).toEqual([1, 2, 3, 9]);
});

test('two processes never run the same job twice', async () => {
  await using server = await startServer();
  const seen = new Map<number, number>();
  const job = defineJob('shared', Type.Object({ n: Type.Integer() }), async (_app, { n }) => {
    seen.set(n, (seen.get(n) ?? 0) + 1);
  });
  const app = withSubscriptions(server, [job.subscription]);
  await transaction(app, async ({ enqueue }) => {
    for (let n = 0; n < 500; n += 1) enqueue(job({ n }));
  });
  const runUntilEmpty = async (): Promise<void> => {
    while ((await runAll(app)) > 0);
  };
  await Promise.all([runUntilEmpty(), runUntilEmpty(), runUntilEmpty()]);
  expect(seen.size).toBe(500);
  expect(Math.max(...seen.values())).toBe(1);
});

test('a loop runs stored jobs when it is woken, and stops after its batch', async () => {
  await using server = await startServer();
  const done = Promise.withResolvers<void>();
  const job = defineJob('woken', Type.Object({}), async () => done.resolve());
  const app = withSubscriptions(server, [job.subscription]);
  const loop = new WorkerLoop(app, queueWorkers);
  loop.start();
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  loop.wake();
  await done.promise;
  await loop.stop();
  expect(await pending(app)).toEqual([]);
});

test('each slot of a schedule runs once, however many processes there are', async () => {
  await using server = await startServer();
  let runs = 0;
  const schedule = { name: 'hourly', pattern: '0 * * * *', run: async () => void (runs += 1) };
  const slot = new Date('2026-01-01T10:00:00.250Z');
  const results = await Promise.all([1, 2, 3].map(() => runScheduleSlot(server.app, schedule, slot)));
  expect([results.filter(Boolean).length, runs]).toEqual([1, 1]);
  expect(await runScheduleSlot(server.app, schedule, new Date('2026-01-01T11:00:00Z'))).toBe(true);
});

test('a due job does not wait for an earlier delayed job with its key, but for one that failed', async () => {
  await using server = await startServer();
  const ran: string[] = [];
  let fails = true;
  const step = defineJob('step', Type.Object({ step: Type.String() }), async (_app, data) => {
    if (data.step === 'fails' && fails) throw new Error('not yet');
    ran.push(data.step);
  });
  const app = withSubscriptions(server, [step.subscription]);
  const inAnHour = new Date(server.clock.now().getTime() + 3_600_000);
  await transaction(app, async ({ enqueue }) => {
    enqueue(step({ step: 'delayed' }, { key: 'k', runAt: inAnHour }));
    enqueue(step({ step: 'due' }, { key: 'k' }));
    enqueue(step({ step: 'next' }, { key: 'k' }));
  });
  while ((await runAll(app)) > 0);
  expect(ran.splice(0)).toEqual(['due', 'next']);
  await transaction(app, async ({ enqueue }) => {
    enqueue(step({ step: 'fails' }, { key: 'k' }));
    enqueue(step({ step: 'after' }, { key: 'k' }));
  });
  while ((await runAll(app)) > 0);
  expect(ran).toEqual([]);
  fails = false;
  server.clock.advance(3_597);
  while ((await runAll(app)) > 0);
  expect(ran.splice(0)).toEqual(['fails', 'after']);
  await transaction(app, async ({ enqueue }) => enqueue(step({ step: 'just before' }, { key: 'k' })));
  server.clock.advance(2);
  // Another process could start the delayed one at any moment without this one noticing.
  expect(await runAll(app)).toBe(0);
  server.clock.advance(2);
  // Another job of the key is leased: its time has come, but it has to wait.
  await transaction(app, async ({ enqueue }) => enqueue(step({ step: 'leased' }, { key: 'k' })));
  const lease = new Date(server.clock.now().getTime() + 60_000);
  await server.db
    .updateTable('jobs')
    .set({ leased_until: lease, attempts: 1 })
    .where('run_at', '>', inAnHour)
    .execute();
  expect(await runAll(app)).toBe(0);
  server.clock.advance(61);
  while ((await runAll(app)) > 0);
  expect(ran).toEqual(['delayed', 'just before', 'leased']);
});

test('a process leaves jobs that it does not know to those of a newer version, which run them at once', async () => {
  await using server = await startServer();
  const seen: string[] = [];
  const failures: unknown[] = [];
  const run = (name: string) => async (): Promise<void> => void seen.push(name);
  const added = defineJob('thing.added_later', Type.Object({ thing: Type.String() }), run('added job'));
  const known = later('default', [thingDone], { name: 'known', run: run('known') });
  const newer = withSubscriptions(server, [
    known,
    later('default', [thingDone], { name: 'added', run: run('added') }),
    added.subscription,
  ]);
  const older = withSubscriptions(server, [known], failures);
  const store = (): Promise<void> =>
    transaction(newer, async ({ emit, enqueue }) => {
      emit(thingDone({ thing: 'a' }));
      enqueue(added({ thing: 'a' }));
    });
  await store();
  while ((await runAll(older)) > 0);
  // Of the event, the older version runs the reaction that it knows.
  expect([seen, failures]).toEqual([['known'], []]);
  // From now on it does not claim them: another process could not do so meanwhile.
  await store();
  expect(await runAll(older)).toBe(0);
  const rows = await newer.db.selectFrom('jobs').select(['name', 'subscribers', 'attempts', 'leased_until']).execute();
  expect(rows).toHaveLength(4);
  expect(rows.filter(({ attempts, leased_until }) => attempts > 0 || leased_until !== null)).toEqual([]);
  // No time passes, which a retry would wait for.
  while ((await runAll(newer)) > 0);
  expect(seen.toSorted()).toEqual(['added', 'added', 'added job', 'added job', 'known', 'known']);
  expect(await pending(newer)).toEqual([]);
});
