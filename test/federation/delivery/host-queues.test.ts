import { expect, test } from 'vitest';
import {
  countQueues,
  deleteHostQueue,
  findHost,
  listFailingHosts,
  retryHost,
} from '../../../server/federation/hosts/index.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { postStatus } from '../two-servers.ts';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly alice: TestUser;
  readonly peer: Peer;
}

/** alice has a follower on peer.test, which is down: a delivery to it failed several times. */
async function failingScene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const fan = peer.actor('fan');
  await fan.send(a, fan.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  peer.received.length = 0;
  network.takeDown('peer.test');
  await postStatus(alice, { status: 'Anybody?' });
  for (let round = 0; round < 4; round += 1) {
    await a.drain();
    if (round < 3) a.clock.advance(6 * 3600);
  }
  return { network, a, alice, peer, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

test('FED-06: operators see failing hosts with their queues, and retry them before the pause ends', async () => {
  await using s = await failingScene();
  const { a, network, peer } = s;
  expect(await countQueues(a.app)).toMatchObject([{ direction: 'deliveries', state: 'retrying', activities: 1 }]);
  const [host, ...others] = await listFailingHosts(a.app, { limit: 10 });
  expect(others).toEqual([]);
  expect(host).toMatchObject({ domain: 'peer.test', deliveries: 1, failures: 4, dead: false, failed_received: 0 });
  expect(host?.unavailable_until?.getTime()).toBeGreaterThan(a.clock.now().getTime());
  expect(await listFailingHosts(a.app, { after: 'peer.test', limit: 10 })).toEqual([]);
  network.bringUp('peer.test');
  await a.drain();
  expect(peer.received).toEqual([]);

  const progress: number[] = [];
  expect(await retryHost(a.app, 'system', { host: 'peer.test', progress: (count) => progress.push(count) })).toEqual({
    deliveries: 1,
    received: 0,
  });
  expect(progress).toEqual([1]);
  await a.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Create']);
  expect(await findHost(a.app, 'peer.test')).toMatchObject({ failures: 0, failing_since: null, deliveries: 0 });
  expect(await listFailingHosts(a.app, { limit: 10 })).toEqual([]);
  const log = await a.app.db.selectFrom('audit_log').select(['action', 'staff_id', 'target_label']).execute();
  expect(log).toEqual([{ action: 'server.retry', staff_id: null, target_label: 'peer.test' }]);
});

test('FED-06: operators delete the deliveries to a host; those of the same activity to others stay', async () => {
  await using s = await failingScene();
  const { a, network } = s;
  const other = new Peer(network, 'other.test');
  const fan = other.actor('fan');
  await fan.send(a, fan.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  network.takeDown('other.test');
  await postStatus(s.alice, { status: 'Hello?' });
  await a.drain();
  expect(await deleteHostQueue(a.app, 'system', { host: 'peer.test' })).toEqual({ deliveries: 2, received: 0 });
  const left = await a.app.db
    .selectFrom('deliveries')
    .innerJoin('activities', 'activities.id', 'deliveries.activity_id')
    .select(['host', 'body'])
    .execute();
  expect(left.map(({ host, body }) => [host, body.includes('Hello?')])).toEqual([['other.test', true]]);
  expect(await a.app.db.selectFrom('activities').select('body').execute()).toHaveLength(1);
  network.bringUp('other.test');
  await retryHost(a.app, 'system', { host: 'other.test' });
});

test('FED-06: failed activities from a host are processed again, or deleted', async () => {
  await using s = await failingScene();
  const { a } = s;
  const now = a.clock.now();
  await a.db
    .insertInto('inbox_activities')
    .values(
      ['peer.test', 'other.test'].map((host) => ({
        actor_uri: `https://${host}/users/x`,
        signer_uri: `https://${host}/users/x`,
        signer_host: host,
        inbox_account_id: null,
        body: '{}',
        attempts: 9,
        run_at: now,
        last_error: 'Error: no',
        exhausted_at: now,
      })),
    )
    .execute();
  expect(await findHost(a.app, 'peer.test')).toMatchObject({ failed_received: 1 });
  expect((await retryHost(a.app, 'system', { host: 'peer.test' })).received).toBe(1);
  const rows = await a.app.db
    .selectFrom('inbox_activities')
    .select(['signer_host', 'attempts', 'exhausted_at'])
    .execute();
  expect(rows).toEqual(
    expect.arrayContaining([
      { signer_host: 'peer.test', attempts: 0, exhausted_at: null },
      { signer_host: 'other.test', attempts: 9, exhausted_at: now },
    ]),
  );
  expect(await deleteHostQueue(a.app, 'system', { host: 'peer.test' })).toEqual({ deliveries: 1, received: 1 });
  expect(await deleteHostQueue(a.app, 'system', { host: 'other.test' })).toEqual({ deliveries: 0, received: 1 });
});
