import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { Client, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveAccountOn, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const minuteSeconds = 60;
const getDocument = (client: Client, url: string) =>
  client.get(new URL(url).pathname + new URL(url).search, { headers: { accept: 'application/activity+json' } });
const listDescendants = async (viewer: TestUser | Client, id: unknown) =>
  (
    (await viewer.get(`/api/v1/statuses/${String(id)}/context`)).json as { descendants: { uri: string }[] }
  ).descendants.map(({ uri }) => uri);

test('FED-01: a conversation that began here is a paged collection of its public posts', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await postStatus(alice, { status: 'root' });
  const hidden = await postStatus(bob, { status: '@alice psst', in_reply_to_id: root.id, visibility: 'direct' });
  const uris = [root.uri];
  for (let count = 0; count < 61; count += 1) {
    network.clock.advance(1);
    uris.push((await postStatus(bob, { status: `@alice ${count}`, in_reply_to_id: root.id })).uri);
  }
  const { context } = (await getDocument(server.anonymous, String(uris[5]))).json as { context: string };
  expect(context).toMatch(/^https:\/\/a\.test\/contexts\/\d+$/);
  expect((await getDocument(server.anonymous, root.uri)).json.context).toBe(context);
  const collection = (await getDocument(server.anonymous, context)).json;
  expect(collection).toMatchObject({ id: context, type: 'Collection', attributedTo: 'https://a.test/users/alice' });
  const found: string[] = [];
  let page: { items?: string[]; next?: string } | undefined = collection.first;
  while (page !== undefined) {
    found.push(...(page.items ?? []));
    page = page.next === undefined ? undefined : (await getDocument(server.anonymous, page.next)).json;
  }
  expect(found).toEqual(uris);
  expect(found).not.toContain(hidden.uri);
  await alice.delete(`/api/v1/statuses/${root.id}`);
  expect((await getDocument(server.anonymous, context)).status).toBe(404);
  expect((await getDocument(server.anonymous, 'https://a.test/contexts/1')).status).toBe(404);
  expect((await getDocument(server.anonymous, String(uris[5]))).json).not.toHaveProperty('context');
});

test('FED-01: conversations that began elsewhere or with a private post have no collection here', async () => {
  await using servers = await twoServers();
  const { a, alice, bob, network } = servers;
  const far = await postStatus(bob, { status: 'far' });
  const id = await resolveStatusOn(a, far.uri);
  const response = await postStatus(alice, { status: '@bob@b.test near', in_reply_to_id: id });
  expect((await getDocument(a.anonymous, response.uri)).json).not.toHaveProperty('context');
  const rows = await a.app.db.selectFrom('statuses').select('conversation_id').execute();
  for (const { conversation_id: conversation } of rows) {
    expect((await getDocument(a.anonymous, `https://a.test/contexts/${conversation}`)).status).toBe(404);
  }
  await network.drain();
});

test('FED-01: the replies collection embeds replies of the author first, and names those of others', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await postStatus(alice, { status: 'root' });
  const own = await postStatus(alice, { status: 'own', in_reply_to_id: root.id });
  await postStatus(bob, { status: '@alice quiet', in_reply_to_id: root.id, visibility: 'private' });
  const readFirst = async () =>
    ((await getDocument(server.anonymous, `${root.uri}/replies`)).json as { first: { items: unknown[]; next: string } })
      .first;
  expect((await readFirst()).next).toBeUndefined();
  const other = await postStatus(bob, { status: '@alice other', in_reply_to_id: root.id });
  const first = await readFirst();
  expect(first.items).toMatchObject([{ id: own.uri, type: 'Note', inReplyTo: root.uri }]);
  expect((await getDocument(server.anonymous, first.next)).json.items).toEqual([other.uri]);
});

test('FED-01: a reader that follows the page in a post finds all its replies', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await postStatus(alice, { status: 'root' });
  const other = await postStatus(bob, { status: '@alice other', in_reply_to_id: root.id });
  const pages = async () => {
    const { replies } = (await getDocument(server.anonymous, root.uri)).json;
    const found: { id: string; items: (string | { id: string })[]; next?: string }[] = [replies.first];
    for (let next = found[0]?.next; next !== undefined; next = found.at(-1)?.next)
      found.push((await getDocument(server.anonymous, next)).json);
    return found;
  };
  const urisOf = (found: Awaited<ReturnType<typeof pages>>) =>
    found.map(({ items }) => items.map((item) => (typeof item === 'string' ? item : item.id)));
  expect(urisOf(await pages())).toEqual([[], [other.uri]]);
  const own: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    network.clock.advance(1);
    own.push((await postStatus(alice, { status: `own ${count}`, in_reply_to_id: root.id })).uri);
  }
  const found = await pages();
  expect(urisOf(found)).toEqual([own.slice(0, 5), own.slice(5), [other.uri]]);
  expect(found[0]?.id).toBe(`${root.uri}/replies?page=true`);
});

