import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { routes } from '../../server/app.ts';
import { usesCookies } from '../../server/platform/http/routes.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import type { TestResponse } from '../client.ts';
import type { Client, TestServer, TestUser } from '../server.ts';
import { ReplicatedServer } from './replicated-server.ts';

/** What the addresses of reads name. */
interface Named {
  readonly alice: TestUser;
  readonly bob: TestUser;
  /** Of Bob, with Alice. */
  readonly listId: string;
  /** Of Alice: public with a hashtag, private, and one that others reacted to. */
  readonly statusIds: readonly [string, string, string];
  /** With a public post with a hashtag. */
  readonly remote: { readonly id: AccountId; readonly statusId: StatusId; readonly domain: string };
}

/** An address of each route that a replica may answer. */
function readsOf({ alice, bob, listId, statusIds, remote }: Named): Record<string, readonly string[]> {
  const [tagged, restricted, popular] = statusIds;
  const name = alice.username;
  const account = `/api/v1/accounts/${alice.id}`;
  const ofStatuses = (suffix = ''): string[] =>
    [...statusIds, remote.statusId].map((id) => `/api/v1/statuses/${id}${suffix}`);
  const latest = '9000000000000000000';
  const none = '/api/v1/timelines/home?max_id=1000';
  return {
    '/api/v1/accounts': [`/api/v1/accounts?id[]=${alice.id}&id[]=${bob.id}`],
    '/api/v1/accounts/lookup': [`/api/v1/accounts/lookup?acct=${name}`],
    '/api/v1/accounts/:id': [account, `/api/v1/accounts/${bob.id}`, `/api/v1/accounts/${remote.id}`],
    '/api/v1/accounts/:id/followers': [`${account}/followers`],
    '/api/v1/accounts/:id/following': [`${account}/following`],
    '/api/v1/accounts/:id/endorsements': [`${account}/endorsements`],
    '/api/v1/accounts/:id/featured_tags': [`${account}/featured_tags`],
    '/api/v1/accounts/:id/statuses': [
      `${account}/statuses`,
      `${account}/statuses?pinned=true`,
      `/api/v1/accounts/${remote.id}/statuses`,
    ],
    '/api/v1/statuses': [`/api/v1/statuses?${statusIds.map((id) => `id[]=${id}`).join('&')}`],
    '/api/v1/statuses/:id': ofStatuses(),
    '/api/v1/statuses/:id/context': ofStatuses('/context'),
    '/api/v1/statuses/:id/history': [`/api/v1/statuses/${tagged}/history`],
    '/api/v1/statuses/:id/favourited_by': [`/api/v1/statuses/${popular}/favourited_by`],
    '/api/v1/statuses/:id/reblogged_by': [`/api/v1/statuses/${popular}/reblogged_by`],
    '/api/v1/statuses/:id/quotes': [`/api/v1/statuses/${popular}/quotes`],
    '/api/v1/tags/:name': ['/api/v1/tags/birds'],
    '/api/v1/timelines/home': [none, `/api/v1/timelines/home?max_id=${popular}`],
    '/api/v1/timelines/public': ['/api/v1/timelines/public', `/api/v1/timelines/public?max_id=${latest}&local=true`],
    '/api/v1/timelines/tag/:hashtag': ['/api/v1/timelines/tag/birds'],
    '/api/v1/timelines/link': ['/api/v1/timelines/link?url=https://example.org/'],
    '/api/v1/timelines/list/:list_id': [`/api/v1/timelines/list/${listId}`],
    '/api/v1/trends': ['/api/v1/trends'],
    '/api/v1/trends/tags': ['/api/v1/trends/tags'],
    '/api/v1/trends/statuses': ['/api/v1/trends/statuses'],
    '/api/v1/trends/links': ['/api/v1/trends/links'],
    '/api/v1/directory': ['/api/v1/directory?local=true'],
    '/api/v2/search': [`/api/v2/search?q=${name}`, '/api/v2/search?q=birds'],
    '/api/v1/accounts/search': [`/api/v1/accounts/search?q=${name}`],
    '/users/:username': [`/users/${name}`],
    '/users/:username.json': [`/users/${name}.json`],
    '/users/:username/main-key': [`/users/${name}/main-key`],
    '/@:username.json': [`/@${name}.json`],
    '/actor': ['/actor'],
    '/users/:username/statuses/:id': statusIds.map((id) => `/users/${name}/statuses/${id}`),
    '/users/:username/statuses/:id.json': statusIds.map((id) => `/users/${name}/statuses/${id}.json`),
    '/@:username/:id.json': [`/@${name}/${tagged}.json`, `/@${name}/${restricted}.json`],
    '/users/:username/statuses/:id/activity': [`/users/${name}/statuses/${tagged}/activity`],
    '/users/:username/statuses/:id/replies': [`/users/${name}/statuses/${popular}/replies`],
    '/users/:username/statuses/:id/likes': [`/users/${name}/statuses/${popular}/likes`],
    '/users/:username/statuses/:id/shares': [`/users/${name}/statuses/${popular}/shares`],
    '/users/:username/quote_authorizations/:id': [`/users/${name}/quote_authorizations/1`],
    '/users/:username/interaction_authorizations/:id': [`/users/${name}/interaction_authorizations/1`],
    '/users/:username/authorizations/:ulid': [`/users/${name}/authorizations/1`],
    '/users/:username/accepts/:ulid': [`/users/${name}/accepts/1`],
    '/users/:username/outbox': [`/users/${name}/outbox`, `/users/${name}/outbox?page=true`],
    '/users/:username/followers': [`/users/${name}/followers?page=1`],
    '/users/:username/following': [`/users/${name}/following?page=1`],
    '/users/:username/collections/featured': [`/users/${name}/collections/featured`],
    '/users/:username/collections/tags': [`/users/${name}/collections/tags`],
    '/users/:username/collections/moderators': [`/users/${name}/collections/moderators`],
    '/contexts/:id': ['/contexts/1'],
    '/emojis/:id': ['/emojis/1'],
    '/emoji/:ulid': ['/emoji/01HFZ8N3G0000000000000000A'],
    '/ap/users/:id/featured_collections': [`/ap/users/${alice.id}/featured_collections`],
    '/ap/users/:id/collections/:collection_id': [`/ap/users/${alice.id}/collections/1`],
    '/ap/users/:id/collection_items/:item_id': [`/ap/users/${alice.id}/collection_items/1`],
    '/ap/users/:id/feature_authorizations/:auth_id': [`/ap/users/${alice.id}/feature_authorizations/1`],
    '/.well-known/webfinger': [`/.well-known/webfinger?resource=acct:${name}@fieldfare.test`],
    '/.well-known/host-meta': ['/.well-known/host-meta'],
    '/.well-known/host-meta.json': ['/.well-known/host-meta.json'],
    '/@:username': [`/@${name}`],
    '/@:username.rss': [`/@${name}.rss`],
    '/@:username/with_replies': [`/@${name}/with_replies`],
    '/@:username/with_replies.rss': [`/@${name}/with_replies.rss`],
    '/@:username/media': [`/@${name}/media`],
    '/@:username/media.rss': [`/@${name}/media.rss`],
    '/@:username/tagged/:tag': [`/@${name}/tagged/birds`],
    '/@:username/tagged/:tag.rss': [`/@${name}/tagged/birds.rss`],
    '/@:username/:id': statusIds.map((id) => `/@${name}/${id}`),
    '/@:username/:id/embed': [`/@${name}/${tagged}/embed`],
    '/tags/:name': ['/tags/birds'],
    '/tags/:name.rss': ['/tags/birds.rss'],
    '/public': ['/public'],
    '/public/local': ['/public/local'],
    '/public/remote': ['/public/remote'],
    '/explore': ['/explore'],
    '/explore/:tab': ['/explore/tags'],
  };
}

