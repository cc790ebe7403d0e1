import { expect, test } from 'vitest';
import { routes as allRoutes } from '../../../server/app.ts';
import { routes as federationRoutes } from '../../../server/federation/index.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import type { Dialect } from '../../../server/federation/signatures/signed-request.ts';
import { suspendAccount } from '../../../server/moderation/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer, PeerActor } from '../peer.ts';
import { postStatus, resolveAccountOn, type StatusJson } from '../two-servers.ts';

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
type Visibility = (typeof visibilities)[number];
type Mode = 'open' | 'secure';

/** Who signs a request for a document by alice. Those that she blocks or hides follow her or are addressed. */
const signers = [
  'addressee',
  'addressee with RFC 9421',
  'neighbour of the addressee',
  'instance actor of the addressee',
  'follower',
  'neighbour of the follower',
  'instance actor that follows and is addressed',
  'blocked addressee',
  'addressee of a hidden domain',
  'suspended follower',
  'stranger',
  'unknown stranger',
  'forger with the key id of the follower',
  'unsigned',
] as const;
type Signer = (typeof signers)[number];

const readersOf: Readonly<Record<'private' | 'direct', readonly Signer[]>> = {
  private: ['addressee', 'addressee with RFC 9421', 'follower'],
  direct: ['addressee', 'addressee with RFC 9421'],
};

const isHiddenFrom = (signer: Signer): boolean =>
  signer === 'blocked addressee' || signer === 'addressee of a hidden domain';

const cannotSign = (signer: Signer): boolean => signer === 'unsigned' || signer.startsWith('forger');

/** What alice published with one visibility. */
interface Published {
  readonly post: StatusJson;
  readonly conversation: string;
  /** Id of the quote of a public post. */
  readonly quote: string;
  /** Id of the quote of `post`; undefined for a direct one, which cannot be quoted. */
  readonly quoteOfPost: string | undefined;
  /** Id of the approved favourite of a post. */
  readonly consent: string;
  /** A reblog of a public post; undefined for direct posts, which do not exist as reblogs. */
  readonly reblog: StatusJson | undefined;
}

/** A document about a post; its path is undefined if there is none with the visibility. */
interface Row {
  readonly route: string;
  readonly path: (published: Published) => string | undefined;
  /** Served for public posts only, to whoever asks. */
  readonly neverRestricted?: boolean;
  /** Of a post that addresses only followers. */
  readonly forFollowersOnly?: boolean;
  readonly accept?: string;
}

const local = ({ uri }: StatusJson, part = ''): string => new URL(uri).pathname + part;
const page = ({ id }: StatusJson): string => `/@alice/${id}`;

const rows: readonly Row[] = [
  { route: '/users/:username/statuses/:id', path: ({ post }) => local(post) },
  { route: '/users/:username/statuses/:id.json', path: ({ post }) => local(post, '.json') },
  { route: '/users/:username/statuses/:id/activity', path: ({ post }) => local(post, '/activity') },
  {
    route: '/users/:username/statuses/:id/activity',
    path: ({ reblog }) => reblog && local(reblog),
    forFollowersOnly: true,
  },
  { route: '/users/:username/statuses/:id/replies', path: ({ post }) => local(post, '/replies') },
  { route: '/users/:username/statuses/:id/replies', path: ({ post }) => local(post, '/replies?page=true') },
  {
    route: '/users/:username/statuses/:id/replies',
    path: ({ post }) => local(post, '/replies?page=true&only_other_accounts=true'),
  },
  { route: '/users/:username/statuses/:id/likes', path: ({ post }) => local(post, '/likes') },
  { route: '/users/:username/statuses/:id/shares', path: ({ post }) => local(post, '/shares') },
  {
    route: '/users/:username/quote_authorizations/:id',
    path: ({ quote }) => `/users/alice/quote_authorizations/${quote}`,
  },
  {
    route: '/users/:username/quote_authorizations/:id',
    path: ({ quoteOfPost: id }) => (id === undefined ? undefined : `/users/alice/quote_authorizations/${id}`),
    neverRestricted: true,
  },
  {
    route: '/users/:username/interaction_authorizations/:id',
    path: ({ consent }) => `/users/alice/interaction_authorizations/${consent}`,
  },
  {
    route: '/users/:username/authorizations/:ulid',
    path: ({ consent }) => `/users/alice/authorizations/${consent}`,
  },
  { route: '/users/:username/accepts/:ulid', path: ({ consent }) => `/users/alice/accepts/${consent}` },
  { route: '/contexts/:id', path: ({ conversation }) => `/contexts/${conversation}`, neverRestricted: true },
  { route: '/@:username/:id', path: ({ post }) => page(post) },
  { route: '/@:username/:id.json', path: ({ post }) => `${page(post)}.json` },
  { route: '/@:username/:id', path: ({ post }) => page(post), accept: 'application/json' },
  {
    route: '/@:username/:id',
    path: ({ post }) => page(post),
    accept: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  },
];

