import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { peerScene } from '../peer-scene.ts';
import { resolveAccountOn, followAcross, postStatus, twoServers } from '../two-servers.ts';

const daySeconds = 86_400;
const activityStreams = 'https://www.w3.org/ns/activitystreams';

async function listFeaturedTags(viewer: TestUser, id: string): Promise<string[]> {
  const { json } = await viewer.get(`/api/v1/accounts/${id}/featured_tags`);
  return (json as { name: string }[]).map(({ name }) => name).toSorted();
}

async function listPinned(viewer: TestUser, id: string): Promise<string[]> {
  const { json } = await viewer.get(`/api/v1/accounts/${id}/statuses?pinned=true`);
  return (json as { content: string }[]).map(({ content }) => content);
}

async function getCollection(viewer: { get: TestUser['get'] }, path: string) {
  return (await viewer.get(path, { headers: { accept: 'application/activity+json' } })).json;
}

test('TAG-01: featured hashtags are served, and sent as Add and Remove', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  const feature = async (name: string) => (await bob.post('/api/v1/featured_tags', { name })).json as { id: string };
  const first = await feature('Birds');
  await feature('Waders');
  expect(await getCollection(b.anonymous, '/users/bob/collections/tags')).toMatchObject({
    type: 'Collection',
    totalItems: 2,
    items: [
      { type: 'Hashtag', name: '#Birds', href: 'https://b.test/@bob/tagged/birds' },
      { type: 'Hashtag', name: '#Waders', href: 'https://b.test/@bob/tagged/waders' },
    ],
  });
  await network.drain();
  expect(await listFeaturedTags(alice, bobOnA)).toEqual(['Birds', 'Waders']);
  await bob.delete(`/api/v1/featured_tags/${first.id}`);
  await network.drain();
  expect(await listFeaturedTags(alice, bobOnA)).toEqual(['Waders']);
  await feature('Birds');
  await network.drain();
  expect(await listFeaturedTags(alice, bobOnA)).toEqual(['Birds', 'Waders']);
  await a.drain();
});

test('STA-17: pinning and unpinning is sent every time; a private post only by its id', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  const open = await postStatus(bob, { status: 'open' });
  const closed = await postStatus(bob, { status: 'closed', visibility: 'private' });
  await network.drain();
  for (const round of [1, 2]) {
    await bob.post(`/api/v1/statuses/${open.id}/pin`);
    await bob.post(`/api/v1/statuses/${closed.id}/pin`);
    await network.drain();
    // The private post stays; in the second round it is the older pin.
    const both = ['<p>closed</p>', '<p>open</p>'];
    expect(await listPinned(alice, bobOnA), String(round)).toEqual(round === 1 ? both : both.toReversed());
    await bob.post(`/api/v1/statuses/${open.id}/unpin`);
    await network.drain();
    expect(await listPinned(alice, bobOnA), String(round)).toEqual(['<p>closed</p>']);
  }
  const { orderedItems } = await getCollection(b.anonymous, '/users/bob/collections/featured');
  expect(orderedItems).toEqual([closed.uri]);
});

test('STA-17, TAG-01: pins and featured hashtags of a remote account are fetched when it is discovered', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  for (const text of ['one', 'two #rails']) {
    const { id } = await postStatus(bob, { status: text });
    await bob.post(`/api/v1/statuses/${id}/pin`);
  }
  await bob.post('/api/v1/featured_tags', { name: 'rails' });
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  await network.drain();
  expect((await listPinned(alice, bobOnA)).map((text) => text.replaceAll(/<[^>]*>/g, ''))).toEqual([
    'two #rails',
    'one',
  ]);
  expect(await listFeaturedTags(alice, bobOnA)).toEqual(['rails']);
});

test('FED-01: a featured collection may hold the posts as Create activities, as of snac', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const [eve, mallory] = [peer.actor('eve'), peer.actor('mallory')];
  eve.documentOverrides = { featured: `${eve.uri}/featured` };
  const forged = { ...mallory.note('forged'), id: `${eve.uri}/notes/forged` };
  peer.serve(eve.note('by-id'));
  const orderedItems = [
    eve.create(eve.note('embedded')),
    eve.activity('Create', eve.note('by-id')['id']),
    eve.create(forged),
    eve.activity('Create', { type: 'Create', object: eve.note('nested') }),
    eve.activity('Create', null),
  ];
  peer.serve({ id: `${eve.uri}/featured`, type: 'OrderedCollection', orderedItems });
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await a.drain();
  expect((await listPinned(alice, id)).toSorted()).toEqual(['<p>Note by-id</p>', '<p>Note embedded</p>']);
});