/** Routes that do not read tokens: every reader with a token is the same to them as one without. */
const pages = new Set(routes.filter(({ options }) => usesCookies(options.access)).map(({ path }) => path));

type Scene = Named & { readonly staff: TestUser };

interface Case {
  readonly name: string;
  /** Before the replica is held back. */
  readonly prepare?: (scene: Scene) => Promise<TestResponse>;
  readonly write: (scene: Scene) => Promise<TestResponse>;
  /** Only the writer must see it at once. */
  readonly writer?: 'alice' | 'bob';
}

const hides: readonly Case[] = [
  { name: 'deletes a post', write: ({ alice, statusIds: [id] }) => alice.delete(`/api/v1/statuses/${id}`) },
  {
    name: 'edits a post',
    write: ({ alice, statusIds: [id] }) => alice.put(`/api/v1/statuses/${id}`, { status: 'No longer about birds' }),
  },
  { name: 'blocks a reader', write: ({ alice, bob }) => alice.post(`/api/v1/accounts/${bob.id}/block`) },
  { name: 'blocks an author', write: ({ alice, bob }) => bob.post(`/api/v1/accounts/${alice.id}/block`) },
  { name: 'mutes an author', write: ({ alice, bob }) => bob.post(`/api/v1/accounts/${alice.id}/mute`) },
  {
    name: 'removes a follower',
    write: ({ alice, bob }) => alice.post(`/api/v1/accounts/${bob.id}/remove_from_followers`),
  },
  { name: 'unfollows', write: ({ alice, bob }) => bob.post(`/api/v1/accounts/${alice.id}/unfollow`) },
  {
    name: 'filters a word',
    write: ({ bob }) =>
      bob.post('/api/v2/filters', {
        title: 'Birds',
        context: ['public', 'home', 'thread', 'account'],
        filter_action: 'hide',
        keywords_attributes: [{ keyword: 'bird' }],
      }),
  },
  {
    name: 'undoes a favourite',
    write: ({ bob, statusIds }) => bob.post(`/api/v1/statuses/${statusIds[2]}/unfavourite`),
  },
  { name: 'undoes a boost', write: ({ bob, statusIds }) => bob.post(`/api/v1/statuses/${statusIds[2]}/unreblog`) },
  { name: 'unpins a post', write: ({ alice, statusIds }) => alice.post(`/api/v1/statuses/${statusIds[2]}/unpin`) },
  {
    name: 'hides network and profile',
    write: ({ alice }) =>
      alice.patch('/api/v1/accounts/update_credentials', {
        hide_collections: true,
        discoverable: false,
        indexable: false,
        note: 'changed',
      }),
  },
  {
    name: 'takes a member from a list',
    write: ({ bob, alice, listId }) => bob.delete(`/api/v1/lists/${listId}/accounts?account_ids[]=${alice.id}`),
  },
  {
    name: 'features a hashtag no more',
    prepare: ({ alice }) => alice.post('/api/v1/featured_tags', { name: 'birds' }),
    write: async ({ alice }) => {
      const [tag] = (await alice.get('/api/v1/featured_tags')).json;
      return alice.delete(`/api/v1/featured_tags/${tag.id}`);
    },
  },
  {
    name: 'deletes a list',
    write: ({ bob, listId }) => bob.delete(`/api/v1/lists/${listId}`),
  },
  ...(['silence', 'suspend', 'sensitive', 'disable'] as const).map((type): Case => ({
    name: `is handled by staff (${type})`,
    write: ({ staff, alice }) => staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type }),
  })),
  {
    name: 'loses the use of their token',
    write: ({ staff, bob }) => staff.post(`/api/v1/admin/accounts/${bob.id}/action`, { type: 'disable' }),
  },
  {
    name: 'is deleted',
    prepare: ({ staff, alice }) => staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'suspend' }),
    write: ({ staff, alice }) => staff.delete(`/api/v1/admin/accounts/${alice.id}`),
  },
  {
    name: 'blocks a server',
    write: ({ bob, remote: { domain } }) => bob.post('/api/v1/domain_blocks', { domain }),
  },
  ...(['silence', 'suspend'] as const).map((severity): Case => ({
    name: `has a server of which staff ${severity} all accounts`,
    write: ({ staff, remote: { domain } }) => staff.post('/api/v1/admin/domain_blocks', { domain, severity }),
  })),
];