const cases = rows.flatMap((row) =>
  visibilities.flatMap((visibility) => signers.map((signer) => ({ row, visibility, signer }))),
);

/** Documents that list posts, or are not about posts. They must not contain anything of a post that is not public. */
const openDocuments: Readonly<Record<string, readonly string[]>> = {
  '/actor': ['/actor'],
  '/.well-known/webfinger': ['/.well-known/webfinger?resource=acct:alice@s.test'],
  '/.well-known/host-meta': ['/.well-known/host-meta'],
  '/.well-known/host-meta.json': ['/.well-known/host-meta.json'],
  '/.well-known/nodeinfo': ['/.well-known/nodeinfo'],
  '/nodeinfo/2.0': ['/nodeinfo/2.0'],
  '/nodeinfo/2.1': ['/nodeinfo/2.1'],
  '/users/:username': ['/users/alice'],
  '/@:username': ['/@alice'],
  '/users/:username.json': ['/users/alice.json'],
  '/users/:username/main-key': ['/users/alice/main-key'],
  '/@:username.json': ['/@alice.json'],
  '/users/:username/outbox': ['/users/alice/outbox', '/users/alice/outbox?page=true'],
  '/users/:username/followers': ['/users/alice/followers', '/users/alice/followers?page=1'],
  '/users/:username/following': ['/users/alice/following', '/users/alice/following?page=1'],
  '/users/:username/followers_synchronization': ['/users/alice/followers_synchronization'],
  '/users/:username/collections/featured': ['/users/alice/collections/featured'],
  '/users/:username/collections/tags': ['/users/alice/collections/tags'],
  '/users/:username/collections/moderators': ['/users/alice/collections/moderators'],
  '/tags/:name': ['/tags/birds'],
  '/emojis/:id': ['/emojis/1'],
  '/emoji/:ulid': ['/emoji/01HFZ8N3G0000000000000000A'],
  '/collections/:id': ['/collections/1'],
  '/ap/users/:id/featured_collections': ['/ap/users/1/featured_collections'],
  '/ap/users/:id/collections/:collection_id': ['/ap/users/1/collections/1'],
  '/ap/users/:id/collection_items/:item_id': ['/ap/users/1/collection_items/1'],
  '/ap/users/:id/feature_authorizations/:auth_id': ['/ap/users/1/feature_authorizations/1'],
};

interface Scene extends AsyncDisposable {
  readonly mode: Mode;
  readonly network: Network;
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly actors: ReadonlyMap<Signer, PeerActor>;
  readonly published: Readonly<Record<Visibility, Published>>;
}