/** Serves a post with a `replies` collection from its server. */
function serveNote(peer: Peer, actor: PeerActor, id: string, members: Record<string, unknown> = {}) {
  const note = actor.note(id, members);
  peer.serve(note);
  return note;
}

test('FED-01: viewing a remote thread fetches all its replies, from whichever servers they are on', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [peer, third] = [new Peer(network, 'far.test'), new Peer(network, 'third.test')];
  const [fay, otto] = [peer.actor('fay'), third.actor('otto')];
  const alice = await server.user('alice');
  const name = (actor: PeerActor, id: string) => `${actor.uri}/notes/${id}`;
  const collection = (items: string[], members: object = {}) => ({ type: 'Collection', items, ...members });
  const old = { published: '2020-01-01T00:00:00Z' };
  const root = serveNote(peer, fay, 'root', {
    ...old,
    replies: {
      type: 'Collection',
      first: { type: 'CollectionPage', items: [name(fay, '1')], next: `${fay.uri}/more` },
    },
  });
  peer.serve({
    id: `${fay.uri}/more`,
    type: 'CollectionPage',
    items: [name(otto, '2'), name(otto, 'stray'), name(fay, 'gone')],
  });
  serveNote(peer, fay, '1', { inReplyTo: root['id'] });
  serveNote(third, otto, '2', { replies: collection([name(fay, '3')]), inReplyTo: root['id'] });
  serveNote(peer, fay, '3', {
    replies: collection([String(root['id']), 'https://a.test/users/alice/statuses/1']),
    inReplyTo: name(otto, '2'),
  });
  serveNote(third, otto, 'stray');
  const id = await resolveStatusOn(server, String(root['id']));
  expect(await listDescendants(server.anonymous, id)).toEqual([]);
  await server.drain();
  expect(await listDescendants(alice, id)).toEqual([name(fay, '1')]);
  await server.drain();
  const all = [name(fay, '1'), name(otto, '2'), name(fay, '3')];
  expect((await listDescendants(alice, id)).toSorted()).toEqual(all.toSorted());
  // The thread is checked again after a quarter of an hour.
  const requestCount = () => peer.requestedPaths.filter((path) => path.endsWith('/notes/root')).length;
  const before = requestCount();
  await listDescendants(alice, id);
  await server.drain();
  expect(requestCount()).toBe(before);
  network.clock.advance(16 * minuteSeconds);
  await server.anonymous.get(`/api/v1/statuses/${id}/context`);
  await server.drain();
  expect(requestCount()).toBe(before);
  await listDescendants(alice, id);
  await server.drain();
  expect(requestCount()).toBe(before + 1);
  expect(await server.app.db.selectFrom('reply_finds').selectAll().execute()).toEqual([]);
  network.clock.advance(2 * 86_400);
  await server.runSchedule('federation.clean_up_activities');
  expect(await server.app.db.selectFrom('reply_walks').selectAll().execute()).toEqual([]);
});

