import { expect, test } from 'vitest';
import { findAccount } from '../../../server/accounts/find/index.ts';
import { resolveCollection } from '../../../server/federation/index.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { isoTime } from '../peer-scene.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveAccountOn, followAcross, getRelationship, twoServers } from '../two-servers.ts';

const collections = '/api/v1/collections';
const activityJson = { accept: 'application/activity+json' };

interface Item {
  readonly id: string;
  readonly account_id: string;
  readonly state: string;
}
interface Collection {
  readonly id: string;
  readonly uri: string;
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly tag: { name: string } | null;
  readonly items: Item[];
}

const makeDiscoverable = (user: TestUser) => user.patch('/api/v1/accounts/update_credentials', { discoverable: true });

async function createCollection(owner: TestUser, ids: readonly string[], fields = {}): Promise<Collection> {
  const response = await owner.post(collections, { name: 'Birds', account_ids: ids, ...fields });
  expect(response.status, response.text).toBe(200);
  return response.json.collection as Collection;
}

/** Returns a collection as a user sees it on their server, by its URI. */
async function viewCollection(
  server: TestServer,
  viewer: { get: TestUser['get'] },
  uri: string,
): Promise<Collection | undefined> {
  const row = await server.app.db.selectFrom('collections').select('id').where('uri', '=', uri).executeTakeFirst();
  if (row === undefined) return undefined;
  const { status, json } = await viewer.get(`${collections}/${row.id}`);
  return status === 200 ? (json.collection as Collection) : undefined;
}

const notificationTypes = async (user: TestUser): Promise<string[]> =>
  (await user.get('/api/v1/notifications')).json.map(({ type }: { type: string }) => type);

test('adding a remote account asks for its consent, and both servers list it once it agrees', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await makeDiscoverable(bob);
  await makeDiscoverable(alice);
  const carol = await a.user('carol');
  await makeDiscoverable(carol);
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  const created = await createCollection(alice, [bobOnA, carol.id], {
    description: 'Who <sings>',
    language: 'en',
    tag_name: 'BirdSong',
  });
  expect(created.items.map(({ state }) => state)).toEqual(['pending', 'accepted']);
  expect((await a.anonymous.get(`${collections}/${created.id}`)).json.collection.item_count).toBe(1);
  await network.drain();

  const local = await viewCollection(a, alice, created.uri);
  expect(local?.items.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
  const remote = await viewCollection(b, bob, created.uri);
  expect(remote).toMatchObject({
    local: false,
    name: 'Birds',
    description: 'Who &lt;sings&gt;',
    url: created.url,
    language: 'en',
    tag: { name: 'BirdSong' },
    discoverable: true,
  });
  expect(remote?.items).toHaveLength(2);
  expect(await notificationTypes(bob)).toEqual(['added_to_collection']);
  const containing = await bob.get(`/api/v1/accounts/${bob.id}/in_collections`);
  expect(containing.json.collections.map(({ uri }: Collection) => uri)).toEqual([created.uri]);

  await alice.patch(`${collections}/${created.id}`, { name: 'Owls' });
  await network.drain();
  expect((await viewCollection(b, bob, created.uri))?.name).toBe('Owls');
  expect(await notificationTypes(bob)).toEqual(['collection_update', 'added_to_collection']);

  const dave = await a.user('dave');
  await makeDiscoverable(dave);
  const added = await alice.post(`${collections}/${created.id}/items`, { account_id: dave.id });
  await network.drain();
  expect((await viewCollection(b, bob, created.uri))?.items).toHaveLength(3);
  await alice.delete(`${collections}/${created.id}/items/${added.json.collection_item.id}`);
  await network.drain();
  expect((await viewCollection(b, bob, created.uri))?.items).toHaveLength(2);

  await alice.delete(`${collections}/${created.id}`);
  await network.drain();
  expect(await viewCollection(b, bob, created.uri)).toBeUndefined();
  expect(await notificationTypes(bob)).toEqual([]);
});