const additions: readonly Case[] = [
  {
    name: 'posts',
    writer: 'alice',
    write: ({ alice }) => alice.post('/api/v1/statuses', { status: 'Another post about #birds' }),
  },
  {
    name: 'replies and boosts',
    writer: 'bob',
    write: async ({ bob, statusIds: [id] }) => {
      await bob.post(`/api/v1/statuses/${id}/reblog`);
      return bob.post('/api/v1/statuses', { status: 'yes', in_reply_to_id: id });
    },
  },
  {
    name: 'favourites and bookmarks',
    writer: 'bob',
    write: async ({ bob, statusIds: [id] }) => {
      await bob.post(`/api/v1/statuses/${id}/favourite`);
      return bob.post(`/api/v1/statuses/${id}/bookmark`);
    },
  },
  { name: 'follows', writer: 'alice', write: ({ alice, bob }) => alice.post(`/api/v1/accounts/${bob.id}/follow`) },
  {
    name: 'pins a post',
    writer: 'alice',
    write: ({ alice, statusIds: [id] }) => alice.post(`/api/v1/statuses/${id}/pin`),
  },
  {
    name: 'no longer filters a word',
    writer: 'bob',
    prepare: ({ bob }) =>
      bob.post('/api/v2/filters', {
        title: 'Birds',
        context: ['account'],
        filter_action: 'hide',
        keywords_attributes: [{ keyword: 'bird' }],
      }),
    write: async ({ bob }) => {
      const [filter] = (await bob.get('/api/v2/filters')).json;
      return bob.delete(`/api/v2/filters/${filter.id}`);
    },
  },
];

