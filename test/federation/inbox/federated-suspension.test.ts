import { expect, test } from 'vitest';
import { suspendAccount, unsuspendAccount } from '../../../server/moderation/index.ts';
import { blockDomain } from '../../../server/site/domains/index.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { followPeer, peerScene } from '../peer-scene.ts';
import {
  followAcross,
  getRelationship,
  homeTimeline,
  postStatus,
  resolveAccountOn,
  twoServers,
  type StatusJson,
} from '../two-servers.ts';

const daySeconds = 86_400;

async function originOf(server: TestServer, id: string): Promise<string | null> {
  const { suspension_origin: origin } = await server.app.db
    .selectFrom('accounts')
    .select('suspension_origin')
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow();
  return origin;
}

test('FED-04: a suspension hides the account on other servers, and its reversal restores everything there', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice',
    note: 'Birdwatcher',
    discoverable: true,
    indexable: true,
  });
  const aliceId = await followAcross(scene, b, bob, 'alice@a.test');
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  const post = await postStatus(alice, { status: 'a rare heron #birds' });
  await network.drain();
  const copy = (await homeTimeline(bob))[0] as StatusJson;
  await bob.post(`/api/v1/statuses/${copy.id}/favourite`);
  await network.drain();
  const account = async () => {
    const { last_status_at: _, ...json } = (await bob.get(`/api/v1/accounts/${aliceId}`)).json;
    return json as Record<string, unknown>;
  };
  const surfaces = async () => ({
    home: (await homeTimeline(bob)).length,
    status: (await bob.get(`/api/v1/statuses/${copy.id}`)).status,
    profile: ((await bob.get(`/api/v1/accounts/${aliceId}/statuses`)).json as unknown[]).length,
    hashtag: ((await bob.get('/api/v1/timelines/tag/birds')).json as unknown[]).length,
    search: ((await bob.get('/api/v2/search?q=alice&type=accounts')).json.accounts as unknown[]).length,
    favourites: ((await bob.get('/api/v1/favourites')).json as unknown[]).length,
    followers: ((await bob.get(`/api/v1/accounts/${bob.id}/followers`)).json as unknown[]).length,
    following: ((await bob.get(`/api/v1/accounts/${bob.id}/following`)).json as unknown[]).length,
  });
  const [profile, shown] = [await account(), await surfaces()];
  expect(shown).toEqual({
    home: 1,
    status: 200,
    profile: 1,
    hashtag: 1,
    search: 1,
    favourites: 1,
    followers: 1,
    following: 1,
  });

  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect(await account()).toMatchObject({ suspended: true, display_name: '', note: '' });
  expect(await originOf(b, aliceId)).toBe('remote');
  expect(await surfaces()).toEqual({
    home: 0,
    status: 404,
    profile: 0,
    hashtag: 0,
    search: 0,
    favourites: 0,
    followers: 0,
    following: 0,
  });

  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect([await account(), await surfaces(), await originOf(b, aliceId)]).toEqual([profile, shown, null]);
  expect(await getRelationship(alice, bobId)).toMatchObject({ following: true, followed_by: true });
  await postStatus(alice, { status: 'back again' });
  await network.drain();
  expect((await homeTimeline(bob)).map(({ content }) => content)).toContain('<p>back again</p>');
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json.favourites_count).toBe(1);
});

test('FED-04: suspensions reach the servers of followers and of mentioned, followed and reporting accounts, in order', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve, network } = scene;
  const [mentioned, stranger] = [new Peer(network, 'mentioned.test'), new Peer(network, 'stranger.test')];
  for (const other of [mentioned, stranger]) await resolveAccountOn(a, `${other.actor('kim').username}@${other.host}`);
  await followPeer(a, alice, peer, eve);
  await postStatus(alice, { status: '@kim@mentioned.test hello' });
  await a.drain();
  for (const { received } of [peer, mentioned]) received.length = 0;

  await suspendAccount(a.app, 'system', { accountId: alice.id });
  // Nothing else is sent by a suspended account.
  await a.drain();
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await a.drain();
  for (const { received } of [peer, mentioned]) {
    expect(received.map(({ activity }) => [activity['type'], activity['object']])).toMatchObject([
      ['Update', { id: 'https://a.test/users/alice', suspended: true, name: 'alice', summary: '' }],
      ['Update', { id: 'https://a.test/users/alice', name: 'alice' }],
    ]);
    expect(received[1]?.activity['object']).not.toHaveProperty('suspended');
  }
  expect(stranger.received).toEqual([]);
});