test('a remote account that revokes its consent is removed on both servers and cannot be added again', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await makeDiscoverable(bob);
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  const created = await createCollection(alice, [bobOnA]);
  await network.drain();
  const remote = await viewCollection(b, bob, created.uri);
  const item = remote?.items[0]?.id;
  const authorizationUri = `/ap/users/${bob.id}/feature_authorizations/${item}`;
  expect((await b.anonymous.get(authorizationUri, { headers: activityJson })).json).toMatchObject({
    id: `https://b.test${authorizationUri}`,
    type: 'FeatureAuthorization',
    interactingObject: created.uri,
    interactionTarget: 'https://b.test/users/bob',
  });
  expect((await bob.post(`${collections}/${remote?.id}/items/${item}/revoke`)).status).toBe(200);
  expect((await b.anonymous.get(authorizationUri, { headers: activityJson })).status).toBe(404);
  await network.drain();
  expect((await viewCollection(b, bob, created.uri))?.items).toEqual([]);
  expect((await viewCollection(a, alice, created.uri))?.items).toEqual([]);
  expect((await alice.post(`${collections}/${created.id}/items`, { account_id: bobOnA })).status).toBe(422);
  expect(await notificationTypes(bob)).toEqual([]);
});

test("an account that blocks the owner of a collection is removed from it, on the owner's server too", async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await makeDiscoverable(bob);
  const created = await createCollection(alice, [await resolveAccountOn(a, 'bob@b.test')]);
  await network.drain();
  await bob.post(`/api/v1/accounts/${await resolveAccountOn(b, 'alice@a.test')}/block`);
  await network.drain();
  expect((await viewCollection(a, alice, created.uri))?.items).toEqual([]);
});

test('an account that does not allow being featured cannot be added', async () => {
  await using servers = await twoServers();
  const { a, alice, network, bob } = servers;
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  const refused = await alice.post(collections, { name: 'Birds', account_ids: [bobOnA] });
  expect([refused.status, refused.json.error]).toEqual([403, 'This account cannot be added to collections']);
  await bob.patch('/api/v1/accounts/update_credentials', { discoverable: true, locked: true });
  await resolveAccountOn(a, 'bob@b.test');
  await followAcross(servers, a, alice, 'bob@b.test');
  await bob.post(`/api/v1/follow_requests/${await resolveAccountOn(servers.b, 'alice@a.test')}/authorize`);
  await network.drain();
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: true });
  const approval = async () => (await alice.get(`/api/v1/accounts/${bobOnA}`)).json.feature_approval;
  await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob' });
  await network.drain();
  expect(await approval()).toEqual({ automatic: ['followers'], manual: [], current_user: 'automatic' });
  expect((await createCollection(alice, [bobOnA])).items[0]?.state).toBe('pending');
});

test('a collection and its items are served as FEP-7aa9 documents', async () => {
  await using servers = await twoServers();
  const { a, alice } = servers;
  await makeDiscoverable(alice);
  const carol = await a.user('carol');
  await makeDiscoverable(carol);
  const created = await createCollection(alice, [carol.id], { tag_name: 'Birds', sensitive: true });
  const list = `https://a.test/ap/users/${alice.id}/featured_collections`;
  const get = async (path: string) => a.anonymous.get(path, { headers: activityJson });
  const actor = (await get('/users/alice')).json;
  expect(actor).toMatchObject({
    featuredCollections: list,
    interactionPolicy: {
      canFeature: { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] },
    },
  });
  const served = await get(created.uri);
  expect(served.headers['content-type']).toContain('application/activity+json');
  const item = served.json.orderedItems[0];
  expect(served.json).toMatchObject({
    id: created.uri,
    type: 'FeaturedCollection',
    attributedTo: 'https://a.test/users/alice',
    name: 'Birds',
    summary: '',
    url: created.url,
    topic: { type: 'Hashtag', name: '#Birds', href: 'https://a.test/tags/birds' },
    sensitive: true,
    discoverable: true,
    totalItems: 1,
    orderedItems: [
      {
        id: `https://a.test/ap/users/${alice.id}/collection_items/${created.items[0]?.id}`,
        type: 'FeaturedItem',
        featuredObject: 'https://a.test/users/carol',
        featureAuthorization: `https://a.test/ap/users/${carol.id}/feature_authorizations/${created.items[0]?.id}`,
      },
    ],
  });
  expect((await get(created.url)).json).toEqual(served.json);
  expect((await get(item.id)).json).toMatchObject(item);
  expect((await get(item.featureAuthorization)).json).toMatchObject({
    type: 'FeatureAuthorization',
    interactingObject: created.uri,
    interactionTarget: 'https://a.test/users/carol',
  });
  const page = await a.anonymous.get(created.uri, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers['location']]).toEqual([302, created.url]);

  for (let index = 0; index < 6; index += 1) await createCollection(alice, [], { name: `${index}` });
  await createCollection(alice, [], { name: 'Unlisted', discoverable: false });
  const collection = (await get(list)).json;
  expect(collection).toMatchObject({ id: list, type: 'Collection', totalItems: 7, first: `${list}?page=1` });
  const first = (await get(collection.first)).json;
  const second = (await get(first.next)).json;
  expect([first.type, first.items.length, second.items.length, second.next]).toEqual([
    'CollectionPage',
    5,
    2,
    undefined,
  ]);
  expect(second.items.at(-1)).toMatchObject({ id: created.uri, totalItems: 1 });

  for (const path of [
    `/ap/users/${carol.id}/collections/${created.id}`,
    `/ap/users/${carol.id}/collection_items/${created.items[0]?.id}`,
    `/ap/users/${alice.id}/feature_authorizations/${created.items[0]?.id}`,
    `/ap/users/${alice.id}/collections/1`,
    '/ap/users/1/featured_collections',
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
  await a.db.updateTable('accounts').set({ suspended_at: a.clock.now() }).where('id', '=', alice.id).execute();
  expect((await get(list)).status).toBe(403);
  expect((await get(created.uri)).status).toBe(404);
});

