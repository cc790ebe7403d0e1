import { expect, test } from 'vitest';
import { actorUrls, instanceActorId } from '../../../server/accounts/index.ts';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { followAccount } from '../../../server/relationships/follow/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import { followAcross, postStatus, twoServers } from '../two-servers.ts';

type Json = Record<string, unknown>;

async function getDocument(server: TestServer, url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url, server.app.config.baseUrl);
  const response = await server.http.inject({
    url: pathname + search,
    headers: { accept: 'application/activity+json', ...headers },
  });
  const isJson = /json/.test(String(response.headers['content-type']));
  return { status: response.statusCode, headers: response.headers, json: (isJson ? response.json() : {}) as Json };
}

/** Returns the headers of a GET signed by an account of a server, by default its instance actor. */
async function signedHeaders(
  by: TestServer,
  url: string,
  id: AccountId = instanceActorId,
): Promise<Record<string, string>> {
  const { rsa: key } = await loadSigningKeys(by.app, id);
  return { host: new URL(url).host, ...signRequest('cavage', { method: 'GET', url, now: by.clock.now() }, key) };
}

test('FED-01: an actor is served to servers, and its page to browsers', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice',
    note: 'Hi',
    fields_attributes: [{ name: 'x', value: 'y' }],
  });
  const { status, headers, json } = await getDocument(server, '/users/alice');
  expect([status, headers['content-type']]).toEqual([200, 'application/activity+json; charset=utf-8']);
  expect(headers['cache-control']).toBe('public, max-age=180');
  expect(headers['vary']).toContain('Accept');
  const uri = 'https://fieldfare.test/users/alice';
  expect(json).toMatchObject({
    id: uri,
    type: 'Person',
    preferredUsername: 'alice',
    name: 'Alice',
    summary: '<p>Hi</p>',
    url: 'https://fieldfare.test/@alice',
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    manuallyApprovesFollowers: false,
    memorial: false,
    published: expect.stringMatching(/T00:00:00Z$/),
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: expect.stringContaining('BEGIN PUBLIC KEY') },
    endpoints: { sharedInbox: 'https://fieldfare.test/inbox' },
    attachment: [{ type: 'PropertyValue', name: 'x', value: 'y' }],
  });
  const page = await getDocument(server, '/users/alice', { accept: 'text/html,application/xhtml+xml' });
  expect([page.status, page.headers['location']]).toEqual([302, 'https://fieldfare.test/@alice']);
  expect((await getDocument(server, '/users/nobody')).status).toBe(404);
  expect((await getDocument(server, '/actor')).json).toMatchObject({
    type: 'Application',
    preferredUsername: 'fieldfare.test',
    inbox: 'https://fieldfare.test/actor/inbox',
  });
});

test('FED-01: a post is served as an object and as its Create activity', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bert');
  const first = await postStatus(alice, { status: 'Root' });
  const status = await postStatus(alice, {
    status: '@bert see #Birds',
    spoiler_text: 'cw',
    language: 'en',
    in_reply_to_id: first.id,
  });
  const { json, status: code } = await getDocument(server, status.uri);
  const actor = actorUrls(server.app, 'https://fieldfare.test/users/alice');
  expect(code).toBe(200);
  expect(json).toMatchObject({
    id: status.uri,
    type: 'Note',
    summary: 'cw',
    sensitive: true,
    inReplyTo: first.uri,
    attributedTo: actor.uri,
    to: ['https://www.w3.org/ns/activitystreams#Public'],
    cc: [actor.followers, 'https://fieldfare.test/users/bert'],
    content: status.content,
    contentMap: { en: status.content },
    url: `https://fieldfare.test/@alice/${status.id}`,
    tag: [
      { type: 'Mention', href: 'https://fieldfare.test/users/bert', name: '@bert@fieldfare.test' },
      { type: 'Hashtag', href: 'https://fieldfare.test/tags/birds', name: '#Birds' },
    ],
  });
  expect((await getDocument(server, `${status.uri}/activity`)).json).toMatchObject({
    id: `${status.uri}/activity`,
    type: 'Create',
    object: { id: status.uri },
  });
  expect((await getDocument(server, `${first.uri}/replies`)).json).toMatchObject({
    type: 'Collection',
    first: { items: [{ id: status.uri, type: 'Note' }] },
  });
  expect((await getDocument(server, `${first.uri}/likes`)).json).toMatchObject({ totalItems: 0 });
  expect((await getDocument(server, '/users/bert/statuses/' + first.id)).status).toBe(404);
});

