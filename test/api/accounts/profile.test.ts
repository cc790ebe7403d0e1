import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { OutgoingError, type Outgoing } from '../../../server/platform/outgoing/outgoing.ts';
import { form, multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v1/profile';

/** Serves web pages by URL, and records the requested URLs. */
function createWebPages(pages: Record<string, string | { status?: number; type?: string; body: string }>): {
  outgoing: Outgoing;
  requested: string[];
} {
  const requested: string[] = [];
  const outgoing: Outgoing = {
    async request(url) {
      requested.push(url);
      const page = pages[url];
      if (page === undefined) throw new OutgoingError('unreachable', `no host answers at ${url}`);
      const {
        status = 200,
        type = 'text/html; charset=utf-8',
        body,
      } = typeof page === 'string' ? { body: page } : page;
      return { status, headers: { 'content-type': type }, body: Buffer.from(body), url };
    },
    close: async () => {},
  };
  return { outgoing, requested };
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const pngFile = () => new File([png], 'a.png', { type: 'image/png' });
const setFields = (user: TestUser, ...values: string[]) =>
  user.patch(path, { fields_attributes: values.map((value, n) => ({ name: `Field ${n}`, value })) });
const listVerifiedFields = async (server: TestServer, { id }: { id: string }) =>
  (await server.anonymous.get(`/api/v1/accounts/${id}`)).json.fields.map(
    ({ verified_at }: { verified_at: string | null }) => verified_at !== null,
  );

test('ACC-03: a profile has its source text and HTML; missing images are null', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.post('/api/v1/featured_tags', { name: 'Vogel' });
  const changed = await alice.patch(path, {
    display_name: 'Alice',
    note: 'I like <b> and https://birds.example',
    fields_attributes: [{ name: 'Home', value: 'https://alice.example' }],
    locked: true,
    bot: true,
    discoverable: true,
    indexable: true,
    hide_collections: true,
    show_media: false,
    show_media_replies: false,
    show_featured: false,
    attribution_domains: ['alice.example'],
    avatar_description: 'A bird',
    header_description: 'A sky',
  });
  expect(changed.status).toBe(200);
  expect(changed.json).toEqual({
    id: alice.id,
    display_name: 'Alice',
    note: 'I like <b> and https://birds.example',
    fields: [{ name: 'Home', value: 'https://alice.example', verified_at: null }],
    avatar: null,
    avatar_static: null,
    avatar_description: 'A bird',
    header: null,
    header_static: null,
    header_description: 'A sky',
    locked: true,
    bot: true,
    hide_collections: true,
    discoverable: true,
    indexable: true,
    show_media: false,
    show_media_replies: false,
    show_featured: false,
    attribution_domains: ['alice.example'],
    formatted_note: expect.stringContaining('&lt;b&gt; and <a href="https://birds.example'),
    formatted_fields: [{ name: 'Home', value: expect.stringContaining('rel="me '), verified_at: null }],
    featured_tags: [expect.objectContaining({ name: 'Vogel', statuses_count: '0' })],
  });
  expect((await alice.get(path)).json).toEqual(changed.json);
  const { json: account } = await server.anonymous.get(`/api/v1/accounts/${alice.id}`);
  expect(account).toMatchObject({ show_media: false, show_media_replies: false, show_featured: false, locked: true });
});

test('ACC-04: PATCH and PUT change only the given fields, in every encoding', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.patch(path, { display_name: 'Alice', note: 'Birds' });
  expect((await alice.put(path, form({ show_media: '0' }))).json).toMatchObject({
    display_name: 'Alice',
    note: 'Birds',
    show_media: false,
    show_media_replies: true,
  });
  const sent = await multipart({
    show_media: 'true',
    'fields_attributes[0][name]': 'A',
    'fields_attributes[0][value]': 'b',
  });
  expect((await alice.patch(path, sent)).json).toMatchObject({
    show_media: true,
    fields: [{ name: 'A', value: 'b', verified_at: null }],
  });
  expect((await alice.patch(path, {})).json).toMatchObject({ display_name: 'Alice', note: 'Birds' });
});

test('ACC-01: all invalid fields of a profile are listed in one 422, and nothing is changed', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { status, json } = await alice.patch(path, {
    display_name: 'a'.repeat(41),
    note: 'a'.repeat(501),
    avatar_description: 'a'.repeat(151),
    show_media: false,
  });
  expect(status).toBe(422);
  expect(Object.keys(json.details).toSorted()).toEqual(['avatar_description', 'display_name', 'note']);
  expect((await alice.get(path)).json.show_media).toBe(true);
});