async function scene(mode: Mode): Promise<Scene> {
  const network = new Network();
  const server = await network.start('s.test', { settings: mode === 'secure' ? { SECURE_MODE: 'on' } : {} });
  const alice = await server.user('alice', { role: 'owner' });
  const actors = createActors(network);
  const ids = new Map<Signer, AccountId>();
  for (const [signer, { username, host }] of actors)
    if (signer !== 'unknown stranger') ids.set(signer, await resolveAccountOn(server, `${username}@${host}`));
  await follow(server, alice, actors);
  const published = await publishAll(server, alice, actors);
  await alice.post(`/api/v1/accounts/${ids.get('blocked addressee')}/block`);
  await alice.post('/api/v1/domain_blocks', { domain: 'hidden.test' });
  const suspended = ids.get('suspended follower');
  if (suspended !== undefined) await suspendAccount(server.app, 'system', { accountId: suspended });
  await network.drain();
  const dispose = () => network[Symbol.asyncDispose]();
  return { mode, network, server, alice, actors, published, [Symbol.asyncDispose]: dispose };
}

function createActors(network: Network): Map<Signer, PeerActor> {
  const actors = new Map<Signer, PeerActor>();
  const add = (host: string, people: Partial<Record<Signer, string>>): void => {
    const peer = new Peer(network, host);
    for (const [signer, name] of Object.entries(people)) actors.set(signer as Signer, peer.actor(name));
  };
  add('addressee.test', {
    addressee: 'reader',
    'neighbour of the addressee': 'neighbour',
    'instance actor of the addressee': 'addressee.test',
  });
  add('follower.test', {
    follower: 'reader',
    'neighbour of the follower': 'neighbour',
    'instance actor that follows and is addressed': 'follower.test',
  });
  add('blocked.test', { 'blocked addressee': 'reader' });
  add('hidden.test', { 'addressee of a hidden domain': 'reader' });
  add('suspended.test', { 'suspended follower': 'reader' });
  add('stranger.test', { stranger: 'reader', 'unknown stranger': 'unknown' });
  for (const actor of actors.values())
    if (actor.username === actor.host) actor.documentOverrides = { type: 'Application' };
  return actors;
}

async function follow(server: TestServer, alice: TestUser, actors: ReadonlyMap<Signer, PeerActor>): Promise<void> {
  const following: readonly Signer[] = [
    'follower',
    'instance actor that follows and is addressed',
    'blocked addressee',
    'addressee of a hidden domain',
    'suspended follower',
  ];
  for (const signer of following) {
    const actor = actors.get(signer);
    expect(await actor?.send(server, actor.activity('Follow', 'https://s.test/users/alice'))).toBe(202);
  }
  await server.drain();
  const { json } = await alice.get('/api/v1/accounts/verify_credentials');
  expect((json as { followers_count: number }).followers_count).toBe(following.length);
}

async function publishAll(
  server: TestServer,
  alice: TestUser,
  actors: ReadonlyMap<Signer, PeerActor>,
): Promise<Record<Visibility, Published>> {
  const root = await postStatus(alice, { status: 'root' });
  const found: Partial<Record<Visibility, Published>> = {};
  for (const visibility of visibilities)
    found[visibility] = await publish({ server, alice, actors }, { visibility, root });
  return found as Record<Visibility, Published>;
}