test('FED-01: a private post is served to a follower, and not to the instance actor of its server', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const c = await network.start('c.test');
  const carol = await c.user('carol');
  await followAcross(servers, a, alice, 'bob@b.test');
  const secret = await postStatus(bob, { status: 'For followers', visibility: 'private' });
  const direct = await postStatus(bob, { status: 'For no local account', visibility: 'direct' });
  expect((await getDocument(b, secret.uri)).status).toBe(404);
  const response = await getDocument(b, secret.uri, await signedHeaders(a, secret.uri, alice.id));
  expect([response.status, response.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect((await getDocument(b, secret.uri, await signedHeaders(a, secret.uri))).status).toBe(404);
  expect((await getDocument(b, secret.uri, await signedHeaders(c, secret.uri, carol.id))).status).toBe(404);
  expect((await getDocument(b, direct.uri, await signedHeaders(a, direct.uri, alice.id))).status).toBe(404);
  const outbox = (await getDocument(b, '/users/bob/outbox?page=true')).json;
  expect(outbox['orderedItems']).toEqual([]);
});

test('FED-05: in secure mode documents require a signature, except the key of the instance actor', async () => {
  await using servers = await twoServers({ b: { SECURE_MODE: 'on' } });
  const { a, b, bob } = servers;
  const status = await postStatus(bob, { status: 'Public, for those who say who they are' });
  for (const path of [
    '/users/bob',
    '/users/bob/outbox',
    '/users/bob/followers',
    '/users/bob/collections/featured',
    status.uri,
  ]) {
    expect((await getDocument(b, path)).status).toBe(401);
  }
  expect((await getDocument(b, '/actor')).status).toBe(200);
  expect((await getDocument(b, status.uri, await signedHeaders(a, status.uri))).status).toBe(200);
  await followAcross(servers, a, servers.alice, 'bob@b.test');
});

test('FED-01: outbox, followers, following and pins are collections', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const first = await postStatus(bob, { status: 'One' });
  await postStatus(bob, { status: 'Two', visibility: 'unlisted' });
  await postStatus(bob, { status: 'Three', visibility: 'private' });
  await bob.post(`/api/v1/statuses/${first.id}/reblog`);
  await bob.post(`/api/v1/statuses/${first.id}/pin`);
  const uri = 'https://b.test/users/bob';
  expect((await getDocument(b, `${uri}/outbox`)).json).toMatchObject({
    type: 'OrderedCollection',
    totalItems: 3,
    first: `${uri}/outbox?page=true`,
    last: `${uri}/outbox?page=true&min_id=0`,
  });
  const items = (await getDocument(b, `${uri}/outbox?page=true`)).json['orderedItems'] as Json[];
  expect(items.map(({ type }) => type)).toEqual(['Announce', 'Create', 'Create']);
  expect((await getDocument(b, `${uri}/followers`)).json).toMatchObject({
    totalItems: 1,
    first: `${uri}/followers?page=1`,
  });
  expect((await getDocument(b, `${uri}/followers?page=1`)).json).toMatchObject({
    orderedItems: ['https://a.test/users/alice'],
    partOf: `${uri}/followers`,
  });
  expect((await getDocument(b, `${uri}/following`)).json).toMatchObject({ totalItems: 0 });
  expect((await getDocument(b, `${uri}/collections/featured`)).json).toMatchObject({
    orderedItems: [{ id: first.uri, type: 'Note' }],
  });
  expect((await getDocument(b, `${uri}/collections/tags`)).json).toMatchObject({ type: 'Collection', items: [] });
  await bob.patch('/api/v1/accounts/update_credentials', { hide_collections: true });
  const hidden = (await getDocument(b, `${uri}/followers`)).json;
  expect([hidden['totalItems'], hidden['first']]).toEqual([1, undefined]);
  expect((await getDocument(b, `${uri}/followers?page=1`)).status).toBe(403);
});

test('FED-01: WebFinger finds accounts by handle and by URL', async () => {
  await using server = await startServer({ settings: { LOCAL_DOMAIN: 'example.test' } });
  await server.user('alice');
  const lookUp = (resource: string) =>
    getDocument(server, `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`);
  const expected = {
    subject: 'acct:alice@example.test',
    aliases: ['https://fieldfare.test/@alice', 'https://fieldfare.test/users/alice'],
    links: expect.arrayContaining([
      { rel: 'self', type: 'application/activity+json', href: 'https://fieldfare.test/users/alice' },
    ]),
  };
  for (const resource of [
    'acct:alice@example.test',
    'acct:Alice@fieldfare.test',
    'https://fieldfare.test/@alice',
    'https://fieldfare.test/users/alice',
  ]) {
    const { json, headers } = await lookUp(resource);
    expect(json).toMatchObject(expected);
    expect([headers['content-type'], headers['access-control-allow-origin']]).toEqual([
      'application/jrd+json; charset=utf-8',
      '*',
    ]);
  }
  const statuses = [];
  for (const resource of ['acct:nobody@example.test', 'acct:alice@other.test', 'https://other.test/@alice', 'nonsense'])
    statuses.push((await lookUp(resource)).status);
  expect(statuses).toEqual([404, 404, 404, 400]);
  expect((await getDocument(server, '/.well-known/webfinger')).status).toBe(400);
});

