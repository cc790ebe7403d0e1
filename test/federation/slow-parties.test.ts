import { expect, test } from 'vitest';
import { startWorkers } from '../../server/app.ts';
import { storeActivity } from '../../server/federation/delivery/store-activity.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import { requestPasswordReset } from '../../server/users/index.ts';
import type { HostHandler, Network } from '../network.ts';
import type { TestServer } from '../server.ts';
import { Peer } from './peer.ts';
import { peerScene, type PeerScene } from './peer-scene.ts';
import { postStatus } from './two-servers.ts';

/** Runs the workers of a server as a process does, and lets every silent host answer at the end. */
async function runWorkers(server: TestServer, hanging: PromiseWithResolvers<void>): Promise<AsyncDisposable> {
  const stop = await startWorkers(server.app);
  return {
    async [Symbol.asyncDispose]() {
      hanging.resolve();
      await stop(60_000);
    },
  };
}

/** Makes hosts accept connections and say nothing. Returns how many requests hang. */
function hangHosts(network: Network, hosts: readonly string[], until: Promise<void>): () => number {
  let requests = 0;
  const answer: HostHandler = async () => {
    requests += 1;
    await until;
    return { status: 404 };
  };
  for (const host of hosts) network.addHost(host, answer);
  return () => requests;
}

const silentHosts = (count: number): string[] => Array.from({ length: count }, (_, n) => `silent-${n}.test`);
const listNotifications = async ({ alice }: PeerScene) => (await alice.get('/api/v1/notifications')).json;
const toAlice = { cc: ['https://a.test/users/alice'], tag: [{ type: 'Mention', href: 'https://a.test/users/alice' }] };

test('FED-06: a host that nobody here knew gets its delivery while more hosts are silent than there are quick places', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer } = scene;
  const hanging = Promise.withResolvers<void>();
  const hosts = silentHosts(1_100);
  const asked = hangHosts(network, hosts, hanging.promise);
  a.expectUndelivered(/^silent-\d+\.test$/u);
  const send = (inboxes: readonly string[], orderKey: string) =>
    transaction(a.app, (tx) =>
      storeActivity(tx, a.app, { senderId: alice.id, activity: { type: 'Create' }, inboxes, orderKey }),
    );
  await send([...hosts.map((host) => `https://${host}/inbox`), `https://${peer.host}/inbox`], 'first');
  await using _workers = await runWorkers(a, hanging);
  await expect.poll(() => peer.received.length).toBe(1);
  expect(asked()).toBeGreaterThan(0);
  await expect.poll(asked).toBe(1_100);
  await send([`https://${peer.host}/inbox`], 'second');
  await expect.poll(() => peer.received.length).toBe(2);
});

test('FED-03: an activity that waits for another host holds up what its own sender sent, and nobody else', async () => {
  await using scene = await peerScene();
  const { network, a, peer, eve } = scene;
  const hanging = Promise.withResolvers<void>();
  const asked = hangHosts(network, ['silent.test'], hanging.promise);
  const olga = peer.actor('olga');
  const reply = { inReplyTo: 'https://silent.test/notes/1', ...toAlice };
  expect(await eve.send(a, eve.create(eve.note('waits', reply)))).toBe(202);
  expect(await eve.send(a, eve.create(eve.note('behind', toAlice)))).toBe(202);
  await using _workers = await runWorkers(a, hanging);
  await expect.poll(asked).toBe(1);
  expect(await olga.send(a, olga.create(olga.note('quick', toAlice)))).toBe(202);
  await expect.poll(() => listNotifications(scene)).toMatchObject([{ account: { username: 'olga' } }]);
  hanging.resolve();
  await expect.poll(async () => (await listNotifications(scene)).length).toBe(3);
  const order = (await listNotifications(scene)).map(({ status }: { status: { uri: string } }) =>
    status.uri.split('/').at(-1),
  );
  expect(order).toEqual(['behind', 'waits', 'quick']);
});

test('FED-03: what a stranger forwards in the name of somebody does not hold up what they send themselves', async () => {
  await using scene = await peerScene();
  const { network, a, peer, eve } = scene;
  const hanging = Promise.withResolvers<void>();
  const asked = hangHosts(network, ['silent.test'], hanging.promise);
  const mallory = peer.actor('mallory');
  // The object of a forwarded activity is fetched from wherever it says it is.
  for (const n of [1, 2, 3]) {
    const forged = { ...eve.create(eve.note(`forged-${n}`)), object: `https://silent.test/notes/${n}` };
    expect(await mallory.send(a, forged)).toBe(202);
  }
  await using _workers = await runWorkers(a, hanging);
  await expect.poll(asked).toBe(1);
  expect(await eve.send(a, eve.create(eve.note('own', toAlice)))).toBe(202);
  await expect.poll(() => listNotifications(scene)).toMatchObject([{ account: { username: 'eve' } }]);
});

test('a mail is sent while the pages of 64 links say nothing', async () => {
  await using scene = await peerScene();
  const { network, a, alice } = scene;
  const hanging = Promise.withResolvers<void>();
  const hosts = silentHosts(64);
  const asked = hangHosts(network, hosts, hanging.promise);
  for (const host of hosts) await postStatus(alice, { status: `Look at https://${host}/` });
  await using _workers = await runWorkers(a, hanging);
  await expect.poll(asked).toBe(64);
  a.outbox.length = 0;
  await requestPasswordReset(a.app, 'alice@mail.test');
  await expect.poll(() => a.outbox.map(({ to }) => to)).toEqual(['alice@mail.test']);
});

test('FED-03: a post whose deletion arrives while a forwarded copy of it is fetched is not kept', async () => {
  await using scene = await peerScene();
  const { network, a, peer } = scene;
  const hanging = Promise.withResolvers<void>();
  let requests = 0;
  const slowly: Pick<Network, 'addHost'> = {
    addHost: (domain, handler) =>
      network.addHost(domain, async (url, request) => {
        if (url.pathname.includes('/notes/')) {
          requests += 1;
          await hanging.promise;
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
  await using _workers = await runWorkers(a, hanging);
  await expect.poll(() => requests).toBe(1);
  expect(await author.send(a, author.activity('Delete', note['id']))).toBe(202);
  const left = async () => (await a.app.db.selectFrom('inbox_activities').select('id').execute()).length;
  await expect.poll(left).toBe(1);
  hanging.resolve();
  await expect.poll(left).toBe(0);
  expect(await a.app.db.selectFrom('statuses').select('uri').where('deleted_at', 'is', null).execute()).toEqual([]);
});