test('each route that a replica may answer is read from it, with the answer of the primary', async () => {
  await using replicated = await ReplicatedServer.start();
  const named = await populate(replicated, '1');
  const reads = readsOf(named);
  const declared = routes
    .filter(({ options }) => options.readsReplica !== undefined)
    .map(({ path }) => path)
    // The same handlers as those by name.
    .filter((path) => !path.startsWith('/ap/users/:account_id'));
  expect(Object.keys(reads).toSorted()).toEqual(declared.toSorted());
  // The first request stores the instance actor, which a late replica does not have.
  await read(replicated.server.anonymous, '/actor');
  await replicated.catchUp();
  for (const [path, urls] of Object.entries(reads)) {
    for (const reader of [replicated.server.anonymous, ...(pages.has(path) ? [] : [named.bob])]) {
      await replicated.waitForReplica();
      const before = await replicated.countReads();
      for (const url of urls)
        expect([url, await read(reader, url)]).toEqual([url, await read(replicated.directly(reader), url)]);
      // Refused by the access rules of the route, before its handler.
      const refused = reader.token === undefined && (await reader.get(urls[0] ?? '')).status === 401;
      if (!refused) expect([path, (await replicated.countReads()) - before]).not.toEqual([path, 0]);
    }
  }
  const [{ statements }] = (await replicated.replicaServer.query<{ statements: number }>(
    `select xact_commit::int as statements from pg_stat_database where datname = 'fieldfare'`,
  )) as [{ statements: number }];
  expect(statements).toBeGreaterThan(Object.keys(reads).length);
});

/** For all readers, so that later cases would see less. */
const closing: Case = {
  name: 'closes the timelines',
  write: ({ staff }) =>
    staff.patch('/api/v1/fieldfare/admin/settings', {
      local_live_feed_access: 'authenticated',
      remote_live_feed_access: 'authenticated',
      local_topic_feed_access: 'authenticated',
      remote_topic_feed_access: 'authenticated',
    }),
};

/** So few that a busy machine has the time for them. */
const groupSize = 5;
const cases = [...hides, ...additions, closing];
const groups = Array.from({ length: Math.ceil(cases.length / groupSize) }, (_, at) => ({
  names: cases.slice(at * groupSize, (at + 1) * groupSize).map(({ name }) => name),
}));

