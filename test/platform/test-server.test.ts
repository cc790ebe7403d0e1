import { sql } from 'kysely';
import pg from 'pg';
import { Type } from 'typebox';
import { expect, inject, test } from 'vitest';
import { storeActivity } from '../../server/federation/delivery/store-activity.ts';
import { defineJob } from '../../server/platform/work/define-job.ts';
import { indexSubscriptions } from '../../server/platform/write/reactions.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { Network } from '../network.ts';
import { assertServersFinished } from '../unfinished-servers.ts';
import { startServer, type TestServer } from '../server.ts';

const leftovers = /^the test left work behind:\n/;

const broken = defineJob('broken', Type.Object({}), () => Promise.reject(new Error('no')));

/** Stores a job that fails. */
async function storeBrokenJob({ app, db, clock }: TestServer, leasedUntil: Date | null = null): Promise<void> {
  Object.assign(app, { subscriptions: indexSubscriptions([broken.subscription]) });
  await sql`insert into jobs (queue, name, data, run_at, leased_until)
    values ('default', 'broken', '{}', ${clock.now()}, ${leasedUntil})`.execute(db);
}

async function sendTo(host: string, server: TestServer): Promise<void> {
  const { id: senderId } = await server.user('alice');
  await transaction(server.app, (tx) =>
    storeActivity(tx, server.app, {
      senderId,
      activity: { type: 'Create' },
      inboxes: [`https://${host}/inbox`],
      orderKey: 'x',
    }),
  );
}

const later = ({ clock }: TestServer): Date => new Date(clock.now().getTime() + 300_000);

test('a job that fails after the last line of a test fails the test, unless it was declared', async () => {
  const server = await startServer();
  await storeBrokenJob(server);
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow(leftovers);
  await using other = await startServer();
  await storeBrokenJob(other);
  other.expectFailedJobs('broken');
});

test('a failed job that waits for a retry fails the test', async () => {
  const server = await startServer();
  await storeBrokenJob(server);
  await expect(server.drain()).rejects.toThrow('the job broken failed');
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('failed: broken (Error: no)');
});

test('a job that is still due at the end fails the test, unless it was declared', async () => {
  const server = await startServer();
  await storeBrokenJob(server, later(server));
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('pending: broken');
  await using other = await startServer();
  await storeBrokenJob(other, later(other));
  other.expectPendingJobs('broken');
});

test('a received activity that was not processed fails the test', async () => {
  const server = await startServer();
  await sql`insert into inbox_activities (actor_uri, signer_uri, signer_host, body, run_at, leased_until)
    values ('https://far.test/a', 'https://far.test/a', 'far.test', '{}', ${server.clock.now()}, ${later(server)})`.execute(
    server.db,
  );
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('pending: inbox');
});

test('an undelivered activity fails the test, unless it was declared', async () => {
  const server = await startServer();
  await sendTo('far.test', server);
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('undelivered: far.test (no host answers');
  await using other = await startServer();
  await sendTo('far.test', other);
  other.expectUndelivered('far.test');
});

test('the servers of a network are reported with their leftovers, and all of them are closed', async () => {
  const network = new Network();
  const [a, b] = [await network.start('a.test'), await network.start('b.test')];
  await sendTo('nowhere.test', b);
  await expect(network[Symbol.asyncDispose]()).rejects.toThrow('b.test: undelivered: nowhere.test');
  for (const { app } of [a, b]) await expect(app.pool.query('select 1')).rejects.toThrow('after calling end');
});

test('a declared failure that does not happen fails the test', async () => {
  const server = await startServer();
  server.expectFailedJobs('one');
  server.expectPendingJobs('two');
  server.expectUndelivered('three.test');
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow(
    /declared as failed, but is not: one\ndeclared as pending, but is not: two\ndeclared as undelivered, but is not: three.test$/,
  );
});

test('work scheduled for later does not count as a leftover', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.post('/api/v1/statuses', { status: 'Which?', poll: { options: ['a', 'b'], expires_in: 600 } });
});

test('a server that a test does not dispose of, or closes without a check, fails the file', async () => {
  await using disposed = await startServer();
  await disposed.finish();
  assertServersFinished();
  const forgotten = await startServer();
  expect(assertServersFinished).toThrow(/^these tests did not dispose of a server:\na server that a test does not/);
  await forgotten.close();
  const closed = await startServer();
  await closed.close();
  expect(assertServersFinished).toThrow('these tests did not dispose of a server');
  const network = new Network();
  await network.start('a.test');
  await network[Symbol.asyncDispose]();
  expect(assertServersFinished).not.toThrow();
});