test('in secure mode the documents of collections require a signature', async () => {
  await using servers = await twoServers({ b: { SECURE_MODE: 'true' } });
  const { a, b, bob } = servers;
  await makeDiscoverable(bob);
  const created = await createCollection(bob, [bob.id]);
  for (const path of [created.uri, created.url, `/ap/users/${bob.id}/featured_collections`]) {
    expect((await b.anonymous.get(path, { headers: activityJson })).status, path).toBe(401);
  }
  await resolveAccountOn(a, 'bob@b.test');
  expect(await resolveCollection(a.app, created.uri)).toBeDefined();
});

test('collections of a remote account are fetched when it is discovered, and one by its URL in a search', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await makeDiscoverable(alice);
  const carol = await a.user('carol');
  await makeDiscoverable(carol);
  const created = await createCollection(alice, [carol.id]);
  const unlisted = await createCollection(alice, [], { name: 'Unlisted', discoverable: false });
  const aliceOnB = await resolveAccountOn(b, 'alice@a.test');
  await network.drain();
  const listed = async () =>
    (await bob.get(`/api/v1/accounts/${aliceOnB}/collections`)).json.collections.map(({ uri }: Collection) => uri);
  expect(await listed()).toEqual([created.uri]);
  await network.drain();
  const shown = await viewCollection(b, bob, created.uri);
  expect(shown?.items.map(({ state }) => state)).toEqual(['accepted']);
  expect(shown?.items[0]?.account_id).toBe(await resolveAccountOn(b, 'carol@a.test'));

  const found = await bob.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(unlisted.url)}`);
  expect(found.json.collections.map(({ name }: Collection) => name)).toEqual(['Unlisted']);
  expect(await listed()).toEqual([created.uri]);

  const posted = await bob.post('/api/v1/statuses', { status: `See ${created.url}` });
  expect(posted.json.tagged_collections.map(({ uri }: Collection) => uri)).toEqual([created.uri]);
  await alice.delete(`${collections}/${created.id}`);
  b.clock.advance(2 * 86_400);
  await listed();
  await network.drain();
  expect(await listed()).toEqual([]);
});

test('a post that links a collection shows it on another server once that server has fetched it', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await makeDiscoverable(alice);
  await followAcross(servers, b, bob, 'alice@a.test');
  const created = await createCollection(alice, [alice.id]);
  const posted = await alice.post('/api/v1/statuses', { status: `My birds: ${created.url}` });
  await network.drain();
  const note = await a.anonymous.get(posted.json.uri, { headers: activityJson });
  expect(note.json.tag).toContainEqual(expect.objectContaining({ type: 'FeaturedCollection', id: created.uri }));
  const [status] = (await bob.get('/api/v1/timelines/home')).json;
  expect(status.tagged_collections.map(({ uri }: Collection) => uri)).toEqual([created.uri]);
  expect(status.tagged_collections[0].item_count).toBe(1);
  expect(await viewCollection(b, bob, created.uri)).toMatchObject({ name: 'Birds' });
});

/** A peer with an owner of collections, and a local server with alice. */
async function collectionPeer() {
  const network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  const owner = peer.actor('owner');
  owner.documentOverrides = { featuredCollections: `${owner.uri}/lists` };
  const alice = await server.user('alice');
  await makeDiscoverable(alice);
  return { network, server, peer, owner, alice, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

const collectionUri = (owner: PeerActor, id: number | string = 1) => `${owner.uri}/lists/${id}`;

function collectionDocument(owner: PeerActor, members: Record<string, unknown> = {}): Record<string, unknown> {
  const id = collectionUri(owner);
  return { id, type: 'FeaturedCollection', attributedTo: owner.uri, name: 'Theirs', orderedItems: [], ...members };
}

/** Returns the item of an actor in a collection of `owner`, and serves its authorization from the actor's server. */
function collectionItem(
  owner: PeerActor,
  member: PeerActor,
  peer: Peer,
  authorization: Record<string, unknown> | undefined = {},
) {
  const approval = `${member.uri}/authorizations/1`;
  if (authorization !== undefined) {
    peer.serve({
      id: approval,
      type: 'FeatureAuthorization',
      interactingObject: collectionUri(owner),
      interactionTarget: member.uri,
      ...authorization,
    });
  }
  return {
    id: `${owner.uri}/places/${member.username}`,
    type: 'FeaturedItem',
    featuredObject: member.uri,
    featureAuthorization: approval,
  };
}

test('a FeatureRequest without an actor is by its signer, and the requested account answers it', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  peer.serve(collectionDocument(owner, { summary: '<p>Hi<script>alert(1)</script></p>' }));
  const request = {
    '@context': ['https://www.w3.org/ns/activitystreams'],
    id: `${owner.uri}/requests/1`,
    type: 'FeatureRequest',
    object: 'https://a.test/users/alice',
    instrument: collectionUri(owner),
  };
  expect(await owner.send(server, request)).toBe(202);
  await network.drain();
  const response = peer.received.at(-1)?.activity;
  expect(response).toMatchObject({
    type: 'Accept',
    actor: 'https://a.test/users/alice',
    object: request.id,
    result: expect.stringContaining(`https://a.test/ap/users/${alice.id}/feature_authorizations/`),
  });
  const authorization = await server.anonymous.get(String(response?.['result']), { headers: activityJson });
  expect(authorization.json).toMatchObject({ interactingObject: collectionUri(owner) });
  expect(await notificationTypes(alice)).toEqual(['added_to_collection']);
  const shown = await viewCollection(server, alice, collectionUri(owner));
  expect(shown?.description).toBe('<p>Hi</p>');
  expect(shown?.items.map(({ account_id: id }) => id)).toEqual([alice.id]);

  // Its item is added, updated and removed.
  const item = {
    id: `${owner.uri}/places/alice`,
    type: 'FeaturedItem',
    featuredObject: 'https://a.test/users/alice',
    featureAuthorization: response?.['result'],
  };
  await owner.send(server, owner.activity('Add', item, { target: collectionUri(owner) }));
  await owner.send(
    server,
    owner.activity('Update', collectionDocument(owner, { name: 'Renamed', orderedItems: [item] })),
  );
  await network.drain();
  expect(await viewCollection(server, alice, collectionUri(owner))).toMatchObject({
    name: 'Renamed',
    items: [{ account_id: alice.id }],
  });
  await owner.send(server, owner.activity('Remove', item.id, { target: collectionUri(owner) }));
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toEqual([]);
  expect(await notificationTypes(alice)).toEqual([]);
});

