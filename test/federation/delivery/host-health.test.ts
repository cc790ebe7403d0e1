import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { OutgoingError } from '../../../server/platform/outgoing/outgoing-error.ts';
import { ProxyUnavailable } from '../../../server/platform/outgoing/proxy-unavailable.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { postStatus, resolveStatusOn } from '../two-servers.ts';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly alice: TestUser;
  readonly peer: Peer;
  /** A remote account that follows alice. */
  readonly follower: PeerActor;
}

const aliceUri = 'https://a.test/users/alice';

async function scene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const follower = peer.actor('fan');
  await follow(a, follower);
  peer.received.length = 0;
  return { network, a, alice, peer, follower, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

async function follow(a: TestServer, actor: PeerActor): Promise<void> {
  await actor.send(a, actor.activity('Follow', aliceUri));
  await a.drain();
}

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
const receivedTypes = (peer: Peer): unknown[] => peer.received.map(({ activity }) => activity['type']);
const pendingDeliveries = (a: TestServer) =>
  a.app.db.selectFrom('deliveries').select(['host', 'attempts', 'run_at']).orderBy('id').execute();

/** Posts and advances the clock, so that the host fails several times in a row. */
async function failFor({ a, alice }: Scene, rounds: number): Promise<void> {
  await postStatus(alice, { status: 'Anybody?' });
  for (let round = 0; round < rounds; round += 1) {
    await a.drain();
    a.clock.advance(6 * hourSeconds);
  }
}

test('FED-06: a shortage of this machine or of its proxy is no failure of a host, and the delivery is retried', async () => {
  await using s = await scene();
  const { a, alice, network, peer } = s;
  a.expectFailedJobs('deliver to peer.test');
  const causes = [
    new ProxyUnavailable('connect ECONNREFUSED'),
    Object.assign(new Error('too many files'), { code: 'EMFILE' }),
  ];
  for (const cause of causes) {
    network.addHost('peer.test', () => {
      throw new OutgoingError('unreachable', 'peer.test: no answer', { cause });
    });
    await postStatus(alice, { status: 'During a shortage' });
    await a.drain();
  }
  const { rows } = await sql<{ failures: number }>`
    select failures from hosts where domain = 'peer.test' and (failures > 0 or failing_since is not null)`.execute(
    a.app.db,
  );
  expect(rows).toEqual([]);
  expect((await pendingDeliveries(a)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  const back = new Peer(network, 'peer.test');
  a.clock.advance(hourSeconds);
  await a.drain();
  expect(receivedTypes(back)).toEqual(['Create', 'Create']);
  expect(receivedTypes(peer)).toEqual([]);
});

test('FED-06: a verified activity from a host closes its circuit breaker immediately', async () => {
  await using s = await scene();
  const { a, network, peer, follower } = s;
  network.takeDown('peer.test');
  await failFor(s, 4);
  await a.drain();
  const [waiting] = await pendingDeliveries(a);
  expect(waiting?.run_at.getTime()).toBeGreaterThan(a.clock.now().getTime());
  network.bringUp('peer.test');
  const mallory = new Peer(network, 'bad.test').actor('mallory');
  // Otherwise the fetch of its key would show that the host is alive.
  peer.statuses.set(new URL(follower.uri).pathname, 404);
  expect(
    await follower.send(a, follower.activity('Like', aliceUri), {
      as: { keyId: follower.keyId, privateKey: mallory.privateKey },
    }),
  ).toBe(401);
  await mallory.send(a, follower.activity('Like', `${aliceUri}#other`));
  await a.drain();
  expect(receivedTypes(peer)).toEqual([]);
  peer.statuses.clear();
  expect(await follower.send(a, follower.activity('Like', aliceUri))).toBe(202);
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create']);
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: activities of a healthy host do not write to its health row', async () => {
  await using s = await scene();
  const { a, alice, follower } = s;
  await postStatus(alice, { status: 'One' });
  await a.drain();
  const written = async () => (await sql<{ xmin: string }>`select xmin::text from hosts`.execute(a.app.db)).rows;
  const before = await written();
  for (let round = 0; round < 5; round += 1) await follower.send(a, follower.activity('Like', aliceUri));
  expect(await written()).toEqual(before);
});

test('FED-06: an inbox that answered 410 gets nothing more until its host sends an activity, however long that takes', async () => {
  await using s = await scene();
  const { a, alice, peer, follower } = s;
  peer.respond = () => ({ status: 410 });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  peer.respond = () => ({ status: 202 });
  a.clock.advance(30 * daySeconds);
  await a.runSchedule('federation.clean_up_activities');
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect(peer.received).toHaveLength(1);
  await follower.send(a, follower.activity('Like', aliceUri));
  await postStatus(alice, { status: 'Three' });
  await a.drain();
  expect(peer.received).toHaveLength(2);
});

test('FED-06: a 404 is retried and does not delay other inboxes of the host', async () => {
  await using s = await scene();
  const { a, alice, peer } = s;
  const second = peer.actor('second');
  await follow(a, second);
  peer.received.length = 0;
  const missing = `${new URL(s.follower.uri).pathname}/inbox`;
  peer.respond = () => ({ status: peer.received.at(-1)?.path === missing ? 404 : 202 });
  await postStatus(alice, { status: 'One' });
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect(peer.received.filter(({ path }) => path !== missing)).toHaveLength(2);
  expect(await pendingDeliveries(a)).toHaveLength(2);
  peer.respond = () => ({ status: 202 });
  peer.received.length = 0;
  a.clock.advance(hourSeconds);
  await a.drain();
  expect(peer.received.map(({ path }) => path)).toEqual([missing, missing]);
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: expired deliveries are deleted together, without one more attempt each', async () => {
  await using s = await scene();
  const { a, alice, network } = s;
  network.takeDown('peer.test');
  a.expectUndelivered('peer.test');
  for (let number = 0; number < 30; number += 1) await postStatus(alice, { status: `Post ${number}` });
  for (let round = 0; round < 4; round += 1) {
    await a.drain();
    a.clock.advance(hourSeconds);
  }
  a.clock.advance(2 * daySeconds);
  await postStatus(alice, { status: 'New' });
  network.requests.length = 0;
  await a.runSchedule('federation.expire_deliveries');
  expect(network.requests).toEqual([]);
  await a.drain();
  const stored = await a.app.db.selectFrom('activities').select('body').execute();
  expect(stored.map(({ body }) => /New|Post \d+/.exec(body)?.[0])).toEqual(['New']);
});

test('FED-06: deliveries never attempted because this server was down are attempted before they expire', async () => {
  await using s = await scene();
  const { a, alice, peer } = s;
  await postStatus(alice, { status: 'One' });
  for (const { name, data } of await a.app.db.selectFrom('jobs').select(['name', 'data']).execute()) {
    await a.app.subscriptions.job(name)?.run(a.app, data);
  }
  await a.db.deleteFrom('jobs').execute();
  a.clock.advance(3 * daySeconds);
  await a.runSchedule('federation.expire_deliveries');
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create']);
});

test('FED-06: nothing is stored for a host that failed for a week, until it sends an activity', async () => {
  await using s = await scene();
  const { a, alice, network, peer, follower } = s;
  network.takeDown('peer.test');
  const stored = async () => {
    const before = network.requests.length;
    await postStatus(alice, { status: 'Anybody?' });
    await a.drain();
    return (await pendingDeliveries(a)).length > 0 || network.requests.length > before;
  };
  const isStored: boolean[] = [];
  for (let elapsed = 0; elapsed <= 9; elapsed += 1) {
    isStored.push(await stored());
    a.clock.advance(daySeconds);
    await a.drain();
    await a.runSchedule('federation.expire_deliveries');
  }
  expect(isStored.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => true));
  a.clock.advance(2 * daySeconds);
  await a.runSchedule('federation.expire_deliveries');
  expect(await stored()).toBe(false);
  network.bringUp('peer.test');
  peer.received.length = 0;
  await follower.send(a, follower.activity('Like', aliceUri));
  expect(await stored()).toBe(true);
  expect(receivedTypes(peer)).toEqual(['Create']);
});

test('FED-06: a 2xx counts as delivered, however large its body is', async () => {
  await using s = await scene();
  const { a, alice, peer } = s;
  peer.respond = () => ({ status: 200, body: Buffer.alloc(2_000_000) });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  a.clock.advance(daySeconds);
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create']);
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: one failure long ago does not mark a host as dead', async () => {
  await using s = await scene();
  const { a, alice, network, peer } = s;
  network.takeDown('peer.test');
  await postStatus(alice, { status: 'One' });
  await a.drain();
  network.bringUp('peer.test');
  a.clock.advance(10 * daySeconds);
  await a.runSchedule('federation.expire_deliveries');
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  expect(receivedTypes(peer)).toContain('Create');
});

test.each([
  ['seconds', (seconds: number) => String(seconds)],
  ['a date', (seconds: number, a: TestServer) => new Date(a.clock.now().getTime() + seconds * 1000).toUTCString()],
])('FED-06: Retry-After is obeyed when given in %s, whatever else happens', async (_name, write) => {
  await using s = await scene();
  const { a, alice, peer, follower } = s;
  const seconds = 30 * hourSeconds;
  peer.respond = () => ({ status: 503, headers: { 'retry-after': write(seconds, a) } });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  peer.respond = () => ({ status: 202 });
  await follower.send(a, follower.activity('Like', aliceUri));
  await postStatus(alice, { status: 'Two' });
  a.clock.advance(seconds - 60);
  await a.drain();
  expect(peer.received).toHaveLength(1);
  a.clock.advance(120);
  await a.drain();
  expect(peer.received).toHaveLength(3);
});

test('FED-06: a short Retry-After is not lengthened by the backoff', async () => {
  await using s = await scene();
  const { a, alice, network, peer } = s;
  network.takeDown('peer.test');
  await failFor(s, 3);
  network.bringUp('peer.test');
  peer.respond = () => ({ status: 429, headers: { 'retry-after': '5' } });
  a.clock.advance(7 * hourSeconds);
  await a.drain();
  expect(peer.received).toHaveLength(1);
  peer.respond = () => ({ status: 202 });
  a.clock.advance(6);
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create', 'Create']);
  expect(await alice.get('/api/v1/timelines/home')).toMatchObject({ status: 200 });
});

test('FED-06: after an outage, a fetched document or an accepted delivery makes all waiting deliveries due', async () => {
  await using s = await scene();
  const { a, alice, network, peer, follower } = s;
  network.takeDown('peer.test');
  await failFor(s, 4);
  await a.drain();
  network.bringUp('peer.test');
  peer.serve(follower.note(1));
  expect(await resolveStatusOn(a, String(follower.note(1)['id']))).toBeDefined();
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create']);
  network.takeDown('peer.test');
  await postStatus(alice, { status: 'Waits' });
  await a.drain();
  network.bringUp('peer.test');
  await postStatus(alice, { status: 'Is the first to arrive' });
  await a.drain();
  expect(receivedTypes(peer)).toEqual(['Create', 'Create', 'Create']);
});

test('FED-06: fetches resume the deliveries to a host whose inbox keeps failing at most once a minute', async () => {
  await using s = await scene();
  const { a, alice, peer, follower } = s;
  peer.respond = () => ({ status: 500 });
  await postStatus(alice, { status: 'One' });
  await a.drain();
  for (let round = 0; round < 5; round += 1) {
    peer.serve(follower.note(round));
    await resolveStatusOn(a, String(follower.note(round)['id']));
    await a.drain();
  }
  expect(peer.received).toHaveLength(2);
  peer.respond = () => ({ status: 202 });
  a.clock.advance(6 * hourSeconds);
  await a.drain();
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: a delivery that fails while its host recovers is tried again within ten seconds', async () => {
  await using s = await scene();
  const { a, network, follower } = s;
  network.takeDown('peer.test');
  await failFor(s, 4);
  network.bringUp('peer.test');
  const attempts: number[] = [];
  network.addHost('peer.test', async (_url, { method }) => {
    if (method !== 'POST') return { status: 404 };
    attempts.push(a.clock.now().getTime());
    if (attempts.length > 1) return { status: 202 };
    expect(await follower.send(a, follower.activity('Like', aliceUri))).toBe(202);
    return { status: 503 };
  });
  await a.drain();
  expect(attempts).toHaveLength(1);
  a.clock.advance(10);
  await a.drain();
  expect(attempts).toHaveLength(2);
  expect(await pendingDeliveries(a)).toEqual([]);
});

test('FED-06: a long queue of a recovered host does not delay others', async () => {
  await using s = await scene();
  const { a, alice, network, follower } = s;
  await follow(a, new Peer(network, 'healthy.test').actor('fan'));
  network.takeDown('peer.test');
  await postStatus(alice, { status: 'One' });
  await a.drain();
  const waiting = 1_500;
  await sql`insert into deliveries (activity_id, host, inbox_url, run_at)
    select activity_id, host, inbox_url, run_at from deliveries, generate_series(2, ${waiting})`.execute(a.db);
  network.bringUp('peer.test');
  network.requests.length = 0;
  await follower.send(a, follower.activity('Like', aliceUri));
  await postStatus(alice, { status: 'Two' });
  await a.drain();
  const hosts = network.requests.filter(({ method }) => method === 'POST').map(({ url }) => new URL(url).host);
  expect(hosts.filter((host) => host === 'peer.test')).toHaveLength(waiting + 1);
  // One claim takes up to 500.
  expect(hosts.indexOf('healthy.test')).toBeLessThan(600);
  expect(await pendingDeliveries(a)).toEqual([]);
});
