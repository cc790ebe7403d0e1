import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storeActivity } from '../../server/federation/delivery/store-activity.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import { Network } from '../network.ts';
import { assertServersFinished } from '../unfinished-servers.ts';
import { startServer, type TestServer } from '../server.ts';

const leftovers = /^the test left work behind:\n/;

/** Stores a job without a handler. */
async function storeUnknownJob({ db, clock }: TestServer, leasedUntil: Date | null = null): Promise<void> {
  await sql`insert into jobs (queue, name, data, run_at, leased_until)
    values ('default', 'unknown', '{}', ${clock.now()}, ${leasedUntil})`.execute(db);
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
  await storeUnknownJob(server);
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow(leftovers);
  await using other = await startServer();
  await storeUnknownJob(other);
  other.expectFailedJobs('unknown');
});

test('a failed job that waits for a retry fails the test', async () => {
  const server = await startServer();
  await storeUnknownJob(server);
  await expect(server.drain()).rejects.toThrow('the job unknown failed');
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow(
    'failed: unknown (Error: no job handler is named unknown)',
  );
});

test('a job that is still due at the end fails the test, unless it was declared', async () => {
  const server = await startServer();
  await storeUnknownJob(server, later(server));
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('pending: unknown');
  await using other = await startServer();
  await storeUnknownJob(other, later(other));
  other.expectPendingJobs('unknown');
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
