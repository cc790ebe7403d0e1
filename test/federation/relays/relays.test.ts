import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { silenceAccount, suspendAccount, unsuspendAccount } from '../../../server/moderation/index.ts';
import { blockDomain } from '../../../server/site/domains/index.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { postStatus, resolveAccountOn, resolveStatusOn, type StatusJson } from '../two-servers.ts';

const path = '/api/v1/fieldfare/admin/relays';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly a: TestServer;
  readonly b: TestServer;
  readonly alice: TestUser;
  readonly staff: { readonly a: TestUser; readonly b: TestUser };
  readonly peer: Peer;
  readonly relay: PeerActor;
}

/** Two servers that do not know each other, and a relay. */
async function relayScene(): Promise<Scene> {
  const network = new Network();
  const [a, b] = [await network.start('a.test'), await network.start('b.test')];
  const peer = new Peer(network, 'relay.test');
  const relay = peer.actor('relay');
  relay.documentOverrides = { type: 'Application' };
  const staffOf = (server: TestServer) =>
    server.user('chief', { role: 'admin', scopes: 'read admin:read admin:write' });
  return {
    network,
    a,
    b,
    alice: await a.user('alice'),
    staff: { a: await staffOf(a), b: await staffOf(b) },
    peer,
    relay,
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

const inbox = 'https://relay.test/inbox';
const receivedOf = ({ peer }: Scene, type: string) =>
  peer.received.map(({ activity }) => activity).filter((activity) => activity['type'] === type);

/** Subscribes a server to the relay, which accepts. */
async function subscribe(scene: Scene, server: TestServer, body: object = { url: inbox }): Promise<string> {
  const staff = server === scene.a ? scene.staff.a : scene.staff.b;
  const { json } = await staff.post(path, body);
  await server.drain();
  const request = receivedOf(scene, 'Follow').at(-1);
  await scene.relay.send(server, scene.relay.activity('Accept', request));
  await server.drain();
  expect((await staff.get(`${path}/${json.id}`)).json.state).toBe('accepted');
  return json.id as string;
}

const publicTimeline = async (viewer: TestUser): Promise<StatusJson[]> =>
  (await viewer.get('/api/v1/timelines/public')).json as StatusJson[];

test('a relay of Mastodon’s kind is subscribed by its inbox, gets public posts and brings those of others', async () => {
  await using scene = await relayScene();
  const { a, b, alice, staff, relay, network } = scene;
  const added = await staff.a.post(path, { url: inbox });
  expect(added.json).toMatchObject({ url: inbox, kind: 'mastodon', state: 'pending' });
  await network.drain();
  expect(receivedOf(scene, 'Follow')).toMatchObject([{ actor: 'https://a.test/actor', object: publicCollection }]);
  // Nothing is sent before the relay accepts.
  await postStatus(alice, { status: 'early' });
  await network.drain();
  expect(receivedOf(scene, 'Create')).toEqual([]);
  await relay.send(a, relay.activity('Accept', receivedOf(scene, 'Follow')[0]));
  await a.drain();
  expect((await staff.a.get(path)).json).toMatchObject([{ id: added.json.id, state: 'accepted' }]);
  await subscribe(scene, b);

  const post = await postStatus(alice, { status: 'for everyone' });
  for (const visibility of ['unlisted', 'private', 'direct']) await postStatus(alice, { status: 'no', visibility });
  await network.drain();
  const [create, ...others] = receivedOf(scene, 'Create');
  expect(others).toEqual([]);
  expect(create).toMatchObject({ object: { id: post.uri }, signature: { type: 'RsaSignature2017' } });

  // The relay forwards the activity as it is. Its signature is the relay's, so the post is fetched from its origin.
  expect(await publicTimeline(staff.b)).toEqual([]);
  expect(await relay.send(b, create)).toBe(202);
  await b.drain();
  expect(await publicTimeline(staff.b)).toMatchObject([
    { uri: post.uri, reblog: null, account: { acct: 'alice@a.test' } },
  ]);

  network.clock.advance(60);
  await alice.put(`/api/v1/statuses/${post.id}`, { status: 'edited' });
  await network.drain();
  await relay.send(b, receivedOf(scene, 'Update')[0]);
  await b.drain();
  expect((await publicTimeline(staff.b))[0]?.content).toContain('edited');
  await alice.delete(`/api/v1/statuses/${post.id}`);
  await network.drain();
  await relay.send(b, receivedOf(scene, 'Delete')[0]);
  await b.drain();
  expect(await publicTimeline(staff.b)).toEqual([]);
});

test('ACC-14: relays receive nothing from a silenced account but deletions, and learn of suspensions', async () => {
  await using scene = await relayScene();
  const { a, alice, network } = scene;
  await subscribe(scene, a);
  const post = await postStatus(alice, { status: 'before' });
  await network.drain();
  await silenceAccount(a.app, 'system', { accountId: alice.id });
  await postStatus(alice, { status: 'after' });
  await alice.put(`/api/v1/statuses/${post.id}`, { status: 'edited' });
  await network.drain();
  const types = () => scene.peer.received.map(({ activity }) => activity['type']);
  expect(types()).toEqual(['Follow', 'Create']);
  await alice.delete(`/api/v1/statuses/${post.id}`);
  await network.drain();
  expect(types()).toEqual(['Follow', 'Create', 'Delete']);
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect(receivedOf(scene, 'Update')).toMatchObject([
    { object: { id: 'https://a.test/users/alice', suspended: true }, signature: { type: 'RsaSignature2017' } },
  ]);
});

test('a relay forwards that an account was suspended, unsuspended or deleted, and its server confirms it', async () => {
  await using scene = await relayScene();
  const { a, b, alice, network, relay } = scene;
  await subscribe(scene, a);
  await subscribe(scene, b);
  const id = await resolveAccountOn(b, 'alice@a.test');
  const stateOnB = async () => {
    const { rows } = await b.pool.query(
      `select suspended_at is not null as suspended, deleted_at is not null as deleted from accounts where id = $1`,
      [id],
    );
    return rows[0] as { suspended: boolean; deleted: boolean };
  };
  const forward = async (type: string) => {
    await relay.send(b, receivedOf(scene, type).at(-1));
    await b.drain();
    return stateOnB();
  };
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await a.drain();
  expect(await forward('Update')).toEqual({ suspended: true, deleted: false });
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await a.drain();
  expect(await forward('Update')).toEqual({ suspended: false, deleted: false });
  const uri = 'https://a.test/users/alice';
  const claimed = { ...relay.activity('Delete', uri), id: `${uri}#claimed`, actor: uri };
  await relay.send(b, claimed);
  await b.drain();
  expect(await stateOnB()).toEqual({ suspended: false, deleted: false });
  network.takeDown('b.test');
  await deleteAccount(a.app, alice.id);
  await a.drain();
  const sent = scene.peer.received.find(({ path: url, activity }) => url === '/inbox' && activity['type'] === 'Delete');
  expect(sent?.activity).toMatchObject({
    object: uri,
    signature: { type: 'RsaSignature2017', creator: `${uri}#main-key` },
    proof: { type: 'DataIntegrityProof' },
  });
  network.bringUp('b.test');
  expect(await forward('Delete')).toEqual({ suspended: false, deleted: true });
});

test('a LitePub relay is followed by its actor, may follow back, gets Announces, and its own are not shown as boosts', async () => {
  await using scene = await relayScene();
  const { a, b, alice, staff, relay, peer, network } = scene;
  const body = { url: relay.uri, kind: 'litepub' };
  await subscribe(scene, a, body);
  await subscribe(scene, b, body);
  expect(receivedOf(scene, 'Follow')).toMatchObject([
    { actor: 'https://a.test/actor', object: relay.uri },
    { actor: 'https://b.test/actor', object: relay.uri },
  ]);
  await relay.send(a, relay.activity('Follow', 'https://a.test/actor'));
  await peer.actor('stranger').send(a, peer.actors.at(-1)?.activity('Follow', 'https://a.test/actor'));
  await a.drain();
  expect(receivedOf(scene, 'Accept')).toMatchObject([{ actor: 'https://a.test/actor', object: { actor: relay.uri } }]);
  expect(receivedOf(scene, 'Reject')).toHaveLength(1);

  const post = await postStatus(alice, { status: 'for everyone' });
  await network.drain();
  expect(receivedOf(scene, 'Create')).toEqual([]);
  expect(receivedOf(scene, 'Announce')).toMatchObject([
    { actor: 'https://a.test/actor', object: post.uri, to: [publicCollection] },
  ]);
  await relay.send(b, relay.activity('Announce', post.uri, { to: [publicCollection] }));
  await b.drain();
  expect(await publicTimeline(staff.b)).toMatchObject([{ uri: post.uri, reblog: null, reblogs_count: 0 }]);
  const reblogs = await b.app.db.selectFrom('statuses').select('id').where('reblog_of_id', 'is not', null).execute();
  expect(reblogs).toEqual([]);
  await alice.delete(`/api/v1/statuses/${post.id}`);
  await network.drain();
  expect(receivedOf(scene, 'Delete')).toHaveLength(1);
});

test('what a server announces that is no subscribed relay, or what staff have blocked, is not stored', async () => {
  await using scene = await relayScene();
  const { b, alice, staff, relay, peer, network } = scene;
  const { uri } = await postStatus(alice, { status: 'for everyone' });
  const announce = async (): Promise<boolean> => {
    await relay.send(b, relay.activity('Announce', uri, { to: [publicCollection] }));
    await network.drain();
    return (await publicTimeline(staff.b)).length > 0;
  };
  expect(await announce()).toBe(false);
  const { json } = await staff.b.post(path, { url: inbox });
  await network.drain();
  expect(await announce()).toBe(false);
  // Only the host of the inbox can accept, and only for the current Follow.
  const request = receivedOf(scene, 'Follow')[0];
  const other = new Peer(network, 'other.test').actor('eve');
  await other.send(b, other.activity('Accept', request));
  await b.drain();
  expect((await staff.b.get(`${path}/${json.id}`)).json.state).toBe('pending');
  await relay.send(b, relay.activity('Reject', request));
  await b.drain();
  expect((await staff.b.get(`${path}/${json.id}`)).json.state).toBe('rejected');
  await relay.send(b, relay.activity('Accept', request));
  await b.drain();
  expect((await staff.b.get(`${path}/${json.id}`)).json.state).toBe('rejected');

  expect((await staff.b.post(`${path}/${json.id}/subscribe`)).json.state).toBe('pending');
  await b.drain();
  await relay.send(b, relay.activity('Accept', receivedOf(scene, 'Follow').at(-1)));
  await b.drain();
  await blockDomain(b.app, 'system', { domain: 'a.test', severity: 'suspend' });
  await b.drain();
  expect(await announce()).toBe(false);

  expect((await staff.b.post(`${path}/${json.id}/unsubscribe`)).json.state).toBe('idle');
  await b.drain();
  expect(receivedOf(scene, 'Undo')).toMatchObject([{ object: { type: 'Follow', object: publicCollection } }]);
  await blockDomain(b.app, 'system', { domain: 'a.test', severity: 'noop' });
  await b.drain();
  expect(await announce()).toBe(false);
  expect(await resolveStatusOn(b, uri)).toBeDefined();
  peer.received.length = 0;
  expect((await staff.b.delete(`${path}/${json.id}`)).json).toEqual({});
  await b.drain();
  expect(peer.received).toEqual([]);
});

test('relays with invalid, local, blocked or known addresses are refused, and each change is in the audit log', async () => {
  await using scene = await relayScene();
  const { a, staff } = scene;
  const post = async (url: string) => {
    const { status, json } = await staff.a.post(path, { url });
    return [status, json.error];
  };
  await blockDomain(a.app, 'system', { domain: 'bad.test', severity: 'suspend' });
  expect(await post('ftp://relay.test/inbox')).toEqual([422, expect.stringContaining('URL must be an https address')]);
  expect(await post('https://a.test/inbox')).toEqual([422, expect.stringContaining('URL must not be an address of')]);
  expect(await post('https://x.bad.test/inbox')).toEqual([422, expect.stringContaining('x.bad.test')]);
  expect(await post(`https://relay.test/${'x'.repeat(2_000)}`)).toEqual([422, expect.stringContaining('too long')]);
  expect((await staff.a.post(path, {})).status).toBe(400);
  const { json: added } = await staff.a.post(path, { url: `${inbox}#x` });
  expect(added.url).toBe(inbox);
  expect(await post(inbox)).toEqual([422, expect.stringContaining('in the list already')]);
  await staff.a.post(`${path}/${added.id}/unsubscribe`);
  // Changes nothing, so nothing is recorded.
  await staff.a.post(`${path}/${added.id}/unsubscribe`);
  await staff.a.post(`${path}/${added.id}/subscribe`);
  await staff.a.delete(`${path}/${added.id}`);
  for (const response of [
    await staff.a.get(`${path}/${added.id}`),
    await staff.a.post(`${path}/${added.id}/subscribe`),
    await staff.a.post(`${path}/${added.id}/unsubscribe`),
    await staff.a.delete(`${path}/${added.id}`),
  ])
    expect(response.status).toBe(404);
  const entries = await a.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target_type', '=', 'relay')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'relay.create',
    'relay.unsubscribe',
    'relay.subscribe',
    'relay.delete',
  ]);
  await a.drain();
});