const nameOf = ({ pool }: TestServer): string => pool.options.database ?? '';

/** Returns what a test could notice of an earlier one in its database, over each open connection of the server. */
async function readDatabase({ app, pool }: TestServer) {
  const counts = await pool.query<{ name: string; count: number }>(
    `select relname as name, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname),
        false, true, '')))[1]::text::int as count
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const { rows: sequences } = await pool.query(`select sequencename, last_value from pg_sequences`);
  const { rows: roles } = await pool.query('select * from roles order by id');
  const { rows: locks } = await pool.query(`select objid from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`);
  const clients = await Promise.all(
    [app.pool, pool].flatMap((each) => Array.from({ length: each.options.max }, () => each.connect())),
  );
  const sessions = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query(`select current_setting('work_mem') as work_mem,
        (select array_agg(channel) from pg_listening_channels() channel) as channels, current_user = session_user as role,
        current_setting('default_transaction_read_only') as read_only, current_setting('session_replication_role') as replica`);
      client.release();
      return JSON.stringify(rows);
    }),
  );
  const filled = counts.rows.filter(({ count }) => count > 0);
  return { filled, sequences, roles, locks, sessions: [...new Set(sessions)].toSorted() };
}

test('a server that gets the database of an earlier one sees nothing of it', async () => {
  const first = await startServer();
  const name = nameOf(first);
  const before = await readDatabase(first);
  expect(before.filled.map((table) => table.name).toSorted()).toEqual(['migrations', 'roles', 'username_blocks']);
  const alice = await first.user('alice');
  await alice.post('/api/v1/statuses', { status: 'Hello', poll: { options: ['a', 'b'], expires_in: 600 } });
  await sql`insert into jobs (queue, name, data, run_at) values ('default', 'x', '{}', now() + interval '1 year')`.execute(
    first.db,
  );
  for (const pool of [first.app.pool, first.pool]) {
    const client = await pool.connect();
    await client.query(`listen planted; select pg_advisory_lock(pg_backend_pid()); set work_mem = '1MB';
      set session_replication_role = replica; set default_transaction_read_only = off`);
    client.release();
  }
  const { sessions, locks, sequences } = await readDatabase(first);
  expect([sessions.length, locks.length]).toEqual([3, 2]);
  expect(sequences).not.toEqual(before.sequences);
  await first[Symbol.asyncDispose]();
  await expect(first.app.pool.query('select 1')).rejects.toThrow('after calling end');
  await expect(first.pool.query('select 1')).rejects.toThrow('after calling end');
  await using second = await startServer();
  expect(nameOf(second)).toBe(name);
  expect(await readDatabase(second)).toEqual(before);
});

/** Changes of a database that no later server may get. */
const changes: Readonly<Record<string, string>> = {
  'a new table': 'create table planted (id int)',
  'a temporary table': 'create temporary table planted (id int)',
  'a new column': 'alter table lists add column planted int',
  'a column without its default': 'alter table jobs alter column attempts drop default',
  'a new constraint': 'alter table lists add constraint planted check (title is not null)',
  'a missing index': 'drop index statuses_account',
  'a new function': 'create function planted() returns int language sql as $$select 1$$',
  'planner statistics': 'analyze roles',
  'a large table':
    "insert into tombstones (uri, created_at) select repeat('x', 900) || n, now() from generate_series(1, 200) n",
  'a setting of the database':
    'do $$begin execute format($x$alter database %I set work_mem = 1024$x$, current_database()); end$$',
};

test.each(Object.entries(changes))('the database of a server is not used again with %s', async (_name, change) => {
  const first = await startServer();
  await first.pool.query(change);
  await first[Symbol.asyncDispose]();
  await using second = await startServer();
  expect(nameOf(second)).not.toBe(nameOf(first));
});

test('the database of a server is not used again while another connection is open', async () => {
  const first = await startServer();
  const other = new pg.Client({ ...inject('connection'), database: nameOf(first) });
  other.on('error', () => {});
  await other.connect();
  await first[Symbol.asyncDispose]();
  await using second = await startServer();
  expect(nameOf(second)).not.toBe(nameOf(first));
  await expect(other.query('select 1')).rejects.toThrow();
});