test('FED-03: replies to a new post are not fetched yet, and an endless thread is fetched to a limit', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  const alice = await server.user('alice');
  let pages = 0;
  network.addHost('endless.test', (url) => {
    pages += 1;
    const page = Number(url.searchParams.get('page') ?? 0);
    const body = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: url.href,
      type: 'CollectionPage',
      items: [`https://endless.test/notes/${page}`],
      next: `https://endless.test/replies?page=${page + 1}`,
    };
    return {
      status: 200,
      headers: { 'content-type': 'application/activity+json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  });
  const fresh = serveNote(peer, fay, 'fresh', {
    replies: `${fay.uri}/replies`,
    published: network.clock.now().toISOString(),
  });
  const items = Array.from({ length: 1500 }, (_, index) => `${fay.uri}/notes/missing${index}`);
  peer.serve({ id: `${fay.uri}/replies`, type: 'Collection', items });
  const id = await resolveStatusOn(server, String(fresh['id']));
  await listDescendants(alice, id);
  await server.drain();
  expect(peer.requestedPaths.filter((path) => path.includes('missing'))).toEqual([]);
  network.clock.advance(6 * minuteSeconds);
  await listDescendants(alice, id);
  await server.drain();
  expect(peer.requestedPaths.filter((path) => path.includes('missing'))).toHaveLength(500);
  // A collection on another host is ignored.
  const luring = serveNote(peer, fay, 'lured', {
    replies: 'https://endless.test/replies',
    published: '2020-01-01T00:00:00Z',
  });
  const luringId = await resolveStatusOn(server, String(luring['id']));
  await listDescendants(alice, luringId);
  await server.drain();
  expect(pages).toBe(0);
  expect(await resolveAccountOn(server, 'fay@far.test')).toBeDefined();
});

test('FED-03: a batch of a thread that runs again after a crash does not store the next one twice', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  const alice = await server.user('alice');
  const root = serveNote(peer, fay, 'root', { replies: `${fay.uri}/replies`, published: '2020-01-01T00:00:00Z' });
  const items = Array.from({ length: 12 }, (_, index) => `${fay.uri}/notes/missing${index}`);
  peer.serve({ id: `${fay.uri}/replies`, type: 'Collection', items });
  const id = await resolveStatusOn(server, String(root['id']));
  await listDescendants(alice, id);
  const runBatch = (seen: number) =>
    server.app.subscriptions.job('status.fetch_thread_batch')?.run(server.app, { statusId: id, seen });
  const storedBatches = async (): Promise<unknown[]> => {
    const { rows } = await server.pool.query(
      `select data from jobs where name = 'status.fetch_thread_batch' order by id`,
    );
    return rows.map(({ data }) => data);
  };
  await server.app.subscriptions.job('status.fetch_thread')?.run(server.app, { statusId: id });
  expect(await storedBatches()).toEqual([{ statusId: id, seen: 0 }]);
  await Promise.all([runBatch(0), runBatch(0)]);
  await runBatch(0);
  const next = [
    { statusId: id, seen: 0 },
    { statusId: id, seen: 1 },
  ];
  expect(await storedBatches()).toEqual(next);
  await server.drain();
  expect(peer.requestedPaths.filter((path) => path.includes('missing'))).toHaveLength(12);
  expect(await server.app.db.selectFrom('reply_finds').selectAll().execute()).toEqual([]);
});

test('FED-01: the context of a thread leads to posts that no collection of replies lists, each from its origin', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [peer, third] = [new Peer(network, 'far.test'), new Peer(network, 'third.test')];
  const [fay, otto, eve] = [peer.actor('fay'), third.actor('otto'), peer.actor('eve')];
  const alice = await server.user('alice');
  const name = (actor: PeerActor, id: string) => `${actor.uri}/notes/${id}`;
  const old = { published: '2020-01-01T00:00:00Z' };
  const context = 'https://far.test/contexts/1';
  const mention = { type: 'Mention', href: `${server.app.config.baseUrl}/users/alice`, name: '@alice@a.test' };
  const root = serveNote(peer, fay, 'root', { ...old, context });
  serveNote(third, otto, '1', { ...old, inReplyTo: root['id'], context, tag: [mention] });
  serveNote(third, otto, '2', { ...old, inReplyTo: name(otto, '1'), context });
  serveNote(third, otto, '3', { ...old, inReplyTo: name(otto, '2'), context });
  serveNote(third, otto, 'elsewhere', { ...old, inReplyTo: 'https://other.test/1', context });
  serveNote(third, otto, 'private', { ...old, inReplyTo: root['id'], context, to: [`${otto.uri}/followers`], cc: [] });
  const forged = third.documents.get(new URL(name(otto, '1')).pathname) as Record<string, unknown>;
  peer.serve({
    id: context,
    type: 'OrderedCollection',
    attributedTo: eve.uri,
    // The newest first: each needs the parents below it.
    orderedItems: [
      name(otto, '3'),
      { ...forged, content: '<p>forged</p>' },
      name(otto, '2'),
      name(otto, 'elsewhere'),
      name(otto, 'private'),
      'https://a.test/users/alice',
      7,
    ],
  });
  const id = await resolveStatusOn(server, String(root['id']));
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(server, 'otto@third.test')}/follow`);
  await alice.get(`/api/v1/statuses/${String(id)}/context`);
  await server.drain();
  const response = await alice.get(`/api/v1/statuses/${String(id)}/context`);
  const descendants = response.json.descendants as { uri: string; content: string }[];
  expect(descendants.map(({ uri }) => uri)).toEqual(['1', '2', '3'].map((each) => name(otto, each)));
  expect(descendants[0]?.content).toBe('<p>Note 1</p>');
  expect((await alice.get('/api/v1/notifications')).json).toEqual([]);
  expect(network.requests.filter(({ url }) => url === context)).toHaveLength(1);
});