async function publish(
  { server, alice, actors }: Pick<Scene, 'server' | 'alice' | 'actors'>,
  { visibility, root }: { readonly visibility: Visibility; readonly root: StatusJson },
): Promise<Published> {
  const addressees = ['addressee.test', 'blocked.test', 'hidden.test'].map((host) => `@reader@${host}`);
  const names = [...addressees, '@follower.test@follower.test'].join(' ');
  const common = { visibility, status: `${names} secret-${visibility} #birds` };
  const approval = { interaction_policy: { can_favourite: { manual_approval: ['public'] } } };
  const post = await postStatus(alice, { ...common, ...approval });
  await postStatus(alice, { ...common, in_reply_to_id: post.id });
  await postStatus(alice, { ...common, in_reply_to_id: root.id });
  const quoting = await postStatus(alice, { ...common, quoted_status_id: root.id });
  const quotingPost =
    visibility === 'direct' ? undefined : await postStatus(alice, { ...common, quoted_status_id: post.id });
  if (visibility !== 'direct') expect((await alice.post(`/api/v1/statuses/${post.id}/pin`)).status).toBe(200);
  const reader = actors.get('addressee');
  await reader?.send(server, reader.activity('Like', post.uri));
  await server.drain();
  const [request] = (await alice.get('/api/v1/interaction_requests')).json as { id: string }[];
  await alice.post(`/api/v1/interaction_requests/${request?.id}/authorize`);
  // As if the server had been a GoToSocial.
  await server.pool.query(
    `update interaction_requests set authorization_uri = 'https://' || $1 || '/users/alice/authorizations/' || id where id = $2`,
    [server.app.config.webDomain, request?.id],
  );
  const { db } = server.app;
  const quoteBy = ({ id }: StatusJson) =>
    db
      .selectFrom('quotes')
      .select('id')
      .where('status_id', '=', id as never)
      .executeTakeFirstOrThrow();
  const { conversation_id: conversation } = await db
    .selectFrom('statuses')
    .select('conversation_id')
    .where('id', '=', post.id as never)
    .executeTakeFirstOrThrow();
  return {
    post,
    conversation: String(conversation),
    quote: (await quoteBy(quoting)).id,
    quoteOfPost: quotingPost && (await quoteBy(quotingPost)).id,
    consent: String(request?.id),
    reblog: visibility === 'direct' ? undefined : await reblog(alice, visibility),
  };
}

async function reblog(alice: TestUser, visibility: Visibility): Promise<StatusJson> {
  const { id } = await postStatus(alice, { status: `reblogged as ${visibility}` });
  return (await alice.post(`/api/v1/statuses/${id}/reblog`, { visibility })).json as StatusJson;
}

