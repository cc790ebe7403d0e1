import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { storeRemoteCollection } from '../../../server/collections/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { storeRemoteStatus, updateRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { maxHtmlBytes } from '../../../server/text/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const textUnits = [
  'a',
  '\u0301',
  '\u00ad',
  '\u200d',
  '👨‍👩‍👧‍👦',
  'क्षि',
  '🐦',
  ' ',
  '\n',
  '\r\n',
  '\u0000',
  '\ud800',
  '&',
  '<b>',
  '"',
  '@a ',
  '@a@b.test ',
  '#tag ',
  ':bird: ',
  'https://a.test/ ',
  'read ',
  'en',
];

/** Text of any kind, up to 600,000 characters, often close to a limit. */
const hostileText = fc
  .array(
    fc.tuple(
      fc.constantFrom(...textUnits),
      fc.oneof(fc.constantFrom(1, 40, 50, 160, 200, 256, 500, 501, 1_999, 2_000, 40_000), fc.nat({ max: 100_000 })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.map(([unit, count]) => unit.repeat(count).slice(0, 200_000)).join(''));

type Send = (user: TestUser, text: string, statusId: string) => Promise<{ status: number; text: string }>;

/** Every parameter of the client API that is stored as text. */
const parameters: Record<string, Send> = {
  status: (user, text) => user.post('/api/v1/statuses', { status: text }),
  markdown: (user, text) => user.post('/api/v1/statuses', { status: text, content_type: 'text/markdown' }),
  spoiler: (user, text) => user.post('/api/v1/statuses', { status: 'a', spoiler_text: text, language: text }),
  poll: (user, text) => user.post('/api/v1/statuses', { status: 'a', poll: { options: [text, 'b'], expires_in: 600 } }),
  scheduled: (user, text) =>
    user.post('/api/v1/statuses', { status: text, spoiler_text: 'a', language: text, scheduled_at: '2999-01-01' }),
  'scheduled poll': (user, text) =>
    user.post('/api/v1/statuses', {
      status: 'a',
      language: text,
      poll: { options: [text, 'b'], expires_in: 600 },
      scheduled_at: '2999-01-01',
    }),
  edit: (user, text, id) => user.put(`/api/v1/statuses/${id}`, { status: text }),
  'edited spoiler': (user, text, id) => user.put(`/api/v1/statuses/${id}`, { status: 'a', spoiler_text: text }),
  'display name': (user, text) => user.patch('/api/v1/accounts/update_credentials', { display_name: text }),
  note: (user, text) => user.patch('/api/v1/accounts/update_credentials', { note: text }),
  field: (user, text) =>
    user.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: text, value: text }] }),
  'image description': (user, text) =>
    user.patch('/api/v1/profile', { avatar_description: text, header_description: text }),
  domains: (user, text) =>
    user.patch('/api/v1/accounts/update_credentials', { attribution_domains: [`${text}.test`, `a.${text}`] }),
  settings: (user, text) =>
    user.patch('/api/v1/accounts/update_credentials', { source: { language: text, privacy: text } }),
  'private note': (user, text) => user.post(`/api/v1/accounts/${user.id}/note`, { comment: text }),
  list: (user, text) => user.post('/api/v1/lists', { title: text }),
  collection: (user, text) =>
    user.post('/api/v1/collections', { name: text, description: text, language: text, tag_name: text }),
  'collection text': (user, text) => user.post('/api/v1/collections', { name: 'a', description: text }),
  'featured tag': (user, text) => user.post('/api/v1/featured_tags', { name: text }),
  'followed tag': (user, text) =>
    user.post(`/api/v1/tags/${encodeURIComponent(text.slice(0, 300).toWellFormed())}/follow`),
  app: (user, text) =>
    user.post('/api/v1/apps', { client_name: text, redirect_uris: `https://a.test/${text}`, scopes: text }),
  'app scopes': (user, text) =>
    user.post('/api/v1/apps', { client_name: 'a', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: text }),
  website: (user, text) =>
    user.post('/api/v1/apps', {
      client_name: 'a',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      website: `https://a.test/${text}`,
    }),
  'blocked domain': (user, text) => user.post('/api/v1/domain_blocks', { domain: `${text}.test` }),
  marker: (user, text) => user.post('/api/v1/markers', { home: { last_read_id: text } }),
  key: (user, text) =>
    user.post(
      '/api/v1/statuses',
      { status: 'a' },
      { headers: { 'idempotency-key': encodeURI(text.slice(0, 999).toWellFormed()) } },
    ),
};

/** Maximum bytes of a character of a local text: an emoji of 16 code points. */
const characterBytes = 64;

