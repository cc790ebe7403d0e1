import { publishEvents } from '../../../server/platform/write/publish.ts';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../../server/accounts/present/index.ts';
import { actorUrls, instanceActorId, accountChanged } from '../../../server/accounts/index.ts';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { findAccountByAcct, findLocalAccount, requireAccount } from '../../../server/accounts/find/index.ts';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { keyCache } from '../../../server/accounts/keys/signing-keys.ts';
import {
  storeActorCollectionStats,
  storeRemoteAccount,
  type RemoteAccount,
} from '../../../server/accounts/remote/index.ts';
import type { App } from '../../../server/platform/app.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { domainPolicy } from '../../../server/site/domains/index.ts';
import { form, multipart, startServer } from '../../server.ts';

const remoteAccount = (name: string, changes: Partial<RemoteAccount> = {}): RemoteAccount => ({
  uri: `https://far.test/users/${name}`,
  username: name,
  domain: 'far.test',
  inboxUrl: `https://far.test/users/${name}/inbox`,
  ...changes,
});

const storeRemote = (app: App, account: RemoteAccount): Promise<AccountId> =>
  transaction(app, (tx) => storeRemoteAccount(tx, app, account));

const createPng = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

test('a new account has every field, and no null where clients need a value', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { status, json } = await server.anonymous.get(`/api/v1/accounts/${alice.id}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: alice.id,
    username: 'alice',
    acct: 'alice',
    url: 'https://fieldfare.test/@alice',
    uri: 'https://fieldfare.test/users/alice',
    display_name: '',
    note: '',
    avatar: 'https://fieldfare.test/avatars/original/missing.png',
    header: 'https://fieldfare.test/headers/original/missing.png',
    fields: [],
    emojis: [],
    roles: [],
    bot: false,
    group: false,
    locked: false,
    last_status_at: null,
    statuses_count: 0,
    followers_count: 0,
    following_count: 0,
  });
  expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  expect(json).not.toHaveProperty('suspended');
  expect(json).not.toHaveProperty('limited');
  expect(json).not.toHaveProperty('moved');
  expect(json).not.toHaveProperty('source');
});

test('unconfirmed accounts, deleted accounts and invalid ids are 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob', { confirmed: false });
  for (const id of [bob.id, '1', 'x', '99999999999999999999']) {
    expect((await alice.get(`/api/v1/accounts/${id}`)).status).toBe(404);
  }
  expect((await alice.get('/api/v1/accounts/lookup?acct=bob')).status).toBe(404);
  expect((await alice.get(`/api/v1/accounts?id[]=${bob.id}&id[]=${alice.id}`)).json).toHaveLength(1);
  const carol = await server.user('carol');
  await server.anonymous.get(`/api/v1/accounts/${carol.id}`);
  await deleteAccount(server.app, carol.id);
  await deleteAccount(server.app, carol.id);
  expect((await alice.get(`/api/v1/accounts/${carol.id}`)).status).toBe(404);
  await server.drain();
});

test('a suspended account shows only its name, a limited one is marked, and a moved one has its new account', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice', note: 'hello', bot: true });
  const set = async (id: AccountId, values: object): Promise<void> => {
    await server.db.updateTable('accounts').set(values).where('id', '=', id).execute();
    clearCaches(server.app);
  };
  await set(alice.id, { suspended_at: new Date() });
  await set(bob.id, { silenced_at: new Date() });
  await set(carol.id, { moved_to_account_id: bob.id });
  const show = async (id: string) => (await server.anonymous.get(`/api/v1/accounts/${id}`)).json;
  expect(await show(alice.id)).toMatchObject({
    suspended: true,
    username: 'alice',
    display_name: '',
    note: '',
    bot: false,
    discoverable: false,
  });
  expect(await show(bob.id)).toMatchObject({ limited: true });
  const moved = await show(carol.id);
  expect(moved.moved).toMatchObject({ id: bob.id, acct: 'bob' });
  expect(moved.moved).not.toHaveProperty('moved');
});

test('a new post is counted immediately, and last_status_at is a date without a time', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.anonymous.get(`/api/v1/accounts/${alice.id}`);
  expect((await alice.post('/api/v1/statuses', { status: 'hello' })).status).toBe(200);
  const { json } = await server.anonymous.get(`/api/v1/accounts/${alice.id}`);
  expect(json.statuses_count).toBe(1);
  expect(json.last_status_at).toBe(server.clock.now().toISOString().slice(0, 10));
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.statuses_count).toBe(1);
  await server.drain();
});

test('lookup accepts every spelling of a handle and never uses the network', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const id = await storeRemote(server.app, remoteAccount('Rita'));
  for (const acct of ['alice', '@alice', 'ALICE', 'alice@fieldfare.test', '@alice@FIELDFARE.test']) {
    expect((await server.anonymous.get(`/api/v1/accounts/lookup?acct=${acct}`)).json.id).toBe(alice.id);
  }
  expect((await server.anonymous.get('/api/v1/accounts/lookup?acct=@rita@Far.test')).json).toMatchObject({
    id,
    acct: 'Rita@far.test',
  });
  for (const acct of ['nobody', 'alice@far.test', 'rita', 'a@b@c', '%20']) {
    expect((await server.anonymous.get(`/api/v1/accounts/lookup?acct=${acct}`)).status).toBe(404);
  }
  expect((await server.anonymous.get('/api/v1/accounts/lookup')).status).toBe(400);
});

test('several accounts are returned by their ids, at most 40, without unknown ones', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const response = await server.anonymous.get(`/api/v1/accounts?id[]=${alice.id}&id[]=${bob.id}&id[]=12345`);
  expect(response.json.map(({ id }: { id: string }) => id)).toEqual([alice.id, bob.id]);
  expect((await server.anonymous.get('/api/v1/accounts')).json).toEqual([]);
  const many = Array.from({ length: 41 }, (_, index) => `id[]=${index + 1}`).join('&');
  expect((await server.anonymous.get(`/api/v1/accounts?${many}`)).status).toBe(422);
});

test('loading accounts takes one query for any number of them, and none if they are cached', async () => {
  await using server = await startServer();
  const users = [];
  for (const name of ['alice', 'bob', 'carol', 'dave']) users.push(await server.user(name));
  const ids = users.map(({ id }) => id);
  const count = (list: AccountId[]) => server.countQueries(() => loadCachedAccounts(server.app, list));
  // Caches the domain policy, which all accounts share.
  await domainPolicy(server.app);
  const evictAccounts = () =>
    publishEvents(
      server.app,
      ids.map((accountId) => accountChanged({ accountId })),
    );
  evictAccounts();
  expect(await count(ids.slice(0, 1))).toBe(1);
  evictAccounts();
  expect(await count(ids)).toBe(1);
  expect(await count(ids)).toBe(0);
});

test('scopes: a token without read:accounts may not read accounts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const narrow = await server.withScopes(alice, 'write');
  for (const path of [
    `/api/v1/accounts/${alice.id}`,
    '/api/v1/accounts?id[]=1',
    '/api/v1/accounts/lookup?acct=alice',
  ]) {
    expect((await narrow.get(path)).status).toBe(403);
  }
  for (const path of ['/api/v1/accounts/verify_credentials', '/api/v1/preferences']) {
    expect((await narrow.get(path)).status).toBe(403);
  }
  const reader = await server.withScopes(alice, 'read');
  expect((await reader.patch('/api/v1/accounts/update_credentials', { note: 'x' })).status).toBe(403);
});

test('ACC-07: verify_credentials is 401 without a token and 422 with a token of an app', async () => {
  await using server = await startServer();
  expect((await server.anonymous.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  expect((await (await server.appToken()).get('/api/v1/accounts/verify_credentials')).status).toBe(422);
  const alice = await server.user('alice');
  const profile = await server.withScopes(alice, 'profile');
  expect((await profile.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
});

test('ACC-02: verify_credentials has the source text, the preferences and the number of follow requests', async () => {
  await using server = await startServer();
  const alice = await server.user('alice', { role: 'moderator' });
  const bob = await server.user('bob');
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true, note: 'about #me' });
  const before = (await alice.get('/api/v1/accounts/verify_credentials')).json;
  expect(before.source).toMatchObject({
    note: 'about #me',
    fields: [],
    privacy: 'private',
    sensitive: false,
    language: null,
    quote_policy: 'public',
    status_content_type: 'text/plain',
    follow_requests_count: 0,
    attribution_domains: [],
  });
  expect(before.role).toMatchObject({ id: '1', name: 'Moderator', highlighted: true });
  expect(before.roles).toEqual([{ id: '1', name: 'Moderator', color: '' }]);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.source.follow_requests_count).toBe(1);
  expect(await server.countWarmQueries(() => alice.get('/api/v1/accounts/verify_credentials'))).toBe(0);
  await server.drain();
});

test('ACC-03: the source object sets preferences; an empty object or empty values change nothing', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  const set = { privacy: 'unlisted', sensitive: true, language: 'de', quote_policy: 'nobody' };
  expect((await alice.patch(path, { source: set })).json.source).toMatchObject(set);
  for (const source of ['', {}, [], null, { privacy: '', quote_policy: '' }]) {
    const response = await alice.patch(path, { source });
    expect(response.status).toBe(200);
    expect(response.json.source).toMatchObject(set);
  }
  expect((await alice.patch(path, form('source[privacy]=private&source[sensitive]=0'))).json.source).toMatchObject({
    privacy: 'private',
    sensitive: false,
    language: 'de',
  });
  expect((await alice.patch(path, { source: { language: '' } })).json.source.language).toBe(null);
  const wrong = await alice.patch(path, { source: { privacy: 'secret', language: 'klingon-x', quote_policy: 'me' } });
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.json.details).toSorted()).toEqual(['language', 'privacy', 'quote_policy']);
});

test('GET /api/v1/preferences is flat and follows the source object', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.get('/api/v1/preferences')).json).toEqual({
    'posting:default:visibility': 'public',
    'posting:default:sensitive': false,
    'posting:default:local_only': false,
    'posting:default:language': 'en',
    'posting:default:quote_policy': 'public',
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
    'reading:autoplay:gifs': false,
  });
  await alice.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'private', language: 'fr' } });
  expect((await alice.get('/api/v1/preferences')).json).toMatchObject({
    'posting:default:visibility': 'private',
    'posting:default:language': 'fr',
  });
  expect((await server.anonymous.get('/api/v1/preferences')).status).toBe(401);
});

test('ACC-04: update_credentials accepts JSON and urlencoded bodies, and only PATCH', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  const json = await alice.patch(path, {
    display_name: ' Alice ',
    note: 'See https://example.org and @alice #Birds\n\nbye <b>',
    locked: true,
    bot: true,
    discoverable: true,
    hide_collections: true,
    indexable: true,
    attribution_domains: ['example.org'],
    avatar_description: 'me',
  });
  expect(json.status).toBe(200);
  expect(json.json).toMatchObject({
    display_name: 'Alice',
    locked: true,
    bot: true,
    discoverable: true,
    hide_collections: true,
    indexable: true,
    avatar_description: 'me',
  });
  expect(json.json.note).toContain('<a href="https://example.org"');
  expect(json.json.note).toContain('href="https://fieldfare.test/@alice"');
  expect(json.json.note).toContain('href="https://fieldfare.test/tags/birds"');
  expect(json.json.note).toContain('&lt;b&gt;');
  expect(json.json.source.note).toBe('See https://example.org and @alice #Birds\n\nbye <b>');
  expect(json.json.source.attribution_domains).toEqual(['example.org']);
  const encoded = await alice.patch(path, form({ display_name: 'Alice 2', locked: 'false', bot: '0' }));
  expect(encoded.json).toMatchObject({ display_name: 'Alice 2', locked: false, bot: false, discoverable: true });
  expect((await alice.put(path, { note: 'x' })).status).toBe(404);
  expect((await server.anonymous.patch(path, { note: 'x' })).status).toBe(401);
  await server.drain();
});

test('ACC-04: a new avatar or header replaces the old file; an invalid image is 422 with the name of its field', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  const avatar = new File([await createPng()], 'me.png', { type: 'image/png' });
  const first = (await alice.patch(path, await multipart({ avatar, header: avatar, note: 'hi' }))).json;
  expect(first.avatar).not.toContain('missing.png');
  expect(first.header).not.toContain('missing.png');
  expect(first.note).toBe('<p>hi</p>');
  const file = new URL(first.avatar).pathname;
  expect((await server.anonymous.get(file)).status).toBe(200);
  const second = (await alice.patch(path, await multipart({ avatar }))).json;
  expect(second.avatar).not.toBe(first.avatar);
  expect(second.header).toBe(first.header);
  await server.drain();
  expect((await server.anonymous.get(file)).status).toBe(404);
  expect((await server.anonymous.get(new URL(second.avatar).pathname)).status).toBe(200);
  const broken = new File([randomBytes(200)], 'me.png', { type: 'image/png' });
  const refused = await alice.patch(path, await multipart({ avatar: broken, note: 'not stored' }));
  expect(refused.status).toBe(422);
  expect(refused.json.details.avatar).toHaveLength(1);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.source.note).toBe('hi');
});

test('ACC-04: profile fields are accepted as a list, as an object and as form keys', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  const expected = [
    { name: 'Site', value: 'https://example.org', verified_at: null },
    { name: 'Bird', value: 'fieldfare', verified_at: null },
  ];
  const rows = expected.map(({ name, value }) => ({ name, value }));
  const bodies = [
    { fields_attributes: rows },
    { fields_attributes: { 0: rows[0], 1: rows[1], 2: { name: '', value: '' } } },
    form(
      'fields_attributes[0][name]=Site&fields_attributes[0][value]=https://example.org' +
        '&fields_attributes[1][name]=Bird&fields_attributes[1][value]=fieldfare',
    ),
    form(
      'fields_attributes[][name]=Site&fields_attributes[][value]=https://example.org' +
        '&fields_attributes[][name]=Bird&fields_attributes[][value]=fieldfare',
    ),
    await multipart({
      'fields_attributes[0][name]': 'Site',
      'fields_attributes[0][value]': 'https://example.org',
      'fields_attributes[1][name]': 'Bird',
      'fields_attributes[1][value]': 'fieldfare',
    }),
  ];
  for (const body of bodies) {
    await alice.patch(path, { fields_attributes: [] });
    const { status, json } = await alice.patch(path, body);
    expect(status).toBe(200);
    expect(json.source.fields).toEqual(expected);
    expect(json.fields[0].value).toMatch(/^<a href="https:\/\/example.org"[^>]* rel="me nofollow noopener"/);
    expect(json.fields[1].value).toBe('fieldfare');
  }
  expect((await alice.patch(path, { fields_attributes: [{ name: '', value: 'x' }] })).status).toBe(422);
  const five = Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, value: 'v' }));
  const tooMany = await alice.patch(path, { fields_attributes: five });
  expect(tooMany.status).toBe(422);
  expect(tooMany.json.details.fields[0].error).toBe('ERR_TOO_LONG');
});

test('ACC-01: a note of 500 characters is accepted; a longer one is 422 and the message names the field', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const path = '/api/v1/accounts/update_credentials';
  expect((await alice.patch(path, { note: 'ä'.repeat(500) })).status).toBe(200);
  // A link of any length counts as 23 characters.
  expect((await alice.patch(path, { note: `${'a'.repeat(476)} https://example.org/${'b'.repeat(100)}` })).status).toBe(
    200,
  );
  const refused = await alice.patch(path, { note: 'a'.repeat(501), display_name: 'b'.repeat(41) });
  expect(refused.status).toBe(422);
  expect(refused.json.error).toContain('Note');
  expect(refused.json.error).toContain('500');
  expect(refused.json.details).toMatchObject({
    note: [{ error: 'ERR_TOO_LONG' }],
    display_name: [{ error: 'ERR_TOO_LONG' }],
  });
  expect((await alice.patch(path, { display_name: 'b'.repeat(40) })).status).toBe(200);
});

