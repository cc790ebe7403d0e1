import { expect, test } from 'vitest';
import { startWorkers } from '../../../server/app.ts';
import { storeActivity } from '../../../server/federation/delivery/store-activity.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { requestPasswordReset } from '../../../server/users/sign-in/index.ts';
import type { HostHandler, Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { peerScene, type PeerScene } from '../peer-scene.ts';
import { postStatus } from '../two-servers.ts';

/** Runs the workers of a server as a process does; on disposal it lets every silent host respond. */
async function runWorkers(server: TestServer, released: PromiseWithResolvers<void>): Promise<AsyncDisposable> {
  const stop = await startWorkers(server.app);
  return {
    async [Symbol.asyncDispose]() {
      released.resolve();
      await stop(60_000);
    },
  };
}

/** Makes hosts accept connections without responding. Returns a function that counts the pending requests. */
function hangHosts(network: Network, hosts: readonly string[], until: Promise<void>): () => number {
  let requests = 0;
  const handler: HostHandler = async () => {
    requests += 1;
    await until;
    return { status: 404 };
  };
  for (const host of hosts) network.addHost(host, handler);
  return () => requests;
}

const silentHosts = (count: number): string[] => Array.from({ length: count }, (_, n) => `silent-${n}.test`);
const listNotifications = async ({ alice }: PeerScene) => (await alice.get('/api/v1/notifications')).json;
const toAlice = { cc: ['https://a.test/users/alice'], tag: [{ type: 'Mention', href: 'https://a.test/users/alice' }] };

test('FED-06: a delivery to a new host is not delayed by more silent hosts than there are quick slots', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer } = scene;
  const released = Promise.withResolvers<void>();
  const hosts = silentHosts(1_100);
  const pendingRequests = hangHosts(network, hosts, released.promise);
  a.expectUndelivered(/^silent-\d+\.test$/u);
  const send = (inboxes: readonly string[], orderKey: string) =>
    transaction(a.app, (tx) =>
      storeActivity(tx, a.app, { senderId: alice.id, activity: { type: 'Create' }, inboxes, orderKey }),
    );
  await send([...hosts.map((host) => `https://${host}/inbox`), `https://${peer.host}/inbox`], 'first');
  await using _workers = await runWorkers(a, released);
  await expect.poll(() => peer.received.length).toBe(1);
  // None of them has answered.
  await expect.poll(pendingRequests).toBe(1_100);
  await send([`https://${peer.host}/inbox`], 'second');
  await expect.poll(() => peer.received.length).toBe(2);
});

test('FED-03: an activity that waits for another host delays only activities by the same sender', async () => {
  await using scene = await peerScene();
  const { network, a, peer, eve } = scene;
  const released = Promise.withResolvers<void>();
  const pendingRequests = hangHosts(network, ['silent.test'], released.promise);
  const olga = peer.actor('olga');
  const reply = { inReplyTo: 'https://silent.test/notes/1', ...toAlice };
  expect(await eve.send(a, eve.create(eve.note('waits', reply)))).toBe(202);
  expect(await eve.send(a, eve.create(eve.note('behind', toAlice)))).toBe(202);
  await using _workers = await runWorkers(a, released);
  await expect.poll(pendingRequests).toBe(1);
  expect(await olga.send(a, olga.create(olga.note('quick', toAlice)))).toBe(202);
  await expect.poll(() => listNotifications(scene)).toMatchObject([{ account: { username: 'olga' } }]);
  released.resolve();
  await expect.poll(async () => (await listNotifications(scene)).length).toBe(3);
  const names: string[] = (await listNotifications(scene)).map(({ status }: { status: { uri: string } }) =>
    status.uri.split('/').at(-1),
  );
  // The jobs that notify of the other two run side by side.
  expect(names.at(-1)).toBe('quick');
  expect(names.toSorted()).toEqual(['behind', 'quick', 'waits']);
});

test("FED-03: activities that a stranger forwards for an actor do not delay the actor's own", async () => {
  await using scene = await peerScene();
  const { network, a, peer, eve } = scene;
  const released = Promise.withResolvers<void>();
  const pendingRequests = hangHosts(network, ['silent.test'], released.promise);
  const mallory = peer.actor('mallory');
  // The object of a forwarded activity is fetched from its URI.
  for (const n of [1, 2, 3]) {
    const forged = { ...eve.create(eve.note(`forged-${n}`)), object: `https://silent.test/notes/${n}` };
    expect(await mallory.send(a, forged)).toBe(202);
  }
  await using _workers = await runWorkers(a, released);
  await expect.poll(pendingRequests).toBe(1);
  expect(await eve.send(a, eve.create(eve.note('own', toAlice)))).toBe(202);
  await expect.poll(() => listNotifications(scene)).toMatchObject([{ account: { username: 'eve' } }]);
});