test.each(['off', 'on'])(
  'FED-01: WebFinger links to pages and the avatar (limited federation: %s)',
  async (limited) => {
    await using server = await startServer({ settings: { LIMITED_FEDERATION: limited } });
    const alice = await server.user('alice');
    await server.db.updateTable('accounts').set({ avatar_key: 'avatars/a.jpg' }).where('id', '=', alice.id).execute();
    const { json } = await getDocument(server, '/.well-known/webfinger?resource=acct:alice@fieldfare.test');
    const object = 'https://fieldfare.test/authorize_interaction?uri={object}';
    const avatar = { rel: 'http://webfinger.net/rel/avatar', href: expect.stringContaining('/avatars/a.jpg') };
    expect(json['links']).toEqual([
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://fieldfare.test/@alice' },
      { rel: 'self', type: 'application/activity+json', href: 'https://fieldfare.test/users/alice' },
      {
        rel: 'http://ostatus.org/schema/1.0/subscribe',
        template: 'https://fieldfare.test/authorize_interaction?uri={uri}',
      },
      { rel: 'https://w3id.org/fep/3b86/Create', template: 'https://fieldfare.test/share?text={content}' },
      { rel: 'https://w3id.org/fep/3b86/Object', template: object },
      { rel: 'https://w3id.org/fep/3b86/Follow', template: `${object}&action=follow` },
      { rel: 'https://w3id.org/fep/3b86/Like', template: `${object}&action=favourite` },
      { rel: 'https://w3id.org/fep/3b86/Announce', template: `${object}&action=reblog` },
      // What only signed-in people see is not named to everyone.
      ...(limited === 'on' ? [] : [{ ...avatar, type: 'image/jpeg' }]),
    ]);
  },
);

test('FED-01: host-meta and NodeInfo describe the server', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await postStatus(alice, { status: 'One' });
  const meta = await server.http.inject({ url: '/.well-known/host-meta' });
  expect(meta.headers['content-type']).toBe('application/xrd+xml; charset=utf-8');
  expect(meta.body).toContain('template="https://fieldfare.test/.well-known/webfinger?resource={uri}"');
  for (const [accept, type] of [
    ['*/*', 'application/xrd+xml'],
    ['application/xrd+xml, application/json;q=0.9', 'application/xrd+xml'],
    ['application/json', 'application/json'],
    ['application/jrd+json', 'application/json'],
    ['text/html', 'application/xrd+xml'],
  ] as const) {
    const { headers } = await server.http.inject({ url: '/.well-known/host-meta', headers: { accept } });
    expect([accept, headers['content-type']]).toEqual([accept, `${type}; charset=utf-8`]);
  }
  expect((await getDocument(server, '/.well-known/host-meta.json')).json).toMatchObject({ links: [{ rel: 'lrdd' }] });
  const { json } = await getDocument(server, '/.well-known/nodeinfo');
  const links = json['links'] as { rel: string; href: string }[];
  expect(links.map(({ href }) => href)).toEqual([
    'https://fieldfare.test/nodeinfo/2.0',
    'https://fieldfare.test/nodeinfo/2.1',
  ]);
  for (const { href } of links) {
    const info = await getDocument(server, href);
    expect(info.headers['access-control-allow-origin']).toBe('*');
    expect(info.json).toMatchObject({
      software: { name: 'fieldfare' },
      protocols: ['activitypub'],
      usage: { users: { total: 1 }, localPosts: 1 },
      openRegistrations: true,
      metadata: { upstream: { name: 'mastodon' } },
    });
  }
});

test('FED-01: outbox, followers and following are read page by page, to the end', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const uri = `https://${server.app.config.webDomain}/users/alice`;
  const others: TestUser[] = [];
  for (let index = 0; index < 30; index += 1) others.push(await server.user(`user${index}`));
  for (const other of others) {
    await followAccount(server.app, other.id, alice.id);
    await followAccount(server.app, alice.id, other.id);
  }
  const posts: string[] = [];
  // Full pages: the last one names no empty one.
  for (let index = 0; index < 40; index += 1) posts.push((await postStatus(alice, { status: `Post ${index}` })).uri);
  await server.drain();
  const readAll = async (path: string) => {
    const items: unknown[] = [];
    let next = (await getDocument(server, path)).json['first'] as string | undefined;
    let pages = 0;
    for (; next !== undefined; pages += 1) {
      const { json } = await getDocument(server, next);
      items.push(...(json['orderedItems'] as unknown[]));
      next = json['next'] as string | undefined;
    }
    return { pages, items };
  };
  const outbox = await readAll(`${uri}/outbox`);
  expect(outbox.pages).toBe(2);
  const { json: oldest } = await getDocument(server, `${uri}/outbox?page=true&min_id=0`);
  expect([(oldest['orderedItems'] as Json[]).length, oldest['next']]).toEqual([20, undefined]);
  expect((outbox.items as Json[]).map(({ object }) => (object as Json)['id'])).toEqual(posts.toReversed());
  const uris = others.map(({ username }) => `https://${server.app.config.webDomain}/users/${username}`);
  for (const name of ['followers', 'following']) {
    const { pages, items } = await readAll(`${uri}/${name}`);
    expect([pages, items.toSorted()], name).toEqual([3, uris.toSorted()]);
  }
});