test.for(groups)('while the replica is held back, readers miss nothing of: an account $names', async ({ names }) => {
  await using replicated = await ReplicatedServer.start();
  const { server } = replicated;
  const staff = await server.user('stefan', { role: 'owner', scopes: 'admin:read admin:write' });
  const differences: object[] = [];
  for (const [at, { name, prepare, write, writer }] of cases.filter((each) => names.includes(each.name)).entries()) {
    const named = { ...(await populate(replicated, String(at))), staff };
    const prepared = await prepare?.(named);
    expect([name, prepared?.status ?? 200]).toEqual([name, 200]);
    await server.drain();
    await replicated.catchUp();
    await replicated.hold();
    const readers = writer === undefined ? [server.anonymous, named.alice, named.bob] : [named[writer]];
    const reads = readers.flatMap((reader, index) =>
      Object.entries(readsOf(named))
        .filter(([path]) => index === 0 || !pages.has(path))
        .flatMap(([, urls]) => urls.map((url) => ({ reader, url }))),
    );
    const readAll = async (through: (reader: Client) => Client): Promise<string[]> =>
      (await Promise.all(reads.map(({ reader, url }) => read(through(reader), url)))).map(String);
    const compare = async (when: string): Promise<void> => {
      const [shown, stored] = [
        await readAll((reader) => reader),
        await readAll((reader) => replicated.directly(reader)),
      ];
      for (const [index, text] of shown.entries())
        if (text !== stored[index])
          differences.push({ name, when, url: reads[index]?.url, shown: text, stored: stored[index] });
    };
    const before = await replicated.countReads();
    // Fills the caches of the server from the replica.
    const shownBefore = await readAll((reader) => reader);
    expect((await replicated.countReads()) - before).toBeGreaterThan(reads.length / readers.length / 2);
    expect([name, (await write(named)).status]).toEqual([name, 200]);
    await compare('at once');
    await server.drain();
    await compare('after the jobs');
    // Otherwise the case proves nothing.
    expect([name, await readAll((reader) => reader)]).not.toEqual([name, shownBefore]);
  }
  expect(differences).toEqual([]);
});

/** What a reader gets: the status, and the body without what differs in each response, or is cached for a time. */
async function read(reader: Client, url: string): Promise<readonly [number, string]> {
  const isDocument = /^\/(?:users|contexts|emojis|ap|actor)/.test(url);
  const { status, text } = await reader.get(
    url,
    isDocument ? { headers: { accept: 'application/activity+json' } } : {},
  );
  return [status, text.replaceAll(/nonce[-=]["']?[\w+/=-]+|authenticity_token" value="[^"]*|"history":\[[^\]]*/g, '')];
}

/** Stores a remote account with a post. */
async function storeRemote({ app, clock }: TestServer, suffix: string): Promise<Named['remote']> {
  const domain = `far-${suffix}.test`;
  const uri = `https://${domain}/users/zoe`;
  const id = await transaction(app, (tx) =>
    storeRemoteAccount(tx, app, { uri, username: 'zoe', domain, inboxUrl: `${uri}/inbox`, discoverable: true }),
  );
  const statusId = await storeRemoteStatus(app, {
    uri: `${uri}/1`,
    accountId: id,
    content: '<p>A bird from afar</p>',
    visibility: 'public',
    tags: ['birds'],
    publishedAt: clock.now(),
  });
  if (statusId === undefined) throw new Error('the post was not stored');
  return { id, statusId, domain };
}

async function populate(replicated: ReplicatedServer, suffix: string): Promise<Named> {
  const { server } = replicated;
  await replicated.catchUp();
  const [alice, bob] = [await server.user(`a_${suffix}`), await server.user(`b_${suffix}`)];
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true, indexable: true });
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const post = async (fields: object): Promise<string> => (await alice.post('/api/v1/statuses', fields)).json.id;
  const tagged = await post({ status: 'A bird: #birds' });
  const restricted = await post({ status: 'For followers, about a bird', visibility: 'private' });
  const popular = await post({ status: 'Popular bird' });
  await bob.post(`/api/v1/statuses/${popular}/favourite`);
  await bob.post(`/api/v1/statuses/${popular}/reblog`);
  await bob.post('/api/v1/statuses', { status: 'indeed, a bird', in_reply_to_id: popular });
  await alice.post(`/api/v1/statuses/${popular}/pin`);
  const remote = await storeRemote(server, suffix);
  const list = await bob.post('/api/v1/lists', { title: 'Friends' });
  await bob.post(`/api/v1/lists/${list.json.id}/accounts`, { account_ids: [alice.id] });
  await server.drain();
  server.clock.advance(120);
  return { alice, bob, listId: list.json.id, statusIds: [tagged, restricted, popular], remote };
}