test('an Update of a collection that is older than the stored version changes nothing', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const version = (name: string, seconds: number) =>
    collectionDocument(owner, { name, ...(seconds > 0 && { updated: isoTime(server, seconds) }) });
  const versions = [10, 20, 30].map((seconds) => version(`After ${seconds}`, seconds));
  peer.serve(version('First', 1));
  network.clock.advance(60);
  await resolveAccountOn(server, 'owner@peer.test');
  await resolveCollection(server.app, collectionUri(owner));
  const nameAfter = async (document: unknown) => {
    await owner.send(server, owner.activity('Update', document));
    await network.drain();
    return (await viewCollection(server, alice, collectionUri(owner)))?.name;
  };
  expect(await nameAfter(versions[1])).toBe('After 20');
  expect(await nameAfter(versions[0])).toBe('After 20');
  expect(await nameAfter(versions[2])).toBe('After 30');
  // A time in the future does not make later versions old, nor does a missing one.
  expect(await nameAfter(version('Future', 7200))).toBe('Future');
  network.clock.advance(60);
  expect(await nameAfter(version('Next', 1))).toBe('Next');
  expect(await nameAfter(version('Undated', 0))).toBe('Undated');
});

test('an account that agreed stays in a remote collection when its item gets another id', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  peer.serve(collectionDocument(owner));
  const request = { id: `${owner.uri}/requests/1`, instrument: collectionUri(owner) };
  await owner.send(server, owner.activity('FeatureRequest', 'https://a.test/users/alice', request));
  await network.drain();
  const authorizationUri = String(peer.received.at(-1)?.activity['result']);
  for (const id of [1, 2]) {
    const item = {
      id: `${owner.uri}/places/${id}`,
      type: 'FeaturedItem',
      featuredObject: 'https://a.test/users/alice',
      featureAuthorization: authorizationUri,
    };
    await owner.send(server, owner.activity('Update', collectionDocument(owner, { orderedItems: [item] })));
    await network.drain();
    const shown = await viewCollection(server, alice, collectionUri(owner));
    expect(shown?.items.map(({ account_id: member }) => member)).toEqual([alice.id]);
  }
  expect((await server.anonymous.get(authorizationUri, { headers: activityJson })).status).toBe(200);
});