test('ACC-04: avatar and header are uploaded and deleted with their descriptions', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const sent = await multipart({
    avatar: pngFile(),
    header: pngFile(),
    avatar_description: 'A bird',
    header_description: 'Sky',
  });
  const { json } = await alice.patch(path, sent);
  expect(json.avatar).toMatch(/^https:\/\/fieldfare\.test\//);
  expect(json.avatar_static).toMatch(/^https/);
  expect(json.header).toMatch(/^https/);
  for (const kind of ['avatar', 'header'] as const) {
    for (let round = 0; round < 2; round += 1) {
      const deleted = await alice.delete(`/api/v1/profile/${kind}`);
      expect(deleted.status).toBe(200);
      expect(deleted.json[kind]).toMatch(/missing\.png$/);
      expect(deleted.json.source).toBeDefined();
    }
    expect((await alice.get(path)).json).toMatchObject({ [kind]: null, [`${kind}_description`]: '' });
  }
  await server.drain();
  for (const address of [json.avatar, json.header]) {
    expect((await server.anonymous.get(new URL(address).pathname)).status).toBe(404);
  }
});

test('ACC-07: reading and changing the profile need a user and the matching scopes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const reader = await server.withScopes(alice, 'read:accounts');
  const writer = await server.withScopes(alice, 'write:accounts');
  const profile = await server.withScopes(alice, 'profile');
  expect((await server.anonymous.get(path)).status).toBe(401);
  expect((await server.anonymous.patch(path, {})).status).toBe(401);
  expect((await (await server.appToken()).get(path)).status).toBe(422);
  expect((await profile.get(path)).status).toBe(200);
  expect((await reader.get(path)).status).toBe(200);
  expect((await writer.get(path)).status).toBe(403);
  expect((await reader.patch(path, {})).status).toBe(403);
  expect((await writer.patch(path, {})).status).toBe(200);
  for (const image of ['/api/v1/profile/avatar', '/api/v1/profile/header']) {
    expect((await server.anonymous.delete(image)).status).toBe(401);
    expect((await reader.delete(image)).status).toBe(403);
    expect((await writer.delete(image)).status).toBe(200);
  }
});

test('a job verifies fields whose page links back, and an unchanged field stays verified', async () => {
  const { outgoing, requested } = createWebPages({
    'https://alice.example/': '<a rel="me" href="https://fieldfare.test/@alice">me</a>',
    'https://other.example/': '<a href="https://fieldfare.test/@alice">not me</a>',
    'https://json.example/': { type: 'application/json', body: '<a rel="me" href="https://fieldfare.test/@alice">' },
    'https://gone.example/': { status: 404, body: '<a rel="me" href="https://fieldfare.test/@alice">' },
  });
  await using server = await startServer({ outgoing });
  const alice = await server.user('alice');
  await setFields(
    alice,
    'https://alice.example/',
    'https://other.example/',
    'https://json.example/',
    'https://gone.example/',
  );
  expect(requested).toEqual([]);
  await server.drain();
  expect(requested).toHaveLength(4);
  expect(await listVerifiedFields(server, alice)).toEqual([true, false, false, false]);
  const { json } = await alice.get('/api/v1/accounts/verify_credentials');
  expect(json.source.fields[0].verified_at).toBe(server.clock.now().toISOString());
  requested.length = 0;
  await alice.patch(path, { display_name: 'Alice' });
  await server.drain();
  expect(requested).toEqual([]);
  await setFields(alice, 'https://alice.example/', 'text');
  await server.drain();
  expect(requested).toEqual([]);
  expect(await listVerifiedFields(server, alice)).toEqual([true, false]);
  await setFields(alice, 'https://alice.example/?', 'https://dead.example/');
  await server.drain();
  expect(await listVerifiedFields(server, alice)).toEqual([false, false]);
});

test('fields of a remote profile are verified after a delay, each link once', async () => {
  const { outgoing, requested } = createWebPages({
    'https://bob.example/': '<link rel="me" href="https://far.test/@bob">',
  });
  await using server = await startServer({ outgoing });
  const store = (value: string) =>
    transaction(server.app, (tx) =>
      storeRemoteAccount(tx, server.app, {
        uri: 'https://far.test/users/bob',
        url: 'https://far.test/@bob',
        username: 'bob',
        domain: 'far.test',
        inboxUrl: 'https://far.test/users/bob/inbox',
        fields: [{ name: 'Site', value }],
      }),
    );
  const id = await store('<a href="https://bob.example/" rel="me">https://bob.example/</a>');
  server.clock.advance(301);
  await server.drain();
  expect(requested).toEqual(['https://bob.example/']);
  expect(await listVerifiedFields(server, { id })).toEqual([true]);
  await store('<a href="https://bob.example/" rel="me">https://bob.example/</a>');
  server.clock.advance(301);
  await server.drain();
  expect(requested).toHaveLength(1);
  expect(await listVerifiedFields(server, { id })).toEqual([true]);
  await store('<a href="https://evil.example/">https://bob.example/</a>');
  server.clock.advance(301);
  await server.drain();
  expect(requested).toHaveLength(1);
  expect(await listVerifiedFields(server, { id })).toEqual([false]);
});