test('a mail is sent while 64 linked pages do not respond', async () => {
  await using scene = await peerScene();
  const { network, a, alice } = scene;
  const released = Promise.withResolvers<void>();
  const hosts = silentHosts(64);
  const pendingRequests = hangHosts(network, hosts, released.promise);
  for (const host of hosts) await postStatus(alice, { status: `Look at https://${host}/` });
  await using _workers = await runWorkers(a, released);
  await expect.poll(pendingRequests).toBe(64);
  a.outbox.length = 0;
  await requestPasswordReset(a.app, 'alice@mail.test');
  await expect.poll(() => a.outbox.map(({ to }) => to)).toEqual(['alice@mail.test']);
});

test('FED-03: a post whose Delete arrives while a forwarded copy is being fetched is not stored', async () => {
  await using scene = await peerScene();
  const { network, a, peer } = scene;
  const released = Promise.withResolvers<void>();
  let requests = 0;
  const slowly: Pick<Network, 'addHost'> = {
    addHost: (domain, handler) =>
      network.addHost(domain, async (url, request) => {
        if (url.pathname.includes('/notes/')) {
          requests += 1;
          await released.promise;
        }
        return handler(url, request);
      }),
  };
  const origin = new Peer(slowly as Network, 'origin.test');
  const author = origin.actor('author');
  const note = author.note(1, toAlice);
  origin.serve(note);
  const mallory = peer.actor('mallory');
  expect(await mallory.send(a, author.create(note))).toBe(202);
  await using _workers = await runWorkers(a, released);
  await expect.poll(() => requests).toBe(1);
  expect(await author.send(a, author.activity('Delete', note['id']))).toBe(202);
  const left = async () => (await a.app.db.selectFrom('inbox_activities').select('id').execute()).length;
  await expect.poll(left).toBe(1);
  released.resolve();
  await expect.poll(left).toBe(0);
  expect(await a.app.db.selectFrom('statuses').select('uri').where('deleted_at', 'is', null).execute()).toEqual([]);
});

const staffOf = (server: TestServer) => server.user('chief', { role: 'admin', scopes: 'read admin:read admin:write' });

test('FED-06: a relay that does not respond delays neither followers nor another relay', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  const staff = await staffOf(a);
  const relays = [new Peer(network, 'relay.test'), new Peer(network, 'stuck-relay.test')] as const;
  for (const each of relays) {
    const actor = each.actor('relay');
    actor.documentOverrides = { type: 'Application' };
    await staff.post('/api/v1/fieldfare/admin/relays', { url: `https://${each.host}/inbox` });
    await a.drain();
    await actor.send(a, actor.activity('Accept', each.received.at(-1)?.activity));
  }
  await eve.send(a, eve.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  const [relay] = relays;
  const counts = () =>
    [relay, peer].map(({ received }) => received.filter(({ activity }) => activity['type'] === 'Create').length);
  const released = Promise.withResolvers<void>();
  const pendingRequests = hangHosts(network, ['stuck-relay.test'], released.promise);
  a.expectUndelivered(/^stuck-relay\.test$/u);
  await using _workers = await runWorkers(a, released);
  await postStatus(alice, { status: 'first' });
  await expect.poll(pendingRequests).toBe(1);
  await expect.poll(counts).toEqual([1, 1]);
  await postStatus(alice, { status: 'second' });
  await expect.poll(counts).toEqual([2, 2]);
});

test('ADM-03: lists of domains that do not respond delay neither another list nor mails and posts', async () => {
  await using scene = await peerScene();
  const { network, a, alice } = scene;
  const staff = await staffOf(a);
  const released = Promise.withResolvers<void>();
  const hosts = silentHosts(10);
  const pendingRequests = hangHosts(network, hosts, released.promise);
  network.addHost('lists.test', () => ({ status: 200, body: Buffer.from('#domain,#severity\nbad.test,suspend') }));
  const path = '/api/v1/fieldfare/admin/domain_lists';
  for (const host of hosts) expect((await staff.post(path, { url: `https://${host}/list.csv` })).status).toBe(200);
  await using _workers = await runWorkers(a, released);
  await expect.poll(pendingRequests).toBeGreaterThan(0);
  const { json: list } = await staff.post(path, { url: 'https://lists.test/list.csv' });
  await expect.poll(async () => (await staff.get(`${path}/${list.id}`)).json.fetched_at).not.toBeNull();
  a.outbox.length = 0;
  await requestPasswordReset(a.app, 'alice@mail.test');
  await expect.poll(() => a.outbox.map(({ to }) => to)).toEqual(['alice@mail.test']);
  const post = await postStatus(alice, { status: 'meanwhile' });
  const followed = async () => (await alice.get('/api/v1/timelines/home')).json[0]?.id;
  await expect.poll(followed).toBe(post.id);
});
