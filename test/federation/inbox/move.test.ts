import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { resolveAccountOn, followAcross, getRelationship, twoServers } from '../two-servers.ts';

const password = 'correct horse battery';
const daySeconds = 86_400;

const moveAccount = (user: TestUser, acct: string) => user.post('/api/v1/profile/move', { acct, password });
const addAlias = (user: TestUser, acct: string) => user.post('/api/v1/profile/aliases', { acct });
const getAccount = async (viewer: TestUser, id: string) => (await viewer.get(`/api/v1/accounts/${id}`)).json;

async function getActor(server: TestServer, path: string) {
  const { json } = await server.anonymous.get(path, { headers: { accept: 'application/activity+json' } });
  return json as Record<string, unknown>;
}

test('ACC-15: an account moves to another server, and its local and remote followers follow the new account', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const fanOnA = await a.user('fan');
  const fanOnB = await b.user('fern');
  const aliceOnB = await followAcross(servers, b, fanOnB, 'alice@a.test');
  await fanOnA.post(`/api/v1/accounts/${alice.id}/follow`, { notify: true });
  expect((await addAlias(bob, 'alice@a.test')).json).toEqual([
    { uri: 'https://a.test/users/alice', acct: 'alice@a.test' },
  ]);
  expect(await getActor(b, '/users/bob')).toMatchObject({ alsoKnownAs: ['https://a.test/users/alice'] });
  const moved = await moveAccount(alice, 'bob@b.test');
  expect(moved.status).toBe(200);
  expect(moved.json.moved).toMatchObject({ acct: 'bob@b.test' });
  expect(await getActor(a, '/users/alice')).toMatchObject({ movedTo: 'https://b.test/users/bob' });
  await network.drain();
  expect((await getAccount(fanOnB, aliceOnB)).moved).toMatchObject({ id: bob.id });
  expect(await getRelationship(fanOnB, bob.id)).toMatchObject({ following: true });
  expect(await getRelationship(fanOnB, aliceOnB)).toMatchObject({ following: false, requested: false });
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  expect(await getRelationship(fanOnA, bobOnA)).toMatchObject({ following: true, notifying: true });
  expect(await getRelationship(fanOnA, alice.id)).toMatchObject({ following: false });
  expect((await fanOnB.post(`/api/v1/accounts/${aliceOnB}/follow`)).status).toBe(403);
  expect((await getAccount(fanOnA, alice.id)).followers_count).toBe(0);
  expect((await getAccount(fanOnA, bob.id === bobOnA ? '0' : bobOnA)).followers_count).toBeGreaterThan(0);
});

test('ACC-15: the target is fetched again, so that aliases added or removed a moment ago are respected', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  await resolveAccountOn(a, 'bob@b.test');
  await network.drain();
  const refused = await moveAccount(alice, 'bob@b.test');
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['acct']]);
  await addAlias(bob, 'alice@a.test');
  await bob.delete('/api/v1/profile/aliases', { acct: 'alice@a.test' });
  expect((await moveAccount(alice, 'bob@b.test')).status).toBe(422);
  await addAlias(bob, 'alice@a.test');
  network.takeDown('b.test');
  expect((await moveAccount(alice, 'bob@b.test')).status).toBe(503);
  network.bringUp('b.test');
  expect((await moveAccount(alice, 'bob@b.test')).status).toBe(200);
  await network.drain();
});

