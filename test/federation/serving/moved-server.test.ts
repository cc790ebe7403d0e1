import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { accountUpdated } from '../../../server/accounts/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { TestServer, TestUser } from '../../server.ts';
import {
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  resolveStatusOn,
  twoServers,
} from '../two-servers.ts';

type Json = Record<string, unknown>;

/** Changes the id of a new local account to one with its number, as newer versions of Mastodon have it. */
async function renumber({ app, db }: TestServer, { id }: TestUser): Promise<string> {
  const uri = `${app.config.baseUrl}/ap/users/${id}`;
  await loadSigningKeys(app, id);
  await sql`update accounts set uri = ${uri} where id = ${id}::bigint`.execute(db);
  await sql`update account_keys set key_id = ${uri} || '#' || split_part(key_id, '#', 2)
    where account_id = ${id}::bigint`.execute(db);
  await transaction(app, async ({ emit }) => emit(accountUpdated({ accountId: id })));
  return uri;
}

async function getDocument(server: TestServer, url: string): Promise<Json> {
  const { pathname, search } = new URL(url, server.app.config.baseUrl);
  const response = await server.http.inject({
    url: pathname + search,
    headers: { accept: 'application/activity+json' },
  });
  expect([url, response.statusCode]).toEqual([url, 200]);
  return response.json() as Json;
}

const locationOf = async (server: TestServer, url: string): Promise<[number, unknown]> => {
  const { statusCode, headers } = await server.http.inject({ url, headers: { accept: 'text/html' } });
  return [statusCode, headers['location']];
};

test('an account with a numeric address from Mastodon keeps it in all documents, and other servers exchange posts with it', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const uri = await renumber(a, alice);
  const actor = await getDocument(a, uri);
  const parts = ['inbox', 'outbox', 'followers', 'following'];
  expect(actor).toMatchObject({
    id: uri,
    ...Object.fromEntries(parts.map((part) => [part, `${uri}/${part}`])),
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    url: 'https://a.test/@alice',
    publicKey: { id: `${uri}#main-key`, owner: uri },
  });
  // The address by name leads to the same actor.
  for (const address of ['/users/alice', '/@alice', `${uri}.json`])
    expect((await getDocument(a, address))['id']).toBe(uri);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json['uri']).toBe(uri);
  for (const resource of [uri, 'acct:alice@a.test', 'https://a.test/users/alice']) {
    const { links } = (await getDocument(a, `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)) as {
      links: Json[];
    };
    expect(links.find(({ rel }) => rel === 'self')?.['href']).toBe(uri);
  }

  // bob follows by the numeric inbox, and the signatures of both keys verify.
  await followAcross(servers, b, bob, 'alice@a.test');
  const post = await postStatus(alice, { status: 'From a moved server #birds' });
  expect(post.uri).toBe(`${uri}/statuses/${post.id}`);
  await network.drain();
  expect((await homeTimeline(bob)).map((status) => status.uri)).toEqual([post.uri]);
  for (const address of [post.uri, `${uri}/statuses/${post.id}.json`, `/users/alice/statuses/${post.id}`]) {
    expect(await getDocument(a, address)).toMatchObject({
      id: post.uri,
      attributedTo: uri,
      cc: [`${uri}/followers`],
      replies: { id: `${post.uri}/replies` },
    });
  }
  expect(await getDocument(a, `${post.uri}/activity`)).toMatchObject({ id: `${post.uri}/activity`, actor: uri });
  for (const path of ['/replies', '/likes', '/shares'])
    expect((await getDocument(a, post.uri + path))['id']).toBe(post.uri + path);
  for (const path of [...parts.slice(1), 'collections/featured', 'collections/tags'])
    expect((await getDocument(a, `${uri}/${path}`))['id']).toBe(`${uri}/${path}`);
  expect(await getDocument(a, `${uri}/outbox?page=true`)).toMatchObject({
    partOf: `${uri}/outbox`,
    orderedItems: [{ id: `${post.uri}/activity` }],
  });

  // Others answer, favourite and boost by these ids, also a direct post that names her.
  const there = await resolveStatusOn(b, post.uri);
  await bob.post(`/api/v1/statuses/${there}/favourite`);
  await bob.post(`/api/v1/statuses/${there}/reblog`);
  await postStatus(bob, { status: '@alice@a.test hello', visibility: 'direct', in_reply_to_id: there });
  await network.drain();
  expect((await listNotifications(alice)).map(({ type }) => type).toSorted()).toEqual([
    'favourite',
    'follow',
    'mention',
    'reblog',
  ]);
  const reblog = await postStatus(alice, { status: 'Another' });
  const boosted = (await alice.post(`/api/v1/statuses/${reblog.id}/reblog`)).json;
  expect(boosted['uri']).toBe(`${uri}/statuses/${String(boosted['id'])}/activity`);
  await alice.delete(`/api/v1/statuses/${post.id}`);
  await network.drain();
  expect((await bob.get(`/api/v1/statuses/${there}`)).status).toBe(404);

  // Pages, and addresses of nobody.
  expect(await locationOf(a, new URL(uri).pathname)).toEqual([302, 'https://a.test/@alice']);
  expect(await locationOf(a, `/ap/users/${alice.id}/statuses/${reblog.id}`)).toEqual([
    302,
    `https://a.test/@alice/${reblog.id}`,
  ]);
  for (const path of ['/ap/users/1', '/ap/users/1/outbox', `/ap/users/x`])
    expect((await a.http.inject({ url: path, headers: { accept: 'application/activity+json' } })).statusCode).toBe(404);
  const conversation = (await getDocument(a, reblog.uri))['context'];
  for (const path of [`/contexts/${alice.id}-${reblog.id}`, `/contexts/${alice.id}-${reblog.id}/items`])
    expect(await locationOf(a, path)).toEqual([302, conversation]);
  expect((await locationOf(a, `/contexts/${alice.id}-1`))[0]).toBe(404);
});