test('identity proofs are an empty, deprecated list', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await alice.get(`/api/v1/accounts/${alice.id}/identity_proofs`);
  expect(response.json).toEqual([]);
  expect(response.headers['deprecation']).toBe('@1648598400');
  expect((await alice.get('/api/v1/accounts/1/identity_proofs')).status).toBe(404);
  expect((await server.anonymous.get(`/api/v1/accounts/${alice.id}/identity_proofs`)).status).toBe(401);
});

test('a remote account is sanitized, found by its handle, and updated in place', async () => {
  await using server = await startServer();
  const { app } = server;
  const id = await storeRemote(
    app,
    remoteAccount('rita', {
      displayName: 'Rita',
      note: '<p onclick="x">hi <script>alert(1)</script></p>',
      fields: [{ name: 'x', value: '<a href="javascript:alert(1)">y</a>' }],
      avatarUrl: 'https://far.test/a.png',
      publicKeys: [{ keyId: 'https://far.test/users/rita#main-key', pem: 'PEM' }],
    }),
  );
  const stats = { followers: 7, statuses: -3, hidesCollections: null };
  await transaction(app, (tx) => storeActorCollectionStats(tx, app, id, stats));
  const { json } = await server.anonymous.get(`/api/v1/accounts/${id}`);
  expect(json).toMatchObject({
    acct: 'rita@far.test',
    url: 'https://far.test/users/rita',
    avatar: expect.stringMatching(/^https:\/\/fieldfare\.test\/media_proxy\/url\/[\w/-]+$/),
    followers_count: 7,
    statuses_count: 0,
    hide_collections: null,
    discoverable: null,
  });
  expect(json).not.toHaveProperty('roles');
  expect(json).not.toHaveProperty('noindex');
  expect(JSON.stringify(json)).not.toMatch(/script>|script:|onclick/);
  expect(
    await storeRemote(app, remoteAccount('rita', { displayName: 'Rita 2', uri: 'https://far.test/users/rita' })),
  ).toBe(id);
  expect((await server.anonymous.get(`/api/v1/accounts/${id}`)).json.display_name).toBe('Rita 2');
  expect((await findAccountByAcct(app, 'Rita@FAR.test'))?.id).toBe(id);
  await server.drain();
});