test('FED-04: staff of another server suspend an account: its follows are rejected, and its own server can suspend it meanwhile', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const aliceId = await followAcross(scene, b, bob, 'alice@a.test');
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  await postStatus(alice, { status: 'a rare heron' });
  await network.drain();
  await suspendAccount(b.app, 'system', { accountId: aliceId });
  await network.drain();
  // The home server of alice no longer shows her what bob posts for his followers.
  expect(await getRelationship(alice, bobId)).toMatchObject({ following: false, followed_by: true });
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect(await originOf(b, aliceId)).toBe('local');

  await unsuspendAccount(b.app, 'system', { accountId: aliceId });
  await network.drain();
  expect([await originOf(b, aliceId), await homeTimeline(bob)]).toEqual(['remote', []]);
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect([await originOf(b, aliceId), (await homeTimeline(bob)).length]).toEqual([null, 1]);
  expect(await getRelationship(bob, aliceId)).toMatchObject({ following: true, followed_by: true });
});

test('ACC-14: users are notified of the follows that a suspension by staff ended, once for each suspension', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const carol = await a.user('carol');
  await followAcross(scene, b, bob, 'alice@a.test');
  await followAcross(scene, a, alice, 'bob@b.test');
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  const lostBy = async (user: typeof bob) => {
    const events = (await user.get('/api/v1/notifications?types[]=severed_relationships')).json as { event: object }[];
    return events.map(({ event }) => event);
  };
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  const event = {
    type: 'account_suspension',
    purged: false,
    target_name: 'alice@a.test',
    followers_count: 0,
    following_count: 1,
  };
  expect(await lostBy(carol)).toMatchObject([event]);
  const { id } = (await lostBy(carol))[0] as { id: string };
  const file = await carol.get(`/api/v1/fieldfare/severed_relationships/${id}/following`);
  expect(file.text).toContain('alice,true,false');
  // Her own server suspended her, and could repeat that without end.
  expect(await lostBy(bob)).toEqual([]);

  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect(await getRelationship(carol, alice.id)).toMatchObject({ following: true });
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await suspendAccount(b.app, 'system', { accountId: await resolveAccountOn(b, 'alice@a.test') });
  await network.drain();
  expect(await lostBy(carol)).toMatchObject([event, event]);
  expect(await lostBy(bob)).toMatchObject([{ ...event, followers_count: 1 }]);
});

test('FED-04: the data of a suspended account is deleted after 30 days, here and on other servers, unless it is lifted', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const carol = await a.user('carol');
  const [aliceId, carolId] = [
    await followAcross(scene, b, bob, 'alice@a.test'),
    await followAcross(scene, b, bob, 'carol@a.test'),
  ];
  for (const user of [alice, carol]) await postStatus(user, { status: 'hello' });
  await network.drain();
  for (const { id: accountId } of [alice, carol]) await suspendAccount(a.app, 'system', { accountId });
  await network.drain();
  network.clock.advance(29 * daySeconds);
  await a.runSchedule('moderation.delete_long_suspended');
  await unsuspendAccount(a.app, 'system', { accountId: carol.id });
  network.clock.advance(daySeconds + 1);
  await a.runSchedule('moderation.delete_long_suspended');
  await network.drain();
  const statusesOf = async (id: string) =>
    (
      await a.app.db
        .selectFrom('statuses')
        .select('id')
        .where('account_id', '=', id as never)
        .where('deleted_at', 'is', null)
        .execute()
    ).length;
  expect([await statusesOf(alice.id), await statusesOf(carol.id)]).toEqual([0, 1]);
  expect((await bob.get(`/api/v1/accounts/${aliceId}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/accounts/${carolId}`)).json).not.toHaveProperty('suspended');
  const log = await a.app.db
    .selectFrom('audit_log')
    .select('target_label')
    .where('action', 'like', '%delete%')
    .execute();
  expect(log).toEqual([{ target_label: 'alice' }]);
});

test('ACC-14: accounts that the block of a domain suspends are not deleted, and a suspension by staff counts from its own day', async () => {
  await using scene = await twoServers();
  const { b, bob } = scene;
  const aliceId = await followAcross(scene, b, bob, 'alice@a.test');
  await blockDomain(b.app, 'system', { domain: 'a.test', severity: 'suspend' });
  await b.drain();
  b.clock.advance(40 * daySeconds);
  const isKept = async () => {
    await b.runSchedule('moderation.delete_long_suspended');
    const row = await b.app.db.selectFrom('accounts').select('deleted_at').where('id', '=', aliceId).executeTakeFirst();
    return row?.deleted_at === null;
  };
  expect(await isKept()).toBe(true);
  await suspendAccount(b.app, 'system', { accountId: aliceId });
  await b.drain();
  expect(await isKept()).toBe(true);
  b.clock.advance(31 * daySeconds);
  expect(await isKept()).toBe(false);
  await b.drain();
});
