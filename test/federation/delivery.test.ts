import { expect, test } from 'vitest';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { Peer, type PeerActor } from './peer.ts';
import { posted } from './two-servers.ts';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly alice: TestUser;
}

async function scene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  return { network, a, alice: await a.user('alice'), [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** A peer whose one actor follows alice. */
async function follower({ network, a }: Scene, host: string): Promise<Peer & { readonly follower: PeerActor }> {
  const peer = new Peer(network, host);
  const actor = peer.actor('fan');
  await actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);
  peer.received.length = 0;
  return Object.assign(peer, { follower: actor });
}

const types = (peer: Peer): unknown[] => peer.received.map(({ activity }) => activity['type']);
const left = (a: TestServer) => a.app.db.selectFrom('deliveries').select(['host', 'attempts', 'run_at']).execute();
const hour = 3600;

test('FED-06: a host that is down gets its post when it is back, and others do not wait for it', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  const dead = await follower(server, 'dead.test');
  const well = await follower(server, 'well.test');
  network.break('dead.test');
  await posted(alice, { status: 'Anybody?' });
  await a.drain();
  expect([types(well), types(dead)]).toEqual([['Create'], []]);
  expect(await left(a)).toMatchObject([{ host: 'dead.test', attempts: 1 }]);
  for (let round = 0; round < 5; round += 1) {
    a.clock.advance(hour);
    await a.drain();
  }
  network.mend('dead.test');
  a.clock.advance(12 * hour);
  await a.drain();
  expect(types(dead)).toEqual(['Create']);
  expect(await left(a)).toEqual([]);
  expect(await a.app.db.selectFrom('activities').select('id').execute()).toEqual([]);
});

test('FED-06: a host that keeps failing is left alone for a while, whatever is posted', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await follower(server, 'dead.test');
  network.break('dead.test');
  a.expectUndelivered('dead.test');
  await posted(alice, { status: 'One' });
  for (let round = 0; round < 4; round += 1) {
    await a.drain();
    a.clock.advance(hour);
  }
  const host = await a.app.db
    .selectFrom('hosts')
    .selectAll()
    .where('domain', '=', 'dead.test')
    .executeTakeFirstOrThrow();
  expect(host.failures).toBeGreaterThanOrEqual(3);
  await a.drain();
  network.requests.length = 0;
  await posted(alice, { status: 'Two' });
  await a.drain();
  expect(network.requests.filter(({ url }) => url.includes('dead.test'))).toEqual([]);
});

test('FED-06: what could not be delivered in two days is given up', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await follower(server, 'dead.test');
  network.break('dead.test');
  await posted(alice, { status: 'Lost' });
  for (let round = 0; round < 12; round += 1) {
    await a.drain();
    a.clock.advance(6 * hour);
  }
  expect(await left(a)).toEqual([]);
});

test('FED-06: a slow host does not hold up the others', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await follower(server, 'slow.test');
  const well = await follower(server, 'well.test');
  let release = () => {};
  const waiting = new Promise<void>((resolve) => (release = resolve));
  network.answer('slow.test', async () => {
    await waiting;
    return { status: 202 };
  });
  await posted(alice, { status: 'One' });
  const drained = a.drain();
  await expect.poll(() => types(well)).toEqual(['Create']);
  release();
  await drained;
  expect(await left(a)).toEqual([]);
});

test('FED-06: a process that dies while it delivers loses nothing', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await follower(server, 'peer.test');
  await posted(alice, { status: 'One' });
  const app = a.app;
  for (const subscription of ['deliver-post']) {
    const { data } = await app.db
      .selectFrom('jobs')
      .select('data')
      .where('name', '=', subscription)
      .executeTakeFirstOrThrow();
    await app.subscriptions.job(subscription)?.run(app, data);
  }
  await a.db.deleteFrom('jobs').execute();
  await a.db
    .updateTable('deliveries')
    .set({ leased_until: new Date(a.clock.now().getTime() + 120_000), attempts: 1 })
    .execute();
  await a.drain();
  expect(types(peer)).toEqual([]);
  a.clock.advance(121);
  await a.drain();
  expect(types(peer)).toEqual(['Create']);
});

test('FED-06: what is about one post keeps its order at a host that was down', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  const peer = await follower(server, 'peer.test');
  network.break('peer.test');
  const status = await posted(alice, { status: 'Short-lived' });
  await a.drain();
  await alice.delete(`/api/v1/statuses/${status.id}`);
  await a.drain();
  network.mend('peer.test');
  a.clock.advance(2 * hour);
  await a.drain();
  a.clock.advance(2 * hour);
  await a.drain();
  expect(types(peer)).toEqual(['Create', 'Delete']);
});

test('FED-06: servers with a shared inbox get one copy', async () => {
  await using server = await scene();
  const { a, alice, network } = server;
  const peer = new Peer(network, 'peer.test');
  for (const name of ['one', 'two', 'three']) {
    const actor = peer.actor(name);
    actor.document = { endpoints: { sharedInbox: 'https://peer.test/inbox' } };
    await actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'));
  }
  await a.drain();
  peer.received.length = 0;
  await posted(alice, { status: 'To all three' });
  await a.drain();
  expect(peer.received.map(({ path }) => path)).toEqual(['/inbox']);
});

test('FED-06: an inbox that is gone is forgotten, one that refuses is not asked again', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const gone = await follower(server, 'gone.test');
  const strict = await follower(server, 'strict.test');
  gone.answer = () => ({ status: 410 });
  strict.answer = () => ({ status: 403 });
  await posted(alice, { status: 'One' });
  await a.drain();
  await posted(alice, { status: 'Two' });
  await a.drain();
  expect([gone.received.length, strict.received.length]).toEqual([1, 2]);
  expect(await left(a)).toEqual([]);
});

test('FED-06: a host that asks to wait is waited for', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await follower(server, 'peer.test');
  peer.answer = () => ({ status: 429, headers: { 'retry-after': '7200' } });
  await posted(alice, { status: 'One' });
  await a.drain();
  peer.answer = () => ({ status: 202 });
  a.clock.advance(7100);
  await a.drain();
  expect(peer.received).toHaveLength(1);
  a.clock.advance(200);
  await a.drain();
  expect(peer.received).toHaveLength(2);
});

test('FED-06: the dialect that a host wants is found and remembered', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await follower(server, 'peer.test');
  peer.answer = () => ({ status: peer.received.at(-1)?.headers['signature-input'] === undefined ? 401 : 202 });
  await posted(alice, { status: 'One' });
  await a.drain();
  expect(peer.received.map(({ headers }) => headers['signature-input'] !== undefined)).toEqual([false, true]);
  await posted(alice, { status: 'Two' });
  await a.drain();
  expect(peer.received.map(({ headers }) => headers['signature-input'] !== undefined)).toEqual([false, true, true]);
});

test('FED-06: no private key is stored with what waits to be delivered', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await follower(server, 'dead.test');
  network.break('dead.test');
  a.expectUndelivered('dead.test');
  await posted(alice, { status: 'One' });
  await a.drain();
  const rows = JSON.stringify([
    await a.app.db.selectFrom('activities').selectAll().execute(),
    await a.app.db.selectFrom('deliveries').selectAll().execute(),
  ]);
  expect(rows).not.toContain('PRIVATE');
});