/** Maximum bytes of a column, by `table.column`. All others have the limit of HTML. */
const bounds: Record<string, number> = {
  'lists.title': characterBytes * 256,
  'oauth_applications.name': 4 * 60,
  'oauth_applications.website': 4 * 2_000,
  'collections.name': 4 * 256,
  'status_edits.spoiler_text': 4 * 5_000,
  'statuses.spoiler_text': 4 * 5_000,
  'tags.name': 4 * 255,
  'accounts.display_name': 4 * 2_048,
  'accounts.username': 4 * 2_048,
  'custom_emojis.shortcode': 4 * 2_048,
  // Up to 500 options of 500 code points, and 50 fields of 8 KB.
  'polls.options': 4 * 500 * 501,
  'status_edits.poll_options': 4 * 500 * 501,
  'accounts.fields': 50 * 20_000,
};

/** Tables that hold unprocessed input, or no input of users. */
const unboundedTables = new Set([
  'jobs',
  'received_activities',
  'deliveries',
  'activities',
  'migrations',
  'site_settings',
]);

async function expectBounded(server: TestServer): Promise<void> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select columns.table_name, column_name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (data_type in ('text', 'jsonb', 'json', 'character varying') or data_type = 'ARRAY')`.execute(server.app.db);
  expect(columns.length).toBeGreaterThan(50);
  for (const { table_name: table, column_name: column } of columns) {
    if (unboundedTables.has(table)) continue;
    const { rows } = await sql<{ max_bytes: number | null }>`
      select max(octet_length(${sql.ref(column)}::text)) as max_bytes from ${sql.table(table)}`.execute(server.app.db);
    const name = `${table}.${column}`;
    expect(rows[0]?.max_bytes ?? 0, name).toBeLessThanOrEqual(bounds[name] ?? maxHtmlBytes);
  }
  const local = await server.app.db
    .selectFrom('accounts')
    .select(['display_name', 'note', 'avatar_description'])
    .where('domain', 'is', null)
    .execute();
  for (const { display_name, note, avatar_description } of local) {
    expect(Buffer.byteLength(display_name)).toBeLessThanOrEqual(characterBytes * 40);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(characterBytes * 500);
    expect(Buffer.byteLength(avatar_description)).toBeLessThanOrEqual(characterBytes * 150);
  }
}

/** Loads the pages and timelines that show the stored texts. */
async function expectLoadable(server: TestServer, user: TestUser): Promise<void> {
  for (const path of ['/', `/@${user.username}`]) {
    const page = await server.http.inject({ url: path, headers: { accept: 'text/html' } });
    expect(page.statusCode, path).toBeLessThan(400);
    expect(page.rawPayload.length, path).toBeLessThan(60 * maxHtmlBytes);
  }
  for (const path of ['/api/v1/timelines/home', '/api/v1/timelines/public', `/api/v1/accounts/${user.id}`]) {
    expect((await user.get(path)).status, path).toBe(200);
  }
}

test('texts of clients are stored within their limits, or refused with a 4xx status', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await alice.post('/api/v1/statuses', { status: 'first' })).json;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(parameters)), hostileText, async (name, text) => {
      const response = await parameters[name]?.(alice, text, id);
      expect([200, 400, 404, 413, 414, 422], `${name} ${response?.status} ${response?.text.slice(0, 500)}`).toContain(
        response?.status,
      );
    }),
    { numRuns: 250 },
  );
  const manyMarks = `a${'\u0301'.repeat(200_000)}`;
  for (const [name, send] of Object.entries(parameters)) await send(alice, manyMarks, id).catch(() => name);
  await server.drain();
  await expectBounded(server);
  await expectLoadable(server, alice);
});

test('a text that is too long is a 422 that names its field', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const marks = `a${'\u0301'.repeat(2_000)}`;
  const { status, json } = await alice.post('/api/v1/statuses', { status: marks });
  expect([status, json.error]).toEqual([422, 'Validation failed: Text character limit of 500 exceeded']);
  expect(json.details).toMatchObject({ text: [{ error: 'ERR_TOO_LONG' }] });
  const note = await alice.patch('/api/v1/accounts/update_credentials', { note: marks });
  expect([note.status, note.json.details.note[0].error]).toEqual([422, 'ERR_TOO_LONG']);
  const options = [`a${'\u0301'.repeat(200)}`, 'b'];
  const poll = await alice.post('/api/v1/statuses', { status: 'a', poll: { options, expires_in: 600 } });
  expect([poll.status, poll.json.error]).toEqual([
    422,
    "Validation failed: Options can't be longer than 50 characters each",
  ]);
  const huge = await alice.post('/api/v1/lists', { title: '\u0301'.repeat(40_001) });
  expect([huge.status, huge.json]).toEqual([
    422,
    {
      error: 'Validation failed: Title is too long',
      details: { title: [{ error: 'ERR_TOO_LONG', description: 'is too long' }] },
    },
  ]);
  // 500 characters of several code points each count as 500.
  expect((await alice.post('/api/v1/statuses', { status: 'e\u0301'.repeat(500) })).status).toBe(200);
});

test('texts of remote servers are stored within their limits', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const uri = 'https://far.test/users/zoe';
  const zoe = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'zoe', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  let count = 0;
  const store = async (text: string, fieldCount = 3): Promise<void> => {
    count += 1;
    await transaction(server.app, (tx) =>
      storeRemoteAccount(tx, server.app, {
        uri,
        username: 'zoe',
        domain: 'far.test',
        inboxUrl: `${uri}/inbox`,
        displayName: text,
        note: text,
        fields: Array.from({ length: fieldCount }, () => ({ name: text, value: text })),
        avatarDescription: text,
        headerDescription: text,
        alsoKnownAs: [text.toWellFormed().replaceAll('\0', '')],
        attributionDomains: [text, `${text}.test`],
      }),
    );
    const post = {
      uri: `https://far.test/notes/${count}`,
      accountId: zoe,
      content: text,
      spoilerText: text,
      language: text,
      visibility: 'public' as const,
      tags: [text, `a${text}`, 'birds'],
      attachments: [{ url: 'https://far.test/a.png', description: text, contentType: text, blurhash: text }],
      poll: { options: [{ title: text, votes: 1 }], multiple: false, expiresAt: undefined, votersCount: 1 },
      publishedAt: server.clock.now(),
    };
    expect(await storeRemoteStatus(server.app, post)).toBeDefined();
    const updatedAt = new Date(server.clock.now().getTime() + 1);
    server.clock.advance(1);
    await updateRemoteStatus(server.app, { ...post, content: `${text}!`, updatedAt });
    await storeRemoteCollection(server.app, {
      uri: `https://far.test/collections/${count}`,
      accountId: zoe,
      url: undefined,
      name: text,
      description: text,
      language: text,
      sensitive: false,
      discoverable: true,
      tagName: text,
      publishedAt: undefined,
      updatedAt: undefined,
      items: [],
      named: [],
    });
  };
  await store('\u0301'.repeat(450_000), 60);
  const { content } = await server.app.db.selectFrom('statuses').select('content').executeTakeFirstOrThrow();
  expect(content).toBe(`${'\u0301'.repeat(32)}!`);
  await store(`<p>${'<b>word</b> '.repeat(75_000)}</p>`, 60);
  await fc.assert(
    fc.asyncProperty(hostileText, (text) => store(text)),
    { numRuns: 40 },
  );
  await server.drain();
  await expectBounded(server);
  await expectLoadable(server, alice);
});

