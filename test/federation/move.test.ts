import { expect, test } from 'vitest';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { Peer } from './peer.ts';
import { accountOn, follow, relationship, twoServers } from './two-servers.ts';

const password = 'correct horse battery';
const day = 86_400;

const move = (user: TestUser, acct: string) => user.post('/api/v1/profile/move', { acct, password });
const name = (user: TestUser, acct: string) => user.post('/api/v1/profile/aliases', { acct });
const account = async (viewer: TestUser, id: string) => (await viewer.get(`/api/v1/accounts/${id}`)).json;

async function actor(server: TestServer, path: string) {
  const { json } = await server.anonymous.get(path, { headers: { accept: 'application/activity+json' } });
  return json as Record<string, unknown>;
}

test('ACC-15: an account moves to another server, and its followers there and here go along', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const fanOnA = await a.user('fan');
  const fanOnB = await b.user('fern');
  const aliceOnB = await follow(servers, b, fanOnB, 'alice@a.test');
  await fanOnA.post(`/api/v1/accounts/${alice.id}/follow`, { notify: true });
  expect((await name(bob, 'alice@a.test')).json).toEqual([{ uri: 'https://a.test/users/alice', acct: 'alice@a.test' }]);
  expect(await actor(b, '/users/bob')).toMatchObject({ alsoKnownAs: ['https://a.test/users/alice'] });
  const moved = await move(alice, 'bob@b.test');
  expect(moved.status).toBe(200);
  expect(moved.json.moved).toMatchObject({ acct: 'bob@b.test' });
  expect(await actor(a, '/users/alice')).toMatchObject({ movedTo: 'https://b.test/users/bob' });
  await network.drain();
  expect((await account(fanOnB, aliceOnB)).moved).toMatchObject({ id: bob.id });
  expect(await relationship(fanOnB, bob.id)).toMatchObject({ following: true });
  expect(await relationship(fanOnB, aliceOnB)).toMatchObject({ following: false, requested: false });
  const bobOnA = await accountOn(a, 'bob@b.test');
  expect(await relationship(fanOnA, bobOnA)).toMatchObject({ following: true, notifying: true });
  expect(await relationship(fanOnA, alice.id)).toMatchObject({ following: false });
  expect((await fanOnB.post(`/api/v1/accounts/${aliceOnB}/follow`)).status).toBe(403);
  expect((await account(fanOnA, alice.id)).followers_count).toBe(0);
  expect((await account(fanOnA, bob.id === bobOnA ? '0' : bobOnA)).followers_count).toBeGreaterThan(0);
});

test('ACC-15: the target is read anew: an alias named a moment ago counts, one taken back does not', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  await accountOn(a, 'bob@b.test');
  await network.drain();
  const refused = await move(alice, 'bob@b.test');
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['acct']]);
  await name(bob, 'alice@a.test');
  await bob.delete('/api/v1/profile/aliases', { acct: 'alice@a.test' });
  expect((await move(alice, 'bob@b.test')).status).toBe(422);
  await name(bob, 'alice@a.test');
  network.break('b.test');
  expect((await move(alice, 'bob@b.test')).status).toBe(503);
  network.mend('b.test');
  expect((await move(alice, 'bob@b.test')).status).toBe(200);
  await network.drain();
});

