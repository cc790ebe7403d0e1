import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { postStatus } from '../two-servers.ts';

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

/** A peer whose only actor follows alice. */
async function peerWithFollower({ network, a }: Scene, host: string): Promise<Peer & { readonly follower: PeerActor }> {
  const peer = new Peer(network, host);
  const actor = peer.actor('fan');
  await actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);
  peer.received.length = 0;
  return Object.assign(peer, { follower: actor });
}

const receivedTypes = (peer: Peer): unknown[] => peer.received.map(({ activity }) => activity['type']);
const pendingDeliveries = (a: TestServer) =>
  a.app.db.selectFrom('deliveries').select(['host', 'attempts', 'run_at']).execute();
const hourSeconds = 3600;

test('FED-06: a post after the first remote follow is delivered, and one after the last unfollow is not', async () => {
  await using server = await scene();
  const { a, alice } = server;
  await postStatus(alice, { status: 'Nobody follows' });
  await a.drain();
  const peer = await peerWithFollower(server, 'first.test');
  await postStatus(alice, { status: 'For my follower' });
  await postStatus(alice, { status: 'And again' });
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create', 'Create']);
  const { follower } = peer;
  const follow = follower.activity('Follow', 'https://a.test/users/alice');
  await follower.send(a, follower.activity('Undo', follow));
  await a.drain();
  await postStatus(alice, { status: 'Nobody follows again' });
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create', 'Create']);
});

test('FED-06: a host that was down receives its posts when it is back, without delaying other hosts', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  const dead = await peerWithFollower(server, 'dead.test');
  const well = await peerWithFollower(server, 'well.test');
  network.takeDown('dead.test');
  await postStatus(alice, { status: 'Anybody?' });
  await a.drain();
  expect([receivedTypes(well), receivedTypes(dead)]).toEqual([['Create'], []]);
  expect(await pendingDeliveries(a)).toMatchObject([{ host: 'dead.test', attempts: 1 }]);
  for (let round = 0; round < 5; round += 1) {
    a.clock.advance(hourSeconds);
    await a.drain();
  }
  network.bringUp('dead.test');
  a.clock.advance(12 * hourSeconds);
  await a.drain();
  expect(receivedTypes(dead)).toEqual(['Create']);
  expect(await pendingDeliveries(a)).toEqual([]);
  expect(await a.app.db.selectFrom('activities').select('id').execute()).toEqual([]);
});

test('FED-06: a host that keeps failing is not tried again during its pause, whatever is posted', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await peerWithFollower(server, 'dead.test');
  network.takeDown('dead.test');
  a.expectUndelivered('dead.test');
  await postStatus(alice, { status: 'One' });
  for (let round = 0; round < 4; round += 1) {
    await a.drain();
    a.clock.advance(hourSeconds);
  }
  const host = await a.app.db
    .selectFrom('hosts')
    .selectAll()
    .where('domain', '=', 'dead.test')
    .executeTakeFirstOrThrow();
  expect(host.failures).toBeGreaterThanOrEqual(3);
  await a.drain();
  network.requests.length = 0;
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect(network.requests.filter(({ url }) => url.includes('dead.test'))).toEqual([]);
});

test('FED-06: a delivery is discarded after two days of failures', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await peerWithFollower(server, 'dead.test');
  network.takeDown('dead.test');
  await postStatus(alice, { status: 'Lost' });
  for (let round = 0; round < 12; round += 1) {
    await a.drain();
    a.clock.advance(6 * hourSeconds);
  }
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: a slow host does not delay the others', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await peerWithFollower(server, 'slow.test');
  const well = await peerWithFollower(server, 'well.test');
  let release = () => {};
  const waiting = new Promise<void>((resolve) => (release = resolve));
  network.addHost('slow.test', async () => {
    await waiting;
    return { status: 202 };
  });
  await postStatus(alice, { status: 'One' });
  const drained = a.drain();
  await expect.poll(() => receivedTypes(well)).toEqual(['Create']);
  release();
  await drained;
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: no delivery is lost when a process dies while it delivers', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await peerWithFollower(server, 'peer.test');
  await postStatus(alice, { status: 'One' });
  const app = a.app;
  for (const subscription of ['status.deliver_create']) {
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
  expect(receivedTypes(peer)).toEqual([]);
  a.clock.advance(121);
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create']);
});

test('FED-06: activities about one post keep their order at a host that was down', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  const peer = await peerWithFollower(server, 'peer.test');
  network.takeDown('peer.test');
  const status = await postStatus(alice, { status: 'Short-lived' });
  await a.drain();
  await alice.delete(`/api/v1/statuses/${status.id}`);
  await a.drain();
  network.bringUp('peer.test');
  a.clock.advance(2 * hourSeconds);
  await a.drain();
  a.clock.advance(2 * hourSeconds);
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create', 'Delete']);
});

test('FED-06: accounts with a shared inbox get one copy', async () => {
  await using server = await scene();
  const { a, alice, network } = server;
  const peer = new Peer(network, 'peer.test');
  for (const name of ['one', 'two', 'three']) {
    const actor = peer.actor(name);
    actor.documentOverrides = { endpoints: { sharedInbox: 'https://peer.test/inbox' } };
    await actor.send(a, actor.activity('Follow', 'https://a.test/users/alice'));
  }
  await a.drain();
  peer.received.length = 0;
  await postStatus(alice, { status: 'To all three' });
  await a.drain();
  expect(peer.received.map(({ path }) => path)).toEqual(['/inbox']);
});

test('FED-06: an inbox that is gone is not tried again, and an activity that an inbox refuses is not sent again', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const gone = await peerWithFollower(server, 'gone.test');
  const strict = await peerWithFollower(server, 'strict.test');
  gone.respond = () => ({ status: 410 });
  strict.respond = () => ({ status: 403 });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect([gone.received.length, strict.received.length]).toEqual([1, 2]);
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: Retry-After is obeyed', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await peerWithFollower(server, 'peer.test');
  peer.respond = () => ({ status: 429, headers: { 'retry-after': '7200' } });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  peer.respond = () => ({ status: 202 });
  a.clock.advance(7100);
  await a.drain();
  expect(peer.received).toHaveLength(1);
  a.clock.advance(200);
  await a.drain();
  expect(peer.received).toHaveLength(2);
});

test('FED-06: the signature dialect that a host accepts is detected and remembered', async () => {
  await using server = await scene();
  const { a, alice } = server;
  const peer = await peerWithFollower(server, 'peer.test');
  peer.respond = () => ({ status: peer.received.at(-1)?.headers['signature-input'] === undefined ? 401 : 202 });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  expect(peer.received.map(({ headers }) => headers['signature-input'] !== undefined)).toEqual([false, true]);
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect(peer.received.map(({ headers }) => headers['signature-input'] !== undefined)).toEqual([false, true, true]);
});

test('FED-06: no private key is stored with pending deliveries', async () => {
  await using server = await scene();
  const { network, a, alice } = server;
  await peerWithFollower(server, 'dead.test');
  network.takeDown('dead.test');
  a.expectUndelivered('dead.test');
  await postStatus(alice, { status: 'One' });
  await a.drain();
  const rows = JSON.stringify([
    await a.app.db.selectFrom('activities').selectAll().execute(),
    await a.app.db.selectFrom('deliveries').selectAll().execute(),
  ]);
  expect(rows).not.toContain('PRIVATE');
});
