import { expect, test } from 'vitest';
import { routes } from '../../../server/federation/index.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import { allowDomain, blockDomain } from '../../../server/site/domains/index.ts';
import { addTestEmoji as addEmoji } from '../../emoji-files.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveAccountOn, postStatus } from '../two-servers.ts';

const readers = ['anonymous', 'ordinary', 'blocked', 'domain hidden by the author', 'domain suspended here'] as const;
type Reader = (typeof readers)[number];
type Mode = 'open' | 'secure' | 'limited';

/** Who may read a document when signatures are required. */
const expectedStatuses = {
  /** Needed to find and verify any actor: never refused. */
  anyone: { anonymous: 200, blocked: 200, suspended: 200 },
  /** An actor with its key, needed to verify a Block, or a document without an author. */
  signers: { anonymous: 401, blocked: 200, suspended: 403 },
  /** Content of an author. */
  permitted: { anonymous: 401, blocked: 404, suspended: 403 },
} as const;

/** The federation documents by route; a missing route fails the test. */
function documents(facts: Facts): Record<string, [keyof typeof expectedStatuses, string]> {
  const { user, status, conversation, quote, consent, emoji, emojiFile, owner, member, collection, item } = facts;
  return {
    '/actor': ['anyone', '/actor'],
    '/.well-known/webfinger': ['anyone', '/.well-known/webfinger?resource=acct:alice@s.test'],
    '/.well-known/host-meta': ['anyone', '/.well-known/host-meta'],
    '/.well-known/host-meta.json': ['anyone', '/.well-known/host-meta.json'],
    '/.well-known/nodeinfo': ['anyone', '/.well-known/nodeinfo'],
    '/nodeinfo/2.0': ['anyone', '/nodeinfo/2.0'],
    '/nodeinfo/2.1': ['anyone', '/nodeinfo/2.1'],
    '/users/:username': ['signers', user],
    '/users/:username.json': ['signers', `${user}.json`],
    '/users/:username/main-key': ['signers', `${user}/main-key`],
    '/@:username.json': ['signers', '/@alice.json'],
    '/emojis/:id': ['signers', `/emojis/${emoji}`],
    '/emoji/:ulid': ['signers', `/emoji/${emojiFile}`],
    '/users/:username/outbox': ['permitted', `${user}/outbox?page=true`],
    '/users/:username/followers': ['permitted', `${user}/followers?page=1`],
    '/users/:username/following': ['permitted', `${user}/following?page=1`],
    '/users/:username/collections/featured': ['permitted', `${user}/collections/featured`],
    '/users/:username/collections/tags': ['permitted', `${user}/collections/tags`],
    '/users/:username/collections/moderators': ['signers', '/users/birders/collections/moderators'],
    '/users/:username/statuses/:id': ['permitted', status],
    '/users/:username/statuses/:id.json': ['permitted', `${status}.json`],
    '/@:username/:id.json': ['permitted', `/@alice/${status.split('/').at(-1)}.json`],
    '/users/:username/statuses/:id/activity': ['permitted', `${status}/activity`],
    '/users/:username/statuses/:id/replies': ['permitted', `${status}/replies`],
    '/users/:username/statuses/:id/likes': ['permitted', `${status}/likes`],
    '/users/:username/statuses/:id/shares': ['permitted', `${status}/shares`],
    '/users/:username/quote_authorizations/:id': ['permitted', `${user}/quote_authorizations/${quote}`],
    '/users/:username/interaction_authorizations/:id': ['permitted', `${user}/interaction_authorizations/${consent}`],
    '/users/:username/authorizations/:ulid': ['permitted', `${user}/authorizations/${consent}`],
    '/users/:username/accepts/:ulid': ['permitted', `${user}/accepts/${consent}`],
    '/contexts/:id': ['permitted', conversation],
    '/ap/users/:id/featured_collections': ['permitted', `/ap/users/${owner}/featured_collections`],
    '/ap/users/:id/collections/:collection_id': ['permitted', `/ap/users/${owner}/collections/${collection}`],
    '/ap/users/:id/collection_items/:item_id': ['permitted', `/ap/users/${owner}/collection_items/${item}`],
    '/ap/users/:id/feature_authorizations/:auth_id': [
      'permitted',
      `/ap/users/${member}/feature_authorizations/${item}`,
    ],
    'profile page': ['signers', '/@alice'],
    'page of a post': ['permitted', `/@alice/${status.split('/').at(-1)}`],
    'page of a hashtag': ['signers', '/tags/birds'],
    'page of a collection': ['permitted', `/collections/${collection}`],
  };
}

interface Facts {
  readonly user: string;
  readonly status: string;
  readonly conversation: string;
  readonly quote: string;
  /** Id of an interaction that the author approved. */
  readonly consent: string;
  readonly emoji: string;
  /** The name of its file without its extension: its id in addresses of GoToSocial. */
  readonly emojiFile: string;
  readonly owner: string;
  readonly member: string;
  readonly collection: string;
  readonly item: string;
}

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly signers: ReadonlyMap<Reader, PeerActor>;
  readonly ids: ReadonlyMap<Reader, string>;
}