test('ACC-15: an Update goes out when aliases change, and a Move after the Update that says where to', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const alice = await server.user('alice');
  const peer = new Peer(network, 'far.test');
  const [fay, blocker] = [peer.actor('fay'), peer.actor('bea')];
  await fay.send(server, fay.activity('Follow', 'https://a.test/users/alice'));
  await blocker.send(server, blocker.activity('Block', 'https://a.test/users/alice'));
  const home = new Peer(network, 'home.test').actor('alice');
  home.document = { alsoKnownAs: ['https://a.test/users/alice'] };
  await server.drain();
  peer.received.length = 0;
  const sent = () => peer.received.splice(0).map(({ activity }) => activity);
  await name(alice, 'alice@home.test');
  await server.drain();
  expect(sent()).toMatchObject([{ type: 'Update', object: { alsoKnownAs: [home.uri] } }]);
  await alice.delete('/api/v1/profile/aliases', { acct: 'alice@home.test' });
  await server.drain();
  const [update] = sent();
  expect(update?.['object']).not.toHaveProperty('alsoKnownAs');
  expect((await move(alice, 'alice@home.test')).status).toBe(200);
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

test('FED-03: a Move counts only when the new account agrees, for the mover itself, and once a week', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const [old, next, third, liar] = [peer.actor('old'), peer.actor('next'), peer.actor('third'), peer.actor('liar')];
  const alice = await server.user('alice');
  const oldId = await accountOn(server, 'old@far.test');
  await alice.post(`/api/v1/accounts/${oldId}/follow`);
  await server.drain();
  await old.send(server, old.activity('Accept', peer.received.at(-1)?.activity));
  await server.drain();
  const says = async (by: typeof old, object: string, target: unknown) => {
    await by.send(server, by.activity('Move', object, { target }));
    await server.drain();
    return (await account(alice, oldId)).moved?.acct as string | undefined;
  };
  expect(await says(old, old.uri, next.uri)).toBeUndefined();
  next.document = { alsoKnownAs: old.uri };
  expect(await says(liar, old.uri, next.uri)).toBeUndefined();
  expect(await says(old, liar.uri, next.uri)).toBeUndefined();
  expect(await says(old, old.uri, old.uri)).toBeUndefined();
  expect(await says(old, old.uri, 'https://far.test/users/nobody')).toBeUndefined();
  expect(await says(old, old.uri, undefined)).toBeUndefined();
  expect(await relationship(alice, oldId)).toMatchObject({ following: true });
  old.document = { movedTo: next.uri };
  expect(await says(old, old.uri, next.uri)).toBe('next@far.test');
  const nextId = await accountOn(server, 'next@far.test');
  expect(await relationship(alice, nextId)).toMatchObject({ requested: true });
  expect(await relationship(alice, oldId)).toMatchObject({ following: false });
  const sent = peer.received.map(({ activity }) => activity);
  expect(sent).toContainEqual(expect.objectContaining({ type: 'Follow', object: next.uri }));
  expect(sent).toContainEqual(
    expect.objectContaining({ type: 'Undo', object: expect.objectContaining({ type: 'Follow' }) }),
  );
  third.document = { alsoKnownAs: [old.uri] };
  old.document = { movedTo: third.uri };
  expect(await says(old, old.uri, third.uri)).toBe('next@far.test');
  network.clock.advance(7 * day);
  expect(await says(old, old.uri, third.uri)).toBe('third@far.test');
});

test('ACC-15: an account of another server may move here; who is locked is asked, who blocks is left alone', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const old = peer.actor('old');
  const [home, fan, foe] = [await server.user('nest'), await server.user('fan'), await server.user('foe')];
  await home.patch('/api/v1/accounts/update_credentials', { locked: true });
  const oldId = await accountOn(server, 'old@far.test');
  for (const user of [fan, foe]) {
    await user.post(`/api/v1/accounts/${oldId}/follow`);
    await server.drain();
    await old.send(server, old.activity('Accept', peer.received.at(-1)?.activity));
    await server.drain();
  }
  await foe.post(`/api/v1/accounts/${home.id}/block`);
  await name(home, 'old@far.test');
  await old.send(server, old.activity('Move', old.uri, { target: 'https://a.test/users/nest' }));
  await server.drain();
  expect(await relationship(fan, home.id)).toMatchObject({ following: false, requested: true });
  expect(await relationship(fan, oldId)).toMatchObject({ following: false });
  expect(await relationship(foe, home.id)).toMatchObject({ following: false, requested: false });
  expect(await relationship(foe, oldId)).toMatchObject({ following: true });
});

test('ACC-15: lists, notes, blocks and mutes go along when an account moves', async () => {
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
  await name(home, 'old');
  expect((await move(old, 'nest')).status).toBe(200);
  await server.drain();
  const members = (await fan.get(`/api/v1/lists/${list.id}/accounts`)).json as { id: string }[];
  expect(members.map(({ id }) => id)).toEqual([home.id]);
  const noteOf = async (user: TestUser) => (await relationship(user, home.id))['note'];
  expect(await noteOf(fan)).toBe('Moved here from @old. Your note from there:\nMet at the lake');
  expect(await noteOf(muter)).toBe('New one\n\nMoved here from @old. Your note from there:\nNoisy');
  expect(await noteOf(blocker)).toBe('Moved here from @old, which you had blocked.');
  expect(await relationship(blocker, home.id)).toMatchObject({ blocking: true });
  expect(await relationship(muter, home.id)).toMatchObject({ muting: true });
});

test('FED-01: movedTo in a profile is shown when the other agrees; nobody is moved by it, and chains are not walked', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const [old, next, last] = [peer.actor('old'), peer.actor('next'), peer.actor('last')];
  const alice = await server.user('alice');
  old.document = { movedTo: next.uri };
  next.document = { movedTo: last.uri };
  const oldId = await accountOn(server, 'old@far.test');
  await server.drain();
  expect((await account(alice, oldId)).moved).toBeUndefined();
  next.document = { movedTo: last.uri, alsoKnownAs: [old.uri] };
  await old.send(server, old.activity('Update', old.json()));
  await server.drain();
  expect((await account(alice, oldId)).moved).toMatchObject({ acct: 'next@far.test' });
  expect(peer.asked.filter((path) => path.endsWith('/last'))).toEqual([]);
  old.document = {};
  await old.send(server, old.activity('Update', old.json()));
  await server.drain();
  expect((await account(alice, oldId)).moved).toBeUndefined();
});
