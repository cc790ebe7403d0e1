import { expect, test } from 'vitest';
import {
  countQueues,
  findHost,
  listFailingHosts,
  pauseHost,
  resumePausedHost,
  retryHost,
} from '../../../server/federation/hosts/index.ts';
import { expireDeliveries } from '../../../server/federation/delivery/expire-deliveries.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { postStatus } from '../two-servers.ts';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly alice: TestUser;
  readonly paused: Peer;
  readonly other: Peer;
}

/** alice has a follower on paused.test and one on other.test. */
async function openScene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const [paused, other] = [new Peer(network, 'paused.test'), new Peer(network, 'other.test')];
  for (const peer of [paused, other]) {
    const fan = peer.actor('fan');
    await fan.send(a, fan.activity('Follow', 'https://a.test/users/alice'));
    await a.drain();
    peer.received.length = 0;
  }
  return { network, a, alice, paused, other, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

const textsOf = ({ received }: Peer): string[] =>
  received.map(({ activity }) => /<p>(.*?)<\/p>/u.exec(JSON.stringify(activity))?.[1] ?? String(activity['type']));

test('FED-06: a paused server receives nothing while others do, and everything in order when it is resumed', async () => {
  await using s = await openScene();
  const { a, alice, paused, other } = s;
  await postStatus(alice, { status: 'before' });
  expect(await pauseHost(a.app, 'system', 'paused.test')).toBe('paused.test');
  await a.drain();
  const { id } = await postStatus(alice, { status: 'first' });
  await a.drain();
  await alice.put(`/api/v1/statuses/${id}`, { status: 'first, edited' });
  await a.drain();
  await postStatus(alice, { status: 'second' });
  await a.drain();
  expect(textsOf(paused)).toEqual([]);
  expect(textsOf(other)).toEqual(['before', 'first', 'first, edited', 'second']);
  expect(await listFailingHosts(a.app, { limit: 10 })).toMatchObject([
    { domain: 'paused.test', deliveries: 4, paused_at: expect.any(Date), failures: 0 },
  ]);
  expect(await countQueues(a.app)).toEqual([
    { direction: 'deliveries', state: 'paused', activities: 4, first_due_at: null },
  ]);
  // An activity from it does not end the pause.
  const fan = paused.actor('fan');
  await fan.send(a, fan.activity('Like', `https://a.test/users/alice/statuses/${id}`));
  await a.drain();
  expect(textsOf(paused)).toEqual([]);

  await resumePausedHost(a.app, 'system', 'paused.test');
  await a.drain();
  const arrived = textsOf(paused);
  expect(arrived.filter((text) => !text.includes('edited'))).toEqual(['before', 'first', 'second']);
  expect(arrived.indexOf('first, edited')).toBeGreaterThan(arrived.indexOf('first'));
  expect(await listFailingHosts(a.app, { limit: 10 })).toEqual([]);
  await postStatus(alice, { status: 'after' });
  await a.drain();
  expect(textsOf(paused).at(-1)).toBe('after');
  const log = await a.app.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  expect(log).toEqual([
    { action: 'server.pause', target_label: 'paused.test' },
    { action: 'server.resume', target_label: 'paused.test' },
  ]);
});

test('FED-06: a delivery that was stored as due while the pause began is not sent', async () => {
  await using s = await openScene();
  const { a, alice, paused } = s;
  await postStatus(alice, { status: 'at the same time' });
  await pauseHost(a.app, 'system', 'paused.test');
  await a.db.updateTable('deliveries').set({ run_at: a.clock.now() }).execute();
  await a.drain();
  expect(textsOf(paused)).toEqual([]);
  await resumePausedHost(a.app, 'system', 'paused.test');
  await a.drain();
  expect(textsOf(paused)).toEqual(['at the same time']);
});

test('FED-06: a pause stops deliveries that a worker has already claimed', async () => {
  await using s = await openScene();
  const { a, alice, network, paused } = s;
  for (const status of ['one', 'two', 'three']) await postStatus(alice, { status });
  const arrived: string[] = [];
  network.addHost('paused.test', async (_url, { body }) => {
    arrived.push(String(body));
    if (arrived.length === 1) await pauseHost(a.app, 'system', 'paused.test');
    return { status: 202 };
  });
  await a.drain();
  expect(arrived).toHaveLength(1);
  expect(await findHost(a.app, 'paused.test')).toMatchObject({ deliveries: 2 });
  expect(textsOf(paused)).toEqual([]);
  await resumePausedHost(a.app, 'system', 'paused.test');
  await a.drain();
  const texts = arrived.map((body) => /<p>(.*?)<\/p>/u.exec(body)?.[1]);
  expect(texts.toSorted()).toEqual(['one', 'three', 'two']);
});

test('FED-06: deliveries to a paused server are deleted after a week, and younger ones are sent', async () => {
  await using s = await openScene();
  const { a, alice, paused } = s;
  await pauseHost(a.app, 'system', 'paused.test');
  await postStatus(alice, { status: 'old' });
  await a.drain();
  a.clock.advance(3 * 86_400);
  await postStatus(alice, { status: 'young' });
  await a.drain();
  await expireDeliveries.run(a.app);
  expect(await findHost(a.app, 'paused.test')).toMatchObject({ deliveries: 2 });
  a.clock.advance(4 * 86_400 + 60);
  await expireDeliveries.run(a.app);
  expect(await findHost(a.app, 'paused.test')).toMatchObject({ deliveries: 1 });
  await resumePausedHost(a.app, 'system', 'paused.test');
  await expireDeliveries.run(a.app);
  await a.drain();
  expect(textsOf(paused)).toEqual(['young']);
});

test('FED-06: a server that failed is resumed with a clean record, and its failed deliveries are sent', async () => {
  await using s = await openScene();
  const { a, alice, network, paused } = s;
  network.takeDown('paused.test');
  await postStatus(alice, { status: 'lost?' });
  await a.drain();
  await pauseHost(a.app, 'system', 'paused.test');
  await pauseHost(a.app, 'system', 'paused.test');
  await expect(retryHost(a.app, 'system', { host: 'paused.test' })).rejects.toMatchObject({ status: 409 });
  network.bringUp('paused.test');
  a.clock.advance(3 * 86_400);
  await resumePausedHost(a.app, 'system', 'paused.test');
  await resumePausedHost(a.app, 'system', 'paused.test');
  expect(await findHost(a.app, 'paused.test')).toMatchObject({ failures: 0, failing_since: null, paused_at: null });
  await expireDeliveries.run(a.app);
  await a.drain();
  expect(textsOf(paused)).toEqual(['lost?']);
  expect(await a.app.db.selectFrom('audit_log').select('action').execute()).toHaveLength(2);
});

test('FED-06: a server can be paused before anything was exchanged with it, but not this one', async () => {
  await using s = await openScene();
  const { a } = s;
  expect(await pauseHost(a.app, 'system', 'https://New.test/')).toBe('new.test');
  expect(await findHost(a.app, 'new.test')).toMatchObject({ paused_at: a.clock.now(), deliveries: 0 });
  for (const host of ['a.test', 'not a domain'])
    await expect(pauseHost(a.app, 'system', host)).rejects.toMatchObject({ status: 422 });
});