test('a FeatureRequest is rejected if the account does not allow it, or once it has revoked its consent', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  peer.serve(collectionDocument(owner));
  let count = 0;
  const requestFeature = async (members: Record<string, unknown> = {}) => {
    count += 1;
    const request = owner.activity('FeatureRequest', 'https://a.test/users/alice', {
      id: `${owner.uri}/requests/${count}`,
      instrument: collectionUri(owner),
      ...members,
    });
    peer.received.length = 0;
    await owner.send(server, request);
    await network.drain();
    return peer.received.map(({ activity }) => activity['type']);
  };
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: false });
  expect(await requestFeature()).toEqual(['Reject']);
  expect(peer.requestedPaths.filter((path) => path.includes('/lists'))).toEqual(['/users/owner/lists']);
  await makeDiscoverable(alice);
  await alice.post('/api/v1/domain_blocks', { domain: 'peer.test' });
  expect(await requestFeature()).toEqual(['Reject']);
  await alice.delete('/api/v1/domain_blocks', { domain: 'peer.test' });
  expect(await requestFeature({ instrument: 'https://elsewhere.test/lists/1' })).toEqual([]);
  expect(await requestFeature({ object: 'https://a.test/users/nobody' })).toEqual([]);
  expect(await requestFeature()).toEqual(['Accept']);
  expect(await requestFeature()).toEqual(['Accept']);
  const shown = await viewCollection(server, alice, collectionUri(owner));
  await alice.post(`${collections}/${shown?.id}/items/${shown?.items[0]?.id}/revoke`);
  peer.received.length = 0;
  await network.drain();
  expect(peer.received.map(({ activity }) => activity)).toMatchObject([
    { type: 'Delete', object: { type: 'FeatureAuthorization', interactingObject: collectionUri(owner) } },
  ]);
  expect(await requestFeature()).toEqual(['Reject']);
});

