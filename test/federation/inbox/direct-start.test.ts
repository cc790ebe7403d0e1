import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { acceptActivity } from '../../../server/federation/inbox/accept-activity.ts';
import { reserveActivity } from '../../../server/federation/inbox/activity-intake.ts';
import { inboxWorker } from '../../../server/federation/inbox/worker.ts';
import type { App } from '../../../server/platform/app.ts';
import { WorkerLoop } from '../../../server/platform/work/worker-loop.ts';
import { StoredFetchBudget } from '../../../server/platform/outgoing/fetch-budget.ts';
import { failStatements } from '../../record-statements.ts';
import { startServer, type TestServer } from '../../server.ts';
import { PeerActor } from '../peer.ts';
import { storeSigners } from './scene-of-signers.ts';

type Json = Readonly<Record<string, unknown>>;

const actors = (count: number): PeerActor[] =>
  Array.from({ length: count }, (_, n) => new PeerActor(`host${n}.test`, `eve${n}`));

/** Accepts an activity as the inbox does. */
const accept = async (app: App, activity: Json): Promise<void> =>
  acceptActivity(app, {
    key: String(activity['id']),
    actorUri: String(activity['actor']),
    signerUri: String(activity['actor']),
    inboxAccountId: undefined,
    forwarded: false,
    body: JSON.stringify(activity),
    fetchBudgetId: await new StoredFetchBudget(app).store(),
    traceParent: null,
  });

/** Starts the inbox worker and waits until it has room. Alice follows the signers. */
async function startWorker(server: TestServer, signers: readonly PeerActor[]) {
  const { id } = await server.user('alice');
  await storeSigners(server, signers, [id]);
  const app: App = { ...server.app, reportJobFailure: () => {}, wakeWorkers: (names) => loop.wake(names) };
  const loop = new WorkerLoop(app, [inboxWorker]);
  loop.start();
  await expect
    .poll(() => {
      const reservation = reserveActivity(app, { body: '' });
      reservation?.cancel();
      return reservation !== undefined;
    })
    .toBe(true);
  return { app, loop };
}

/** Records updates of waiting activities with a trigger, and returns a function that counts them. */
async function recordUpdates({ pool }: TestServer): Promise<() => Promise<number>> {
  await pool.query(`
    create table activity_updates (id bigint);
    create function record_activity_update() returns trigger language plpgsql as $$ begin
      insert into activity_updates values (new.id);
      return null;
    end $$;
    create trigger record_activity_update after update on inbox_activities
      for each row execute function record_activity_update()`);
  return async () => (await pool.query('select from activity_updates')).rowCount ?? 0;
}

const waiting = ({ db }: TestServer) =>
  db
    .selectFrom('inbox_activities')
    .select(['actor_uri as actor', 'attempts', 'lease_holder as holder'])
    .orderBy('id')
    .execute();

const waitUntilEmpty = (server: TestServer) => expect.poll(() => waiting(server)).toEqual([]);

const storedUris = async ({ db }: TestServer): Promise<string[]> =>
  (await db.selectFrom('statuses').select('uri').where('deleted_at', 'is', null).execute())
    .map(({ uri }) => uri)
    .toSorted();

test('FED-03: the process that accepts an activity runs it without a claim', async () => {
  await using server = await startServer();
  const signers = actors(40);
  const { app, loop } = await startWorker(server, signers);
  const countUpdates = await recordUpdates(server);
  await Promise.all(signers.map((signer) => accept(app, signer.create(signer.note(1)))));
  await waitUntilEmpty(server);
  expect(await storedUris(server)).toEqual(signers.map(({ uri }) => `${uri}/notes/1`).toSorted());
  expect(await countUpdates()).toBe(0);
  await loop.stop();
  await server.drain();
});

test('FED-03: a copy of an activity that arrives with it is not run', async () => {
  await using server = await startServer();
  const [eve] = actors(1) as [PeerActor];
  const { app, loop } = await startWorker(server, [eve]);
  const create = eve.create(eve.note(1));
  await Promise.all([accept(app, create), accept(app, create), accept(app, create)]);
  await waitUntilEmpty(server);
  expect(await storedUris(server)).toEqual([`${eve.uri}/notes/1`]);
  await expect.poll(() => reserveActivity(app, { body: '' })?.cancel()).toBe(undefined);
  await loop.stop();
  await server.drain();
});

test('FED-03: activities of a signer that arrive together, or while one runs, keep their order', async () => {
  await using server = await startServer();
  const [eve, other] = actors(2) as [PeerActor, PeerActor];
  const { app, loop } = await startWorker(server, [eve, other]);
  const locker = await server.pool.connect();
  await locker.query(`begin read write; select from account_stats
    where account_id = (select id from accounts where username = 'eve0') for update`);
  await Promise.all([accept(app, eve.create(eve.note(1))), accept(app, eve.activity('Delete', `${eve.uri}/notes/1`))]);
  await accept(app, eve.create(eve.note(2)));
  await accept(app, eve.activity('Delete', `${eve.uri}/notes/2`));
  await accept(app, other.create(other.note(1)));
  await expect.poll(() => storedUris(server)).toEqual([`${other.uri}/notes/1`]);
  await expect.poll(async () => (await waiting(server)).map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0]);
  await locker.query('commit');
  locker.release();
  await waitUntilEmpty(server);
  expect(await storedUris(server)).toEqual([`${other.uri}/notes/1`]);
  const deleted = await server.db.selectFrom('tombstones').select('uri').execute();
  expect(deleted).toHaveLength(2);
  await loop.stop();
  await server.drain();
});

test('FED-03: an activity that fails is retried alone, before later ones of its signer', async () => {
  await using server = await startServer();
  const signers = actors(3);
  const { app, loop } = await startWorker(server, signers);
  await sql`alter table statuses add constraint no_eve1 check (uri not like '%eve1/notes/1')`.execute(server.db);
  await Promise.all(signers.map((signer) => accept(app, signer.create(signer.note(1)))));
  const failed = { actor: signers[1]?.uri, attempts: 1, holder: null };
  await expect.poll(() => waiting(server)).toEqual([failed]);
  await Promise.all(signers.map((signer) => accept(app, signer.create(signer.note(2)))));
  await expect.poll(() => waiting(server)).toEqual([failed, { ...failed, attempts: 0 }]);
  const stored = [signers[0], signers[2]].flatMap((signer) => [`${signer?.uri}/notes/1`, `${signer?.uri}/notes/2`]);
  expect(await storedUris(server)).toEqual(stored.toSorted());
  await loop.stop();
  await server.db.deleteFrom('inbox_activities').execute();
  await server.drain();
});

test('FED-03: an activity that cannot be stored frees its room', async () => {
  await using server = await startServer();
  const signers = actors(40);
  const { app, loop } = await startWorker(server, signers);
  const countUpdates = await recordUpdates(server);
  const acceptAll = () => Promise.allSettled(signers.map((signer) => accept(app, signer.create(signer.note(1)))));
  {
    using _failure = failStatements('40001', (text) => text.includes('into received_activities'));
    for (let n = 0; n < 3; n += 1) expect((await acceptAll()).every(({ status }) => status === 'rejected')).toBe(true);
  }
  await acceptAll();
  await waitUntilEmpty(server);
  expect(await storedUris(server)).toHaveLength(40);
  expect(await countUpdates()).toBe(0);
  await loop.stop();
  await server.drain();
});