async function read(
  { server, actors }: Scene,
  signer: Signer,
  { path, accept = 'application/activity+json' }: { readonly path: string; readonly accept?: string | undefined },
) {
  const key = signer.startsWith('forger')
    ? { keyId: actors.get('follower')?.keyId ?? '', privateKey: new PeerActor('forged.test', 'forger').privateKey }
    : actors.get(signer === 'addressee with RFC 9421' ? 'addressee' : signer);
  const dialect: Dialect = signer === 'addressee with RFC 9421' ? 'rfc9421' : 'cavage';
  const request = { method: 'GET', url: `https://s.test${path}`, now: server.clock.now() } as const;
  const signature = key && signRequest(dialect, request, key);
  const response = await server.http.inject({ url: path, headers: { accept, host: 's.test', ...signature } });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

/** The status of a document: refused to those who may read nothing, or missing for all but the readers of its post. */
function expectedStatus(mode: Mode, row: Row, { signer, visibility }: Case): number {
  if (mode === 'secure' && cannotSign(signer)) return 401;
  if (mode === 'secure' && isHiddenFrom(signer)) return 404;
  if (visibility === 'public' || visibility === 'unlisted') return 200;
  if (row.neverRestricted === true) return 404;
  const readers = row.forFollowersOnly === true ? (['follower'] as const) : readersOf[visibility];
  return readers.some((reader) => reader === signer) ? 200 : 404;
}

interface Case {
  readonly signer: Signer;
  readonly visibility: Visibility;
}

/** Returns the status of a response, and what is wrong with it. */
async function observe(
  all: Scene,
  { row, path, signer, visibility }: Case & { readonly row: Row; readonly path: string },
) {
  const { status, headers, text } = await read(all, signer, { path, accept: row.accept });
  const problems: string[] = [];
  if (status !== 200 && text.includes('secret-')) problems.push('leaks');
  if (visibility === 'private' || visibility === 'direct') {
    // A shared cache may store nothing of a post that is not public, nor that it was refused.
    if (!/\bno-store$/.test(String(headers['cache-control']))) problems.push('cacheable');
    if (status === 200 && !String(headers['vary']).includes('Signature')) problems.push('does not vary');
  }
  return [status, ...problems].join(' ');
}

test.each([
  ['open', 'public', 'unlisted'],
  ['open', 'private', 'direct'],
  ['secure', 'public', 'unlisted'],
  ['secure', 'private', 'direct'],
] as const)(
  'FED-01: a document about a post is served to the accounts that may see it, not to their servers (%s mode, %s and %s)',
  async (mode, ...shown) => {
    await using all = await scene(mode);
    all.network.requests.length = 0;
    const [expected, found] = [new Map<string, string>(), new Map<string, string>()];
    for (const { row, visibility, signer } of cases.filter((one) => shown.some((each) => each === one.visibility))) {
      const path = row.path(all.published[visibility]);
      if (path === undefined) continue;
      const name = `${path} (${row.accept ?? 'activity'}), ${visibility}, for ${signer}`;
      expected.set(name, String(expectedStatus(mode, row, { signer, visibility })));
      found.set(name, await observe(all, { row, path, signer, visibility }));
    }
    expect(found).toEqual(expected);
    const isAboutUnknown = ({ url }: { url: string }) => url.startsWith('https://stranger.test/');
    // Otherwise a stranger would learn from a request for the key that the post exists.
    if (mode === 'open') expect(all.network.requests.filter(isAboutUnknown)).toEqual([]);
  },
);

test.each(['open', 'secure'] as const)(
  'FED-01: collections and other public documents contain nothing of private posts, whoever signs (%s mode)',
  async (mode) => {
    await using all = await scene(mode);
    const leaks: string[] = [];
    for (const path of Object.values(openDocuments).flat()) {
      for (const signer of signers) {
        const { text } = await read(all, signer, { path });
        if (/secret-(?:private|direct)/.test(text) || text.includes(all.published.direct.post.id))
          leaks.push(`${path} for ${signer}`);
      }
    }
    expect(leaks).toEqual([]);
    const { text } = await read(all, 'follower', { path: '/users/alice/outbox?page=true' });
    expect(text).toContain('secret-public');
  },
);

test('FED-01: every route that serves documents has a row here', async () => {
  await using all = await scene('open');
  const known = new Set([...rows.map(({ route }) => route), ...Object.keys(openDocuments)]);
  const served = federationRoutes
    .filter(({ method, options }) => method === 'GET' && !options.access.startsWith('staff:'))
    // The same handlers as those by name, and redirects.
    .filter(({ path }) => !path.includes(':account_id'))
    .map(({ path }) => path);
  const { post } = all.published.public;
  const pages = allRoutes.filter(({ method, options }) => method === 'GET' && options.access === 'page');
  for (const { path } of pages) {
    const url = path
      .replace(':username', 'alice')
      .replace(':id', post.id)
      .replace(/:(?:name|tag)\b/, 'birds');
    const { headers } = await read(all, 'unsigned', { path: url });
    if (String(headers['content-type']).startsWith('application/activity+json')) served.push(path);
  }
  expect(served).toContain('/@:username/:id');
  expect(served.filter((path) => !known.has(path))).toEqual([]);
});

test('FED-01: the authorization of a private reply to a public post is served to readers of the reply', async () => {
  await using all = await scene('open');
  const { server, alice } = all;
  const bob = await server.user('bob');
  const policy = { can_reply: { manual_approval: ['public'] } };
  const post = await postStatus(alice, { status: 'Ask me', interaction_policy: policy });
  const reply = { status: 'for @reader@addressee.test', visibility: 'private', in_reply_to_id: post.id };
  await postStatus(bob, reply);
  const [request] = (await alice.get('/api/v1/interaction_requests')).json as { id: string }[];
  expect((await alice.post(`/api/v1/interaction_requests/${request?.id}/authorize`)).status).toBe(200);
  const path = `/users/alice/interaction_authorizations/${request?.id}`;
  const statuses: Partial<Record<Signer, number>> = {};
  for (const signer of ['addressee', 'neighbour of the addressee', 'follower', 'unsigned'] as const)
    statuses[signer] = (await read(all, signer, { path })).status;
  expect(statuses).toEqual({ addressee: 200, 'neighbour of the addressee': 404, follower: 404, unsigned: 404 });
});
