import { indexSubscriptions } from '../../server/platform/write/reactions.ts';
import { defineJob } from '../../server/platform/work/define-job.ts';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Type } from 'typebox';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startWorkers, workers } from '../../server/app.ts';
import { type App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { LeaseHolder } from '../../server/platform/work/lease-holder.ts';
import { queueWorkers, requeueJobs } from '../../server/platform/work/job-queue.ts';
import {
  currentMachine,
  currentProcessIdentity,
  identifyProcess,
  type ProcessIdentity,
} from '../../server/platform/process-identity.ts';
import { startServer, type TestServer } from '../server.ts';

/** Seconds since a heartbeat. It is in the future, and so recent, however long the test takes. */
const justNow = -600;

/** Stores a lease holder with one leased job, received activity and delivery. */
async function insertLease(
  { clock, db }: TestServer,
  secondsSinceBeat: number,
): Promise<{ id: string; lockKey: number }> {
  const id = randomUUID();
  const { rows } = await sql<{ lock_key: number }>`insert into lease_holders (id, beat_at)
    values (${id}, now() - make_interval(secs => ${secondsSinceBeat})) returning lock_key`.execute(db);
  const lease = new Date(clock.now().getTime() + 300_000);
  const now = clock.now();
  await sql`insert into jobs (queue, name, data, run_at, leased_until, lease_holder)
    values ('default', 'unknown', '{}', ${now}, ${lease}, ${id})`.execute(db);
  await sql`insert into inbox_activities (actor_uri, signer_uri, signer_host, body, run_at, leased_until, lease_holder)
    values ('https://far.test/a', 'https://far.test/a', 'far.test', '{}', ${now}, ${lease}, ${id})`.execute(db);
  await sql`with activity as (
      insert into activities (id, sender_account_id, body, digest, created_at)
      values (${rows[0]?.lock_key}, 1, '{}', '', ${now}) returning id)
    insert into deliveries (activity_id, host, inbox_url, run_at, leased_until, lease_holder)
    select id, 'far.test', 'https://far.test/inbox', ${now}, ${lease}, ${id} from activity`.execute(db);
  return { id, lockKey: rows[0]?.lock_key ?? 0 };
}

/** Counts the leases of a process in each table. */
async function countLeases(app: App, id: string): Promise<number[]> {
  const tables = ['jobs', 'inbox_activities', 'deliveries'] as const;
  const count = (table: (typeof tables)[number]) =>
    app.db.selectFrom(table).select('leased_until').where('lease_holder', '=', id).execute();
  return (await Promise.all(tables.map(count))).map((rows) => rows.length);
}

test('a process frees leases that it may have without knowing of them, and goes on as a new holder', async () => {
  await using server = await startServer();
  const { app } = server;
  server.expectPendingJobs('unknown');
  const holder = new LeaseHolder(app);
  await holder.start(workers);
  const { id } = holder;
  const lost = await insertLease(server, justNow);
  for (const table of ['jobs', 'inbox_activities', 'deliveries'] as const)
    await server.db.updateTable(table).set({ lease_holder: id }).where('lease_holder', '=', lost.id).execute();
  holder.doubtLeases();
  await expect.poll(() => countLeases(app, id)).toEqual([0, 0, 0]);
  await expect.poll(() => holder.id).not.toBe(id);
  await holder.stop();
});

test('the leases of a dead process are released when another one starts, whatever their process ids', async () => {
  await using server = await startServer();
  const { app } = server;
  const dead = await insertLease(server, 6);
  server.expectPendingJobs('unknown');
  const holder = new LeaseHolder(app);
  await holder.start(workers);
  expect(await countLeases(app, dead.id)).toEqual([0, 0, 0]);
  const jobs = await app.db.selectFrom('jobs').select(['leased_until', 'attempts']).execute();
  expect(jobs).toEqual([{ leased_until: null, attempts: 0 }]);
  const { rows } = await sql<{ id: string }>`select id from lease_holders`.execute(app.db);
  expect(rows).toEqual([{ id: holder.id }]);
  await holder.stop();
  expect((await sql`select id from lease_holders`.execute(app.db)).rows).toEqual([]);
});

/** Sets the process of a lease holder. */
async function setProcess(
  { db }: TestServer,
  id: string,
  { machine = currentMachine() ?? '', pid, started }: ProcessIdentity & { readonly machine?: string },
): Promise<void> {
  await db
    .updateTable('lease_holders')
    .set({ machine, process_id: pid, process_started: started })
    .where('id', '=', id)
    .execute();
}

/** Starts a process and ends it. */
async function endProcess(): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = identifyProcess(child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return identity;
}

test('the leases of a process of this machine that was killed just now are released as soon as another one starts', async () => {
  await using server = await startServer();
  const { app } = server;
  server.expectPendingJobs('unknown');
  server.expectUndelivered('far.test');
  const [killed, reused, living, elsewhere, locked] = [
    await insertLease(server, justNow),
    await insertLease(server, justNow),
    await insertLease(server, justNow),
    await insertLease(server, justNow),
    await insertLease(server, justNow),
  ];
  const ended = await endProcess();
  const own = currentProcessIdentity();
  await setProcess(server, killed.id, ended);
  await setProcess(server, reused.id, { ...own, started: ended.started });
  await setProcess(server, living.id, own);
  await setProcess(server, elsewhere.id, { ...ended, machine: 'another' });
  await setProcess(server, locked.id, ended);
  const connection = await app.pool.connect();
  await connection.query('select pg_advisory_lock($1, $2)', [0x46_46_4c_48, locked.lockKey]);
  const holder = new LeaseHolder(app);
  await holder.start(workers);
  const all = [killed, reused, living, elsewhere, locked];
  expect(await Promise.all(all.map(({ id }) => countLeases(app, id)))).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
  ]);
  connection.release(true);
  await holder.stop();
});