test('an item counts only with an authorization by the server of the featured account', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const other = new Peer(network, 'other.test');
  const [ann, ben, cat, dan] = ['ann', 'ben', 'cat', 'dan'].map((name) => other.actor(name)) as [
    PeerActor,
    PeerActor,
    PeerActor,
    PeerActor,
  ];
  await resolveAccountOn(server, 'owner@peer.test');
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(server, 'owner@peer.test')}/follow`);
  await network.drain();
  await owner.send(server, owner.activity('Accept', peer.received.at(-1)?.activity));
  await network.drain();
  const forged = {
    ...collectionItem(owner, dan, other, undefined),
    featureAuthorization: `${owner.uri}/authorizations/dan`,
  };
  peer.serve({
    id: `${owner.uri}/authorizations/dan`,
    type: 'FeatureAuthorization',
    interactingObject: collectionUri(owner),
    interactionTarget: dan.uri,
  });
  const items = [
    collectionItem(owner, ann, other),
    collectionItem(owner, ben, other, { interactingObject: collectionUri(owner, 2) }),
    collectionItem(owner, cat, other, { interactionTarget: ann.uri }),
    forged,
    { id: `${owner.uri}/places/alice`, type: 'FeaturedItem', featuredObject: 'https://a.test/users/alice' },
    { id: 'https://other.test/places/1', type: 'FeaturedItem', featuredObject: ann.uri },
  ];
  await owner.send(
    server,
    owner.activity('Add', collectionDocument(owner, { orderedItems: items }), { target: `${owner.uri}/lists` }),
  );
  await network.drain();
  const shown = await viewCollection(server, alice, collectionUri(owner));
  expect(shown?.items.map(({ account_id: id }) => id)).toEqual([await resolveAccountOn(server, 'ann@other.test')]);
  expect(await notificationTypes(alice)).toEqual([]);

  // The featured server revokes its authorization.
  const authorizationUri = `${ann.uri}/authorizations/1`;
  await ben.send(server, ben.activity('Delete', authorizationUri));
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toHaveLength(1);
  await ann.send(server, ann.activity('Delete', { id: authorizationUri, type: 'FeatureAuthorization' }));
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toEqual([]);

  await owner.send(server, owner.activity('Remove', collectionUri(owner), { target: `${owner.uri}/lists` }));
  await network.drain();
  expect(await viewCollection(server, alice, collectionUri(owner))).toBeUndefined();
});

test('an authorization that could not be fetched is fetched again later', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const other = new Peer(network, 'other.test');
  const ann = other.actor('ann');
  peer.serve(collectionDocument(owner, { orderedItems: [collectionItem(owner, ann, other)] }));
  network.takeDown('other.test');
  await resolveAccountOn(server, 'owner@peer.test');
  await resolveCollection(server.app, collectionUri(owner));
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toEqual([]);
  network.bringUp('other.test');
  server.clock.advance(3600);
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toHaveLength(1);
});

test('remote collections are truncated to limits, and stored only if a local account is concerned', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const huge = collectionDocument(owner, {
    name: 'n'.repeat(1000),
    summary: 's'.repeat(9000),
    orderedItems: Array.from({ length: 400 }, (_, index) => ({
      id: `${owner.uri}/places/${index}`,
      type: 'FeaturedItem',
      featuredObject: `https://nobody.test/users/${index}`,
      featureAuthorization: `https://nobody.test/authorizations/${index}`,
    })),
  });
  await resolveAccountOn(server, 'owner@peer.test');
  await owner.send(server, owner.activity('Add', huge, { target: `${owner.uri}/lists` }));
  await network.drain();
  expect(await viewCollection(server, alice, collectionUri(owner))).toBeUndefined();
  peer.serve(huge);
  const id = await resolveCollection(server.app, collectionUri(owner));
  const stored = await server.app.db
    .selectFrom('collection_items')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('collection_id', '=', id ?? ('0' as never))
    .executeTakeFirstOrThrow();
  expect(Number(stored.count)).toBe(150);
  const shown = await viewCollection(server, alice, collectionUri(owner));
  expect([shown?.name.length, shown?.description.length]).toEqual([256, 2048]);
});