test('storing a remote account many times concurrently creates one account, whose username may change', async () => {
  await using server = await startServer();
  const ids = await Promise.all(Array.from({ length: 8 }, () => storeRemote(server.app, remoteAccount('rita'))));
  expect(new Set(ids).size).toBe(1);
  const [one, other] = [
    await storeRemote(server.app, remoteAccount('a')),
    await storeRemote(server.app, remoteAccount('b')),
  ];
  // The remote server swaps the usernames of two accounts.
  expect(await storeRemote(server.app, remoteAccount('b', { uri: 'https://far.test/users/a' }))).toBe(one);
  expect(await storeRemote(server.app, remoteAccount('a', { uri: 'https://far.test/users/b' }))).toBe(other);
  // A new actor takes over a username.
  expect(await storeRemote(server.app, remoteAccount('rita', { uri: 'https://far.test/ap/1' }))).toBe(ids[0]);
});

test('an account whose handle another one gets on its server shows its new name at once', async () => {
  await using server = await startServer();
  const earlier = await storeRemote(server.app, remoteAccount('nora'));
  const other = remoteAccount('norah');
  await storeRemote(server.app, other);
  const acct = async (id: AccountId) => (await server.anonymous.get(`/api/v1/accounts/${id}`)).json.acct;
  expect(await acct(earlier)).toBe('nora@far.test');
  const later = await storeRemote(server.app, { ...other, username: 'nora' });
  expect([await acct(later), await acct(earlier)]).toEqual(['nora@far.test', `nora~${earlier}@far.test`]);
});