test('posts and profiles that were stored before the limits are shown truncated', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await alice.post('/api/v1/statuses', { status: 'first' })).json as { id: StatusId };
  await alice.put(`/api/v1/statuses/${id}`, { status: 'second' });
  const marks = `a${'\u0301'.repeat(450_000)}`;
  await sql`update statuses set text = ${marks}, content = ${`<p>${marks}</p>`}, spoiler_text = ${marks}`.execute(
    server.db,
  );
  await sql`update status_edits set content = ${`<p>${marks}</p>`}, spoiler_text = ${marks}`.execute(server.db);
  await sql`update accounts set note = ${marks}, display_name = ${marks} where domain is null`.execute(server.db);
  clearCaches(server.app);
  const { json: status } = await alice.get(`/api/v1/statuses/${id}`);
  expect(Buffer.byteLength(status.content)).toBeLessThanOrEqual(maxHtmlBytes);
  expect(status.content).toBe(`<p>a${'\u0301'.repeat(32)}</p>`);
  expect(Buffer.byteLength(status.spoiler_text)).toBeLessThanOrEqual(4 * 5_000);
  const { json: history } = await alice.get(`/api/v1/statuses/${id}/history`);
  for (const version of history) expect(Buffer.byteLength(version.content)).toBeLessThanOrEqual(maxHtmlBytes);
  const { json: account } = await alice.get(`/api/v1/accounts/${alice.id}`);
  expect(Buffer.byteLength(account.note)).toBeLessThanOrEqual(maxHtmlBytes);
  expect(Buffer.byteLength(account.display_name)).toBeLessThanOrEqual(4 * 2_048);
  await expectLoadable(server, alice);
});