async function scene(mode: Mode): Promise<Scene> {
  const network = new Network();
  const settings = { secure: { SECURE_MODE: 'on' }, limited: { LIMITED_FEDERATION: 'on' }, open: {} }[mode];
  const server = await network.start('s.test', { settings });
  const alice = await server.user('alice', { role: 'owner' });
  const signers = new Map<Reader, PeerActor>();
  const ids = new Map<Reader, string>();
  for (const [at, reader] of readers.slice(1).entries()) {
    const host = `r${at}.test`;
    signers.set(reader, new Peer(network, host).actor('reader'));
    if (mode === 'limited') await allowDomain(server.app, 'system', host);
  }
  for (const [reader, { host }] of signers) ids.set(reader, await resolveAccountOn(server, `reader@${host}`));
  await alice.post(`/api/v1/accounts/${ids.get('blocked')}/block`);
  await alice.post('/api/v1/domain_blocks', { domain: signers.get('domain hidden by the author')?.host });
  return { server, alice, signers, ids, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** The domain of the signer is suspended only once it is known, as staff would do. */
async function suspendDomain({ server, signers }: Scene): Promise<void> {
  const domain = signers.get('domain suspended here')?.host ?? '';
  await blockDomain(server.app, 'system', { domain, severity: 'suspend' });
}

async function readAs({ server, signers }: Scene, reader: Reader, path: string) {
  const signer = signers.get(reader);
  const url = `https://s.test${path}`;
  const headers = signer && signRequest('cavage', { method: 'GET', url, now: server.clock.now() }, signer);
  const response = await server.http.inject({
    url: path,
    headers: { accept: 'application/activity+json', host: 's.test', ...headers },
  });
  const { 'cache-control': cache, vary } = response.headers;
  return { status: response.statusCode, cache: String(cache), vary: String(vary), text: response.body };
}

test.each(['open', 'secure', 'limited'] as const)(
  'FED-05: every federation document is served only to those who may read it (%s mode)',
  async (mode) => {
    await using all = await scene(mode);
    const served = documents(await publish(all));
    await suspendDomain(all);
    const paths = routes
      .filter(({ method, options }) => method === 'GET' && !options.access.startsWith('staff:'))
      // The same handlers as those by name, and redirects.
      .filter(({ path }) => !path.includes(':account_id'))
      .map(({ path }) => path);
    // This route has its own rules: always signed, and only about the signer's server.
    const own = '/users/:username/followers_synchronization';
    expect(paths.filter((path) => path !== own && !(path in served))).toEqual([]);
    const [expected, found]: Record<string, unknown>[] = [{}, {}];
    for (const [route, [rule, path]] of Object.entries(served)) {
      for (const reader of readers) {
        const { status, cache, vary, text } = await readAs(all, reader, path);
        const isPublic = rule === 'anyone' || mode === 'open';
        const kind = reader === 'domain hidden by the author' ? 'blocked' : reader;
        const statuses = {
          ...expectedStatuses[rule],
          ordinary: 200,
          'domain suspended here': expectedStatuses[rule].suspended,
        };
        const expectedStatus = isPublic ? 200 : statuses[kind];
        expected![`${route} for ${reader}`] = expectedStatus;
        found![`${route} for ${reader}`] = status === expectedStatus ? status : `${status} ${text.slice(0, 200)}`;
        if (status !== 200 || rule === 'anyone') continue;
        if (isPublic && !/authorizations|accepts/.test(route))
          expect([route, cache]).toEqual([route, 'public, max-age=180']);
        else expect([route, cache, vary]).toEqual([route, 'private, no-store', expect.stringContaining('Signature')]);
      }
    }
    expect(found).toEqual(expected);
    for (const [reader, status] of [
      ['anonymous', 401],
      ['ordinary', 200],
      ['blocked', 404],
      ['domain hidden by the author', 404],
      ['domain suspended here', 403],
    ] as const) {
      expect([reader, (await readAs(all, reader, '/users/alice/followers_synchronization')).status]).toEqual([
        reader,
        status,
      ]);
    }
  },
);

test.each(['open', 'secure'] as const)(
  'FED-01: nothing about a private post may be cached by others or shown to strangers (%s mode)',
  async (mode) => {
    await using all = await scene(mode);
    const { server, alice, signers, ids } = all;
    const ordinary = signers.get('ordinary')!;
    await ordinary.send(server, ordinary.activity('Follow', 'https://s.test/users/alice'));
    await server.drain();
    const { uri } = await postStatus(alice, { status: 'for followers', visibility: 'private' });
    await postStatus(alice, { status: 'more', in_reply_to_id: uri.split('/').at(-1), visibility: 'private' });
    for (const part of ['', '/activity', '/replies', '/replies?page=true', '/likes', '/shares']) {
      const { status, cache, vary } = await readAs(all, 'ordinary', new URL(uri).pathname + part);
      expect([part, status, cache, vary]).toEqual([
        part,
        200,
        'private, no-store',
        expect.stringContaining('Signature'),
      ]);
      const statuses = [];
      for (const reader of ['anonymous', 'blocked', 'domain hidden by the author'] as const) {
        statuses.push((await readAs(all, reader, new URL(uri).pathname + part)).status);
      }
      expect([part, ...statuses]).toEqual([part, mode === 'open' ? 404 : 401, 404, 404]);
    }
    expect(ids.size).toBe(4);
  },
);

test('FED-05: posts by authors who block the reader are left out of threads', async () => {
  await using all = await scene('secure');
  const { server, alice, ids } = all;
  const bob = await server.user('bob');
  const root = await postStatus(bob, { status: 'root' });
  const hidden = await postStatus(alice, { status: '@bob hidden', in_reply_to_id: root.id });
  const shown = await postStatus(bob, { status: '@alice shown', in_reply_to_id: hidden.id });
  const { context } = JSON.parse((await readAs(all, 'ordinary', new URL(root.uri).pathname)).text) as {
    context: string;
  };
  const urisFor = async (reader: Reader) => {
    const thread = JSON.parse((await readAs(all, reader, new URL(context).pathname)).text) as {
      first: { items: string[] };
    };
    const replies = await readAs(
      all,
      reader,
      `${new URL(root.uri).pathname}/replies?page=true&only_other_accounts=true`,
    );
    return [...thread.first.items, ...(JSON.parse(replies.text) as { items: string[] }).items];
  };
  expect(await urisFor('ordinary')).toEqual([root.uri, hidden.uri, shown.uri, hidden.uri]);
  expect(await urisFor('blocked')).toEqual([root.uri, shown.uri]);
  expect(await urisFor('domain hidden by the author')).toEqual([root.uri, shown.uri]);
  expect(ids.get('blocked')).toBeDefined();
});

/** Publishes one document of each kind as alice. bob, who blocks the same readers, is in her collection. */
async function publish({ server, alice, signers, ids }: Scene): Promise<Facts> {
  expect((await alice.post('/api/v1/fieldfare/groups', { username: 'birders' })).status).toBe(200);
  const root = await postStatus(alice, { status: 'root #birds' });
  await postStatus(alice, { status: 'answer', in_reply_to_id: root.id });
  await alice.post('/api/v1/statuses', { status: 'look', quoted_status_id: root.id });
  await alice.post(`/api/v1/statuses/${root.id}/pin`);
  await alice.post('/api/v1/featured_tags', { name: 'birds' });
  const bob = await server.user('bob');
  await bob.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  await bob.post(`/api/v1/accounts/${ids.get('blocked')}/block`);
  await bob.post('/api/v1/domain_blocks', { domain: signers.get('domain hidden by the author')?.host });
  const careful = await postStatus(alice, {
    status: 'ask me',
    interaction_policy: { can_reply: { manual_approval: ['public'] } },
  });
  await postStatus(bob, { status: 'may I?', in_reply_to_id: careful.id });
  const [consent] = (await alice.get('/api/v1/interaction_requests')).json as { id: string }[];
  await alice.post(`/api/v1/interaction_requests/${consent?.id}/authorize`);
  // As if the server had been a GoToSocial.
  await server.pool.query(
    `update interaction_requests set authorization_uri = 'https://' || $1 || '/users/alice/authorizations/' || id where id = $2`,
    [server.app.config.webDomain, consent?.id],
  );
  const created = await alice.post('/api/v1/collections', { name: 'Birds', account_ids: [bob.id] });
  const { collection } = created.json as { collection: { id: string; items: { id: string }[] } };
  await addEmoji(server, 'bird');
  const { db } = server.app;
  const { conversation_id: conversation } = await db
    .selectFrom('statuses')
    .select('conversation_id')
    .where('id', '=', root.id as never)
    .executeTakeFirstOrThrow();
  const emoji = await db.selectFrom('custom_emojis').select(['id', 'image_key']).executeTakeFirstOrThrow();
  return {
    user: '/users/alice',
    status: new URL(root.uri).pathname,
    conversation: `/contexts/${conversation}`,
    quote: (await db.selectFrom('quotes').select('id').executeTakeFirstOrThrow()).id,
    consent: consent?.id ?? '',
    emoji: emoji.id,
    emojiFile: /([^/]+)\.\w+$/.exec(emoji.image_key ?? '')?.[1] ?? '',
    owner: alice.id,
    member: bob.id,
    collection: collection.id,
    item: collection.items[0]?.id ?? '',
  };
}