test('a remote actor cannot take over a local account or key', async () => {
  await using server = await startServer();
  const { app } = server;
  const alice = await server.user('alice');
  const { rsa: key } = await loadSigningKeys(app, alice.id);
  const uri = 'https://fieldfare.test/users/alice';
  await expect(storeRemote(app, remoteAccount('alice', { uri }))).rejects.toThrow('is not a remote account');
  await expect(storeRemote(app, remoteAccount('alice', { domain: 'fieldfare.test' }))).rejects.toThrow(
    'not a remote account',
  );
  await storeRemote(app, remoteAccount('eve', { publicKeys: [{ keyId: key.keyId, pem: 'EVIL' }] }));
  const stored = await app.db.selectFrom('account_keys').selectAll().where('key_id', '=', key.keyId).execute();
  expect(stored.map(({ account_id, public_key_pem }) => [account_id, public_key_pem])).toEqual([
    [alice.id, key.publicKeyPem],
  ]);
});

test('a suspension by the server of an account ends when that server lifts it; one by local staff stays', async () => {
  await using server = await startServer();
  const { app } = server;
  const suspended = async (id: AccountId) => (await requireAccount(app, id)).suspended_at !== null;
  const id = await storeRemote(app, remoteAccount('rita', { suspended: true }));
  expect(await suspended(id)).toBe(true);
  await storeRemote(app, remoteAccount('rita', { suspended: false }));
  expect(await suspended(id)).toBe(false);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(), suspension_origin: 'local' })
    .where('id', '=', id)
    .execute();
  await storeRemote(app, remoteAccount('rita', { suspended: false }));
  await storeRemote(app, remoteAccount('rita'));
  expect(await suspended(id)).toBe(true);
});