test('ACC-15: a changed alias sends an Update, and a move sends an Update with the target and then a Move', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const alice = await server.user('alice');
  const peer = new Peer(network, 'far.test');
  const [fay, blocker] = [peer.actor('fay'), peer.actor('bea')];
  await fay.send(server, fay.activity('Follow', 'https://a.test/users/alice'));
  await blocker.send(server, blocker.activity('Block', 'https://a.test/users/alice'));
  const home = new Peer(network, 'home.test').actor('alice');
  home.documentOverrides = { alsoKnownAs: ['https://a.test/users/alice'] };
  await server.drain();
  peer.received.length = 0;
  const sent = () => peer.received.splice(0).map(({ activity }) => activity);
  await addAlias(alice, 'alice@home.test');
  await server.drain();
  expect(sent()).toMatchObject([{ type: 'Update', object: { alsoKnownAs: [home.uri] } }]);
  await alice.delete('/api/v1/profile/aliases', { acct: 'alice@home.test' });
  await server.drain();
  const [update] = sent();
  expect(update?.['object']).not.toHaveProperty('alsoKnownAs');
  expect((await moveAccount(alice, 'alice@home.test')).status).toBe(200);
  await server.drain();
  const both = sent();
  expect(both.map(({ type }) => type)).toContain('Update');
  expect(both.filter(({ type }) => type === 'Move')).toMatchObject([
    {
      id: expect.stringMatching(/^https:\/\/a\.test\/users\/alice#moves\/\d+$/),
      actor: 'https://a.test/users/alice',
      object: 'https://a.test/users/alice',
      target: home.uri,
      to: ['https://a.test/users/alice/followers'],
    },
    ...both.filter(({ type }) => type === 'Move').slice(1),
  ]);
  const orders = both.map(({ type }) => type);
  expect(orders.indexOf('Update')).toBeLessThan(orders.indexOf('Move'));
});

test('FED-03: a Move counts only by the moved account itself, with the consent of the target, and once a week', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const [old, next, third, liar] = [peer.actor('old'), peer.actor('next'), peer.actor('third'), peer.actor('liar')];
  const alice = await server.user('alice');
  const oldId = await resolveAccountOn(server, 'old@far.test');
  await alice.post(`/api/v1/accounts/${oldId}/follow`);
  await server.drain();
  await old.send(server, old.activity('Accept', peer.received.at(-1)?.activity));
  await server.drain();
  const says = async (by: typeof old, object: string, target: unknown) => {
    await by.send(server, by.activity('Move', object, { target }));
    await server.drain();
    return (await getAccount(alice, oldId)).moved?.acct as string | undefined;
  };
  expect(await says(old, old.uri, next.uri)).toBeUndefined();
  next.documentOverrides = { alsoKnownAs: old.uri };
  expect(await says(liar, old.uri, next.uri)).toBeUndefined();
  expect(await says(old, liar.uri, next.uri)).toBeUndefined();
  expect(await says(old, old.uri, old.uri)).toBeUndefined();
  expect(await says(old, old.uri, 'https://far.test/users/nobody')).toBeUndefined();
  expect(await says(old, old.uri, undefined)).toBeUndefined();
  expect(await getRelationship(alice, oldId)).toMatchObject({ following: true });
  old.documentOverrides = { movedTo: next.uri };
  expect(await says(old, old.uri, next.uri)).toBe('next@far.test');
  const nextId = await resolveAccountOn(server, 'next@far.test');
  expect(await getRelationship(alice, nextId)).toMatchObject({ requested: true });
  expect(await getRelationship(alice, oldId)).toMatchObject({ following: false });
  const sent = peer.received.map(({ activity }) => activity);
  expect(sent).toContainEqual(expect.objectContaining({ type: 'Follow', object: next.uri }));
  expect(sent).toContainEqual(
    expect.objectContaining({ type: 'Undo', object: expect.objectContaining({ type: 'Follow' }) }),
  );
  third.documentOverrides = { alsoKnownAs: [old.uri] };
  old.documentOverrides = { movedTo: third.uri };
  expect(await says(old, old.uri, third.uri)).toBe('next@far.test');
  network.clock.advance(7 * daySeconds);
  expect(await says(old, old.uri, third.uri)).toBe('third@far.test');
});