test('only the owner of a collection can change it', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const thief = peer.actor('thief');
  peer.serve(collectionDocument(owner));
  await resolveAccountOn(server, 'owner@peer.test');
  await resolveAccountOn(server, 'thief@peer.test');
  await resolveCollection(server.app, collectionUri(owner));
  for (const activity of [
    thief.activity('Update', collectionDocument(owner, { name: 'Stolen', attributedTo: thief.uri })),
    thief.activity('Update', collectionDocument(owner, { name: 'Stolen' })),
    thief.activity('Remove', collectionUri(owner), { target: `${owner.uri}/lists` }),
    thief.activity('Delete', collectionUri(owner)),
    thief.activity('Add', collectionDocument(owner, { name: 'Stolen', attributedTo: thief.uri }), {
      target: `${thief.uri}/lists`,
    }),
  ]) {
    await thief.send(server, activity);
  }
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.name).toBe('Theirs');
  // Only the requested account can answer a request.
  const ann = peer.actor('ann');
  ann.documentOverrides = {
    interactionPolicy: { canFeature: { manualApproval: ['https://www.w3.org/ns/activitystreams#Public'] } },
  };
  const annId = await resolveAccountOn(server, 'ann@peer.test');
  expect((await alice.get(`/api/v1/accounts/${annId}`)).json.feature_approval).toEqual({
    automatic: [],
    manual: ['public'],
    current_user: 'manual',
  });
  const created = await createCollection(alice, [annId]);
  await network.drain();
  const request = peer.received.at(-1)?.activity;
  expect(request).toMatchObject({ type: 'FeatureRequest', object: ann.uri, instrument: created.uri });
  await thief.send(server, thief.activity('Accept', request?.['id'], { result: `${thief.uri}/authorizations/1` }));
  await ann.send(
    server,
    ann.activity('Accept', request?.['id'], { result: 'https://elsewhere.test/authorizations/1' }),
  );
  await network.drain();
  expect((await viewCollection(server, alice, created.uri))?.items[0]?.state).toBe('pending');
  await ann.send(server, ann.activity('Reject', request?.['id']));
  await network.drain();
  expect((await viewCollection(server, alice, created.uri))?.items).toEqual([]);
  const silent = peer.actor('silent');
  const silentId = await resolveAccountOn(server, 'silent@peer.test');
  expect((await findAccount(server.app, silentId))?.feature_automatic).toBeNull();
  expect((await alice.get(`/api/v1/accounts/${silentId}`)).json.feature_approval.current_user).toBe('missing');
  expect((await alice.post(`${collections}/${created.id}/items`, { account_id: silentId })).status).toBe(403);
  expect(silent.uri).toContain('silent');
});

test('blocking a domain removes the account from its collections; a consent whose item never came expires', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const bob = await server.user('bob');
  await makeDiscoverable(bob);
  peer.serve(collectionDocument(owner));
  for (const name of ['alice', 'bob']) {
    const request = { id: `${owner.uri}/requests/${name}`, instrument: collectionUri(owner) };
    await owner.send(server, owner.activity('FeatureRequest', `https://a.test/users/${name}`, request));
  }
  await network.drain();
  expect((await viewCollection(server, bob, collectionUri(owner)))?.items).toHaveLength(2);
  peer.received.length = 0;
  await alice.post('/api/v1/domain_blocks', { domain: 'peer.test' });
  await network.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toContain('Delete');
  expect((await viewCollection(server, bob, collectionUri(owner)))?.items.map(({ account_id: id }) => id)).toEqual([
    bob.id,
  ]);
  await owner.send(server, owner.activity('Update', collectionDocument(owner)));
  await network.drain();
  expect((await viewCollection(server, bob, collectionUri(owner)))?.items).toHaveLength(1);
  server.clock.advance(2 * 86_400);
  await owner.send(server, owner.activity('Update', collectionDocument(owner)));
  await network.drain();
  expect((await viewCollection(server, bob, collectionUri(owner)))?.items).toEqual([]);
});

test('an item or collection given only as an id is fetched from its server', async () => {
  await using peers = await collectionPeer();
  const { network, server, peer, owner, alice } = peers;
  const other = new Peer(network, 'other.test');
  const [ann, ben] = [other.actor('ann'), other.actor('ben')];
  const named = collectionItem(owner, ann, other);
  peer.serve(named);
  peer.serve(collectionDocument(owner, { orderedItems: [named.id] }));
  peer.serve({
    id: `${owner.uri}/lists`,
    type: 'Collection',
    totalItems: 1,
    first: { type: 'CollectionPage', partOf: `${owner.uri}/lists`, items: [collectionUri(owner)] },
  });
  const ownerId = await resolveAccountOn(server, 'owner@peer.test');
  await network.drain();
  const listed = await alice.get(`/api/v1/accounts/${ownerId}/collections`);
  expect(listed.json.collections).toMatchObject([]);
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toMatchObject([
    { account_id: await resolveAccountOn(server, 'ann@other.test') },
  ]);
  const added = collectionItem(owner, ben, other);
  peer.serve(added);
  await owner.send(server, owner.activity('Add', added.id, { target: collectionUri(owner) }));
  await network.drain();
  expect((await viewCollection(server, alice, collectionUri(owner)))?.items).toHaveLength(2);
});