test('a process that lost its leases gives up what it did not begin', async () => {
  await using server = await startServer();
  const { app } = server;
  const released: string[] = [];
  const watched = workers.map((worker) => ({ ...worker, releaseUnstarted: () => void released.push(worker.name) }));
  const holder = new LeaseHolder(app);
  await holder.start(watched);
  expect(released).toEqual([]);
  await sql`delete from lease_holders`.execute(server.db);
  await expect.poll(() => released).toEqual(workers.map(({ name }) => name));
  await holder.stop();
});

test('a process that is too busy for a heartbeat, or was disconnected just now, keeps its leases', async () => {
  await using server = await startServer();
  const { app } = server;
  const busy = await insertLease(server, 3_600);
  const disconnected = await insertLease(server, justNow);
  server.expectPendingJobs('unknown');
  server.expectUndelivered('far.test');
  const connection = await app.pool.connect();
  try {
    await connection.query('select pg_advisory_lock($1, $2)', [0x46_46_4c_48, busy.lockKey]);
    const holder = new LeaseHolder(app);
    await holder.start(workers);
    expect([await countLeases(app, busy.id), await countLeases(app, disconnected.id)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    await connection.query('select pg_advisory_unlock_all()');
    await expect.poll(() => countLeases(app, busy.id)).toEqual([0, 0, 0]);
    await holder.stop();
  } finally {
    connection.release();
  }
});

test('a process whose connection breaks keeps its id and takes its lock again', async () => {
  await using server = await startServer();
  const { app } = server;
  const holder = new LeaseHolder(app);
  await holder.start(workers);
  const { id } = holder;
  const sessions = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      app.db,
    );
    return rows.map(({ pid }) => pid);
  };
  const [first] = await sessions();
  await sql`select pg_terminate_backend(${first}::int)`.execute(app.db);
  await expect.poll(async () => (await sessions()).filter((pid) => pid !== first).length).toBe(1);
  expect(holder.id).toBe(id);
  await holder.stop();
});

test('a process that was considered dead takes a new id', async () => {
  await using server = await startServer();
  const { app } = server;
  const holder = new LeaseHolder(app);
  await holder.start(workers);
  const { id } = holder;
  await sql`delete from lease_holders`.execute(server.db);
  await expect.poll(() => holder.id !== id).toBe(true);
  await holder.stop();
});

test('a process records no result after it has lost the lease', async () => {
  await using server = await startServer();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const job = defineJob('long', Type.Object({}), async () => {
    started.resolve();
    await finish.promise;
  });
  const app = { ...server.app, subscriptions: indexSubscriptions([job.subscription]) };
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  const [worker] = queueWorkers;
  const run = worker?.run(app);
  await started.promise;
  const other = randomUUID();
  await server.db.updateTable('jobs').set({ lease_holder: other, attempts: 2 }).execute();
  server.expectPendingJobs('long');
  finish.resolve();
  await run;
  expect(await app.db.selectFrom('jobs').select(['lease_holder', 'attempts']).execute()).toEqual([
    { lease_holder: other, attempts: 2 },
  ]);
});

test('work that exceeds the time limit of a stop is released immediately for the next process', async () => {
  await using server = await startServer();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const job = defineJob('endless', Type.Object({}), async () => {
    started.resolve();
    await finish.promise;
  });
  const app = { ...server.app, subscriptions: indexSubscriptions([job.subscription]) };
  // Only the App above has the job.
  server.expectPendingJobs('endless');
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  const stop = await startWorkers(app);
  await started.promise;
  expect(await stop(1)).toBe(false);
  expect(await app.db.selectFrom('jobs').select(['lease_holder', 'leased_until']).execute()).toEqual([
    { lease_holder: null, leased_until: null },
  ]);
  finish.resolve();
});

test('jobs that an earlier release stored in another queue run in their current queue', async () => {
  await using server = await startServer();
  const runs: string[] = [];
  const job = defineJob('old', Type.Object({}), async () => void runs.push('old'), 'mail');
  const app = { ...server.app, subscriptions: indexSubscriptions([job.subscription]) };
  await transaction(app, async ({ enqueue }) => enqueue(job({})));
  await server.db.updateTable('jobs').set({ queue: 'slow' }).execute();
  for (const worker of queueWorkers) await worker.run(app);
  expect(runs).toEqual([]);
  await requeueJobs(app);
  for (const worker of queueWorkers) await worker.run(app);
  expect(runs).toEqual(['old']);
});