test('every local account has an RSA and an Ed25519 key, and the instance actor is created on demand', async () => {
  await using server = await startServer();
  const { app } = server;
  const alice = await server.user('alice');
  const keys = await Promise.all([loadSigningKeys(app, alice.id), loadSigningKeys(app, alice.id)]);
  const [{ rsa, ed25519 }, other] = keys;
  expect([rsa.keyId, ed25519?.keyId]).toEqual([
    'https://fieldfare.test/users/alice#main-key',
    'https://fieldfare.test/users/alice#ed25519-key',
  ]);
  expect([other.rsa.publicKeyPem, other.ed25519?.publicKeyPem]).toEqual([rsa.publicKeyPem, ed25519?.publicKeyPem]);
  expect(rsa.privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(ed25519?.privateKey.asymmetricKeyType).toBe('ed25519');
  const own = await loadSigningKeys(app, instanceActorId);
  expect(own.rsa.keyId).toBe('https://fieldfare.test/actor#main-key');
  expect((await findLocalAccount(app, 'fieldfare.test'))?.id).toBe(instanceActorId);
  expect(actorUrls(app, `${app.config.baseUrl}/actor`).inbox).toBe('https://fieldfare.test/actor/inbox');
  const rita = await storeRemote(app, remoteAccount('rita'));
  await expect(loadSigningKeys(app, rita)).rejects.toThrow('Record not found');
});

test('an account from before Ed25519 gets such a key when its keys are used, unless it is deleted', async () => {
  await using server = await startServer();
  const { app, db } = server;
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const loadAgain = async ({ id }: { readonly id: AccountId }) => {
    keyCache.evict(app, id);
    return loadSigningKeys(app, id);
  };
  const before = [await loadAgain(alice), await loadAgain(bob)];
  await db.deleteFrom('account_keys').where('key_id', 'like', '%#ed25519-key').execute();
  await db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', bob.id).execute();
  const [aliceKeys, bobKeys] = [await loadAgain(alice), await loadAgain(bob)];
  expect([aliceKeys.rsa.publicKeyPem, bobKeys.rsa.publicKeyPem]).toEqual(before.map(({ rsa }) => rsa.publicKeyPem));
  expect(aliceKeys.ed25519?.publicKeyPem).not.toBe(before[0]?.ed25519?.publicKeyPem);
  expect((await loadAgain(alice)).ed25519?.publicKeyPem).toBe(aliceKeys.ed25519?.publicKeyPem);
  expect(bobKeys.ed25519).toBeUndefined();
});

test('the URLs of local accounts follow BASE_URL, also for accounts created under another one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.db
    .updateTable('accounts')
    .set({ url: 'http://localhost:3000/@alice', uri: 'http://localhost:3000/users/alice' })
    .where('id', '=', alice.id)
    .execute();
  clearCaches(server.app);
  const bob = await server.user('bob');
  const { json } = await bob.get(`/api/v1/accounts/${alice.id}`);
  expect([json.url, json.uri]).toEqual(['https://fieldfare.test/@alice', 'https://fieldfare.test/users/alice']);
  const posted = await bob.post('/api/v1/statuses', { status: 'hello @alice' });
  expect(posted.json.content).toContain('href="https://fieldfare.test/@alice"');
});