test('ACC-15: a remote account may move here; a locked account gets requests, a blocking one is not followed', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const old = peer.actor('old');
  const [home, fan, foe] = [await server.user('nest'), await server.user('fan'), await server.user('foe')];
  await home.patch('/api/v1/accounts/update_credentials', { locked: true });
  const oldId = await resolveAccountOn(server, 'old@far.test');
  for (const user of [fan, foe]) {
    await user.post(`/api/v1/accounts/${oldId}/follow`);
    await server.drain();
    await old.send(server, old.activity('Accept', peer.received.at(-1)?.activity));
    await server.drain();
  }
  await foe.post(`/api/v1/accounts/${home.id}/block`);
  await addAlias(home, 'old@far.test');
  await old.send(server, old.activity('Move', old.uri, { target: 'https://a.test/users/nest' }));
  await server.drain();
  expect(await getRelationship(fan, home.id)).toMatchObject({ following: false, requested: true });
  expect(await getRelationship(fan, oldId)).toMatchObject({ following: false });
  expect(await getRelationship(foe, home.id)).toMatchObject({ following: false, requested: false });
  expect(await getRelationship(foe, oldId)).toMatchObject({ following: true });
});

test('ACC-15: lists, notes, blocks and mutes are copied when an account moves', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [old, home] = [await server.user('old'), await server.user('nest')];
  const [fan, blocker, muter] = [await server.user('fan'), await server.user('blocker'), await server.user('muter')];
  await fan.post(`/api/v1/accounts/${old.id}/follow`);
  const list = (await fan.post('/api/v1/lists', { title: 'Friends', exclusive: true })).json as { id: string };
  await fan.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [old.id] });
  await fan.post(`/api/v1/accounts/${old.id}/note`, { comment: 'Met at the lake' });
  await muter.post(`/api/v1/accounts/${old.id}/note`, { comment: 'Noisy' });
  await muter.post(`/api/v1/accounts/${home.id}/note`, { comment: 'New one' });
  await muter.post(`/api/v1/accounts/${old.id}/mute`);
  await blocker.post(`/api/v1/accounts/${old.id}/block`);
  await addAlias(home, 'old');
  expect((await moveAccount(old, 'nest')).status).toBe(200);
  await server.drain();
  const members = (await fan.get(`/api/v1/lists/${list.id}/accounts`)).json as { id: string }[];
  expect(members.map(({ id }) => id)).toEqual([home.id]);
  const noteOf = async (user: TestUser) => (await getRelationship(user, home.id))['note'];
  expect(await noteOf(fan)).toBe('Moved here from @old. Your note from there:\nMet at the lake');
  expect(await noteOf(muter)).toBe('New one\n\nMoved here from @old. Your note from there:\nNoisy');
  expect(await noteOf(blocker)).toBe('Moved here from @old, which you had blocked.');
  expect(await getRelationship(blocker, home.id)).toMatchObject({ blocking: true });
  expect(await getRelationship(muter, home.id)).toMatchObject({ muting: true });
});

test('FED-01: movedTo in a profile is shown if the target agrees; it moves no followers, and chains are not followed', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const [old, next, last] = [peer.actor('old'), peer.actor('next'), peer.actor('last')];
  const alice = await server.user('alice');
  old.documentOverrides = { movedTo: next.uri };
  next.documentOverrides = { movedTo: last.uri };
  const oldId = await resolveAccountOn(server, 'old@far.test');
  await server.drain();
  expect((await getAccount(alice, oldId)).moved).toBeUndefined();
  next.documentOverrides = { movedTo: last.uri, alsoKnownAs: [old.uri] };
  await old.send(server, old.activity('Update', old.json()));
  await server.drain();
  expect((await getAccount(alice, oldId)).moved).toMatchObject({ acct: 'next@far.test' });
  expect(peer.requestedPaths.filter((path) => path.endsWith('/last'))).toEqual([]);
  old.documentOverrides = {};
  await old.send(server, old.activity('Update', old.json()));
  await server.drain();
  expect((await getAccount(alice, oldId)).moved).toBeUndefined();
});