test("FED-03: only an actor's own posts and hashtags are featured, within limits and from its own collections", async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const other = new Peer(network, 'other.test').actor('otto');
  const mallory = peer.actor('mallory');
  const nora = peer.actor('nora');
  const alice = await server.user('alice');
  const stranger = other.note(1);
  const neighbour = nora.note(1);
  mallory.documentOverrides = {
    featured: `${mallory.uri}/featured`,
    featuredTags: `${mallory.uri}/tags`,
  };
  const own = mallory.note('own');
  peer.serve({
    id: `${mallory.uri}/featured`,
    type: 'OrderedCollection',
    orderedItems: [stranger, neighbour, own, mallory.note('secret', { to: [nora.uri], cc: [] })],
  });
  peer.serve(neighbour);
  peer.serve({
    id: `${mallory.uri}/tags`,
    type: 'Collection',
    first: `${mallory.uri}/tags/1`,
  });
  const hashtag = (name: string) => ({ type: 'Hashtag', name: `#${name}`, href: `${mallory.uri}/tagged/${name}` });
  peer.serve({
    id: `${mallory.uri}/tags/1`,
    type: 'CollectionPage',
    items: [...Array.from({ length: 12 }, (_, index) => hashtag(`tag${index}`)), { type: 'Note', name: '#no' }],
  });
  const id = await resolveAccountOn(server, 'mallory@far.test');
  await server.drain();
  expect(await listPinned(alice, id)).toEqual(['<p>Note own</p>']);
  expect(await listFeaturedTags(alice, id)).toHaveLength(10);
  // Changes of another actor's collection are ignored.
  const add = (object: unknown, target: string) =>
    mallory.send(server, { ...mallory.activity('Add', object, { target }), id: undefined });
  await add(nora.note(1)['id'], `${mallory.uri}/featured`);
  await add(mallory.note('own')['id'], `${nora.uri}/featured`);
  await add({ ...own, content: 'forged' }, `${mallory.uri}/featured`);
  await nora.send(server, nora.activity('Remove', own['id'], { target: `${mallory.uri}/featured` }));
  await server.drain();
  expect(await listPinned(alice, id)).toEqual(['<p>Note own</p>']);
});

test('FED-03: an activity without an id is processed each time it is sent', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  fay.documentOverrides = { featured: `${fay.uri}/featured` };
  const alice = await server.user('alice');
  const id = await resolveAccountOn(server, 'fay@far.test');
  await server.drain();
  const send = async (type: string) => {
    const object = { type: 'Hashtag', name: '#bees', href: `${fay.uri}/tagged/bees` };
    const activity = { '@context': activityStreams, type, actor: fay.uri, object, target: `${fay.uri}/featured` };
    expect(await fay.send(server, activity)).toBe(202);
    await server.drain();
    network.clock.advance(1);
  };
  await send('Add');
  await send('Remove');
  expect(await listFeaturedTags(alice, id)).toEqual([]);
  await send('Add');
  expect(await listFeaturedTags(alice, id)).toEqual(['bees']);
});

test('FED-01: collections of an account are fetched at most once a day, and a failed fetch changes nothing', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  await bob.post('/api/v1/featured_tags', { name: 'rails' });
  const bobOnA = await resolveAccountOn(a, 'bob@b.test');
  await network.drain();
  const requestCount = () =>
    network.requests.filter(({ from, url }) => from === 'a.test' && url.endsWith('/tags')).length;
  expect(requestCount()).toBe(1);
  await resolveAccountOn(a, 'bob@b.test');
  await alice.get(`/api/v1/accounts/${bobOnA}`);
  await network.drain();
  expect(requestCount()).toBe(1);
  network.clock.advance(daySeconds);
  network.takeDown('b.test');
  await alice.get(`/api/v1/accounts/${bobOnA}`);
  await a.drain();
  expect(await listFeaturedTags(alice, bobOnA)).toEqual(['rails']);
});

test('Add and Remove name the item and the collection of featured items', async () => {
  await using scene = await peerScene();
  const { a, alice, eve, peer } = scene;
  const uri = 'https://a.test/users/alice';
  await eve.send(a, eve.activity('Follow', uri));
  const post = await postStatus(alice, { status: 'Pinned' });
  const actions = [
    () => alice.post(`/api/v1/statuses/${post.id}/pin`),
    () => alice.post(`/api/v1/statuses/${post.id}/unpin`),
    () => alice.post('/api/v1/featured_tags', { name: 'Birds' }),
    async () => alice.delete(`/api/v1/featured_tags/${(await alice.get('/api/v1/featured_tags')).json[0].id}`),
  ];
  for (const act of actions) {
    await a.drain();
    expect((await act()).status).toBe(200);
  }
  await a.drain();
  const sent = peer.received.map(({ activity }) => activity).filter(({ type }) => type === 'Add' || type === 'Remove');
  const tag = { type: 'Hashtag', name: '#Birds', href: 'https://a.test/@alice/tagged/birds' };
  expect(sent).toEqual(
    [
      ['Add', post.uri],
      ['Remove', post.uri],
      ['Add', tag],
      ['Remove', tag],
    ].map(([type, object]) => ({
      '@context': expect.any(Array),
      id: expect.stringMatching(new RegExp(`^${uri}#${type === 'Add' ? 'adds' : 'removes'}/\\d+$`)),
      type,
      actor: uri,
      object,
      target: `${uri}/collections/featured`,
    })),
  );
});
