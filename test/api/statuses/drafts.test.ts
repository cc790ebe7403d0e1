import sharp from 'sharp';
import { expect, test } from 'vitest';
import { schedules } from '../../../server/app.ts';
import { curlCommandsOf, runCurl } from '../../curl.ts';
import { multipart, startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const drafts = '/api/v1/fieldfare/drafts';
const statuses = '/api/v1/statuses';

async function upload(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json.id as string;
}

async function save(user: TestUser, content: object) {
  const response = await user.post(drafts, content);
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
}

/** Runs the clean-up of files two days later. */
async function cleanUpMedia(server: TestServer): Promise<void> {
  server.clock.advance(2 * 86_400);
  await schedules.find(({ name }) => name === 'media.clean_up_unattached')?.run(server.app);
  await server.drain();
}

const mediaExists = async (server: TestServer, id: string): Promise<boolean> =>
  (
    await server.db
      .selectFrom('media_attachments')
      .select('id')
      .where('id', '=', id as never)
      .execute()
  ).length > 0;

const listIds = async (user: TestUser) => (await walk(user, drafts)).map(({ id }) => id);

test('a draft stores all parameters of a post, complete or not', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const parent = (await alice.post(statuses, { status: 'Above' })).json.id as string;
  const file = await upload(alice);
  const post = {
    text: 'a'.repeat(600),
    content_type: 'text/markdown',
    spoiler_text: 'cw',
    visibility: 'unlisted',
    sensitive: true,
    language: 'de',
    media_ids: [file],
    poll: { options: ['only one'], expires_in: 1, multiple: true },
    quoted_status_id: parent,
    quote_approval_policy: 'nobody',
    allowed_mentions: [alice.id],
  };
  const draft = await save(alice, { posts: [post, {}], in_reply_to_id: parent });
  const now = server.clock.now().toISOString();
  expect(draft).toEqual({
    id: expect.stringMatching(/^\d+$/),
    version: 1,
    posts: [
      { ...post, media_attachments: [expect.objectContaining({ id: file, type: 'image' })] },
      { media_ids: [], media_attachments: [] },
    ],
    in_reply_to_id: parent,
    created_at: now,
    updated_at: now,
  });
  expect((await alice.get(`${drafts}/${draft.id}`)).json).toEqual(draft);
  expect((await alice.get(drafts)).json).toEqual([draft]);
});

test('a repeated request with its Idempotency-Key returns the draft as it is, and changes nothing', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const create = (user: TestUser, key: string, text: string) => user.post(drafts, { posts: [{ text }] }, keyed(key));
  const first = (await create(alice, 'one', 'First')).json;
  expect((await create(alice, 'one', 'Later')).json).toEqual(first);
  const others = [await create(alice, 'two', 'First'), await create(bob, 'one', 'Of Bob')];
  expect(new Set([first.id, ...others.map(({ json }) => json.id)]).size).toBe(3);

  const path = `${drafts}/${first.id}`;
  const update = (key: string, version: number, text: string) =>
    alice.put(path, { posts: [{ text }], version }, keyed(key));
  const second = (await update('three', 1, 'Second')).json;
  expect(second).toMatchObject({ version: 2, posts: [{ text: 'Second' }] });
  expect((await update('three', 1, 'Late')).json).toEqual(second);
  expect((await update('four', 1, 'Of another device')).status).toBe(409);
  expect((await update('four', 2, 'Third')).json).toMatchObject({ version: 3, posts: [{ text: 'Third' }] });
  // Another change was made meanwhile.
  expect((await update('three', 1, 'Late')).status).toBe(409);

  await alice.delete(path);
  expect((await create(alice, 'four', 'Again')).json).toMatchObject({ version: 1, posts: [{ text: 'Again' }] });
});

test('a draft names its text as a new status does, and is sent back as it was read', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const draft = await save(alice, { posts: [{ status: 'one' }, { status: 'two', text: 'ignored' }] });
  expect(draft.posts).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  expect(draft.posts[0]).not.toHaveProperty('status');
  const path = `${drafts}/${draft.id}`;
  expect((await alice.put(path, draft)).json.posts).toEqual(draft.posts);
  const [first, second] = draft.posts;
  const changed = await alice.put(path, { version: 2, posts: [{ ...first, status: '' }, second] });
  expect(changed.json.posts).toMatchObject([{ text: '' }, { text: 'two' }]);
  expect((await alice.post(`${path}/publish`)).json.details).toHaveProperty('posts[0].status');
});

test('an update replaces the draft unless another device changed it meanwhile', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const draft = await save(alice, { posts: [{ text: 'one' }] });
  const path = `${drafts}/${draft.id}`;
  server.clock.advance(1);
  const second = await alice.put(path, { ...draft, posts: [{ ...draft.posts[0], text: 'two' }, { text: 'more' }] });
  expect(second.json).toMatchObject({
    version: 2,
    posts: [{ text: 'two' }, { text: 'more' }],
    created_at: draft.created_at,
    updated_at: server.clock.now().toISOString(),
  });
  const late = await alice.put(path, { posts: [{ text: 'three' }], version: 1 });
  expect([late.status, late.json]).toEqual([
    409,
    { error: 'The draft was changed in the meantime: load it again', version: 2 },
  ]);
  expect((await alice.put(path, { posts: [{ text: 'x' }] })).status).toBe(400);
  expect((await alice.get(path)).json).toEqual(second.json);
  const both = await Promise.all(['a', 'b'].map((text) => alice.put(path, { posts: [{ text }], version: 2 })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await alice.delete(path, { version: 2 })).status).toBe(409);
  expect((await alice.post(`${path}/publish`, { version: 2 })).status).toBe(409);
  expect((await alice.delete(path, { version: 3 })).json).toEqual({});
  expect((await alice.put(path, { posts: [{}], version: 3 })).status).toBe(404);
  expect((await alice.delete(path)).status).toBe(404);
});

test('invalid content of a draft is 422 and names the post and the field', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const foreign = await upload(bob);
  const draft = await save(alice, { posts: [{ text: 'kept' }] });
  const held = await upload(alice);
  await save(alice, { posts: [{ media_ids: [held] }] });
  const own = await upload(alice);
  const failing: [object, string][] = [
    [{ text: 'a'.repeat(1_500), spoiler_text: 'b'.repeat(501) }, 'posts[1].status'],
    [{ language: 'klingon' }, 'posts[1].language'],
    [{ poll: { options: ['1', '2', '3', '4', '5'] } }, 'posts[1].poll'],
    [{ poll: { options: ['a'.repeat(201)] } }, 'posts[1].poll'],
    [{ quoted_status_id: 'x' }, 'posts[1].quoted_status_id'],
    [{ media_ids: ['1', '2', '3', '4', '5'] }, 'posts[1].media_ids'],
    [{ media_ids: Array.from({ length: 5 }, () => own) }, 'posts[1].media_ids'],
    [{ media_ids: [foreign] }, 'posts[1].media_ids'],
    [{ media_ids: [held] }, 'posts[1].media_ids'],
    [{ media_ids: ['no id'] }, 'posts[1].media_ids'],
    [{ allowed_mentions: Array.from({ length: 101 }, (_, index) => String(index)) }, 'posts[1].allowed_mentions'],
  ];
  for (const [post, field] of failing) {
    const posts = [{ text: 'Fine' }, post];
    for (const { status, json } of [
      await alice.post(drafts, { posts }),
      await alice.put(`${drafts}/${draft.id}`, { posts, version: 1 }),
    ]) {
      expect([status, Object.keys(json.details)], JSON.stringify(post)).toEqual([422, [field]]);
      expect(json.error).toContain(field);
    }
  }
  expect((await alice.post(drafts, { posts: [] })).json.details).toHaveProperty('posts');
  expect((await alice.post(drafts, { posts: Array.from({ length: 21 }, () => ({})) })).status).toBe(422);
  expect((await alice.post(drafts, { posts: [{}], in_reply_to_id: 'x' })).json.details).toHaveProperty(
    'in_reply_to_id',
  );
  expect((await alice.post(drafts, {})).status).toBe(400);
  expect((await alice.get(`${drafts}/${draft.id}`)).json).toEqual(draft);
  expect(await listIds(alice)).toHaveLength(2);
});

test('the files of a draft are not cleaned up, and can be described and deleted meanwhile', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [kept, removed, loose] = [await upload(alice), await upload(alice), await upload(alice)];
  const draft = await save(alice, { posts: [{ media_ids: [kept] }, { media_ids: [removed] }] });
  await cleanUpMedia(server);
  expect([await mediaExists(server, kept), await mediaExists(server, loose)]).toEqual([true, false]);
  expect((await alice.put(`/api/v1/media/${kept}`, { description: 'A bird' })).status).toBe(200);
  expect((await alice.delete(`/api/v1/media/${removed}`)).status).toBe(200);
  const shown = (await alice.get(`${drafts}/${draft.id}`)).json;
  expect(shown.posts).toMatchObject([
    { media_ids: [kept], media_attachments: [{ description: 'A bird' }] },
    { media_ids: [], media_attachments: [] },
  ]);
  const emptied = await alice.put(`${drafts}/${draft.id}`, { ...shown, posts: [{ text: 'no file' }] });
  expect(emptied.status).toBe(200);
  await alice.put(`${drafts}/${draft.id}`, { posts: [{ media_ids: [kept] }], version: 2 });
  await cleanUpMedia(server);
  expect(await mediaExists(server, kept)).toBe(true);
  await alice.delete(`${drafts}/${draft.id}`);
  expect(await mediaExists(server, kept)).toBe(true);
  await cleanUpMedia(server);
  expect(await mediaExists(server, kept)).toBe(false);
});

test('a file of a draft can be posted or scheduled elsewhere, and the draft loses it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [posted, scheduled] = [await upload(alice), await upload(alice)];
  const draft = await save(alice, { posts: [{ text: 'x', media_ids: [posted, scheduled] }] });
  expect((await alice.post(statuses, { status: 'now', media_ids: [posted] })).status).toBe(200);
  const at = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
  expect((await alice.post(statuses, { status: 'later', media_ids: [scheduled], scheduled_at: at })).status).toBe(200);
  expect((await alice.get(`${drafts}/${draft.id}`)).json.posts[0].media_ids).toEqual([]);
  const refused = await alice.post(`${drafts}/${draft.id}/publish`);
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['posts[0].media_ids']]);
  await alice.delete(`${drafts}/${draft.id}`);
  await cleanUpMedia(server);
  expect([await mediaExists(server, posted), await mediaExists(server, scheduled)]).toEqual([true, true]);
});

test('publishing a draft posts all of it once, and deletes it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const parent = (await bob.post(statuses, { status: 'Question' })).json.id as string;
  const file = await upload(alice);
  const draft = await save(alice, {
    posts: [
      { text: '@bob one', visibility: 'unlisted' },
      { text: 'two', media_ids: [file] },
    ],
    in_reply_to_id: parent,
  });
  const path = `${drafts}/${draft.id}/publish`;
  const key = { headers: { 'idempotency-key': 'k' } };
  const published = await alice.post(path, { version: 1 }, key);
  expect(published.json).toMatchObject([
    { in_reply_to_id: parent, visibility: 'unlisted', application: { name: 'Test app' } },
    { in_reply_to_id: published.json[0].id, media_attachments: [{ id: file }] },
  ]);
  const idsOf = ({ json }: { json: { id: string }[] }) => json.map(({ id }) => id);
  expect(idsOf(await alice.post(path, { version: 1 }, key))).toEqual(idsOf(published));
  expect((await alice.post(path)).status).toBe(404);
  expect((await alice.get(`${drafts}/${draft.id}`)).status).toBe(404);
  expect(await listIds(alice)).toEqual([]);
  await cleanUpMedia(server);
  expect(await mediaExists(server, file)).toBe(true);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(2);
  const other = await save(alice, { posts: [{ text: 'race' }] });
  const both = await Promise.all([1, 2].map(() => alice.post(`${drafts}/${other.id}/publish`)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('a draft that cannot be published stays as it is', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const parent = (await bob.post(statuses, { status: 'Question' })).json.id as string;
  const draft = await save(alice, { posts: [{ text: 'one' }, {}], in_reply_to_id: parent });
  const path = `${drafts}/${draft.id}/publish`;
  expect((await alice.post(path)).json.details).toEqual({
    'posts[1].status': [{ error: 'ERR_INVALID', description: "Text can't be blank" }],
  });
  await bob.delete(`${statuses}/${parent}`);
  expect(Object.keys((await alice.post(path)).json.details)).toEqual(['in_reply_to_id', 'posts[1].status']);
  expect((await alice.post(path, { scheduled_at: '2999-01-01T00:00:00Z' })).json.details).toHaveProperty(
    'scheduled_at',
  );
  expect((await alice.get(`${drafts}/${draft.id}`)).json).toEqual(draft);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(0);
});

test('drafts are private to their author and need the scopes of statuses', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await save(alice, { posts: [{ text: 'secret' }] });
  const path = `${drafts}/${id}`;
  const content = { posts: [{ text: 'x' }], version: 1 };
  const [reader, writer] = [
    await server.withScopes(alice, 'read:statuses'),
    await server.withScopes(alice, 'write:statuses'),
  ];
  for (const [method, url, body] of [
    ['GET', drafts, undefined],
    ['GET', path, undefined],
    ['POST', drafts, content],
    ['PUT', path, content],
    ['POST', `${path}/publish`, undefined],
    ['DELETE', path, undefined],
  ] as const) {
    const name = `${method} ${url}`;
    expect((await server.anonymous.call(method, url, body)).status, name).toBe(401);
    expect((await (method === 'GET' ? writer : reader).call(method, url, body)).status, name).toBe(403);
    if (url !== drafts) expect((await bob.call(method, url, body)).status, name).toBe(404);
  }
  expect((await bob.get(drafts)).json).toEqual([]);
  expect((await reader.get(path)).json.version).toBe(1);
  expect((await writer.put(path, content)).json.version).toBe(2);
});

test('an account has at most 100 drafts, with 200 files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const now = server.clock.now();
  const values = Array.from({ length: 99 }, (_, index) => ({
    id: String(index + 1) as never,
    account_id: alice.id,
    version: 1,
    posts: '[]',
    in_reply_to_id: null,
    created_at: now,
    updated_at: now,
  }));
  await server.db.insertInto('drafts').values(values).execute();
  const both = await Promise.all([1, 2].map(() => alice.post(drafts, { posts: [{}] })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const files = Array.from({ length: 200 }, (_, index) => ({
    id: String(index + 1) as never,
    account_id: alice.id,
    type: 'image' as const,
    draft_id: '1',
    created_at: now,
  }));
  await server.db.insertInto('media_attachments').values(files).execute();
  await alice.delete(`${drafts}/2`);
  const file = await upload(alice);
  expect((await alice.post(drafts, { posts: [{ media_ids: [file] }] })).json.error).toContain('200 files');
  await alice.delete(`${drafts}/1`);
  expect((await alice.post(drafts, { posts: [{ media_ids: [file] }] })).status).toBe(200);
});

test('the commands of docs/drafts.md work', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [thread = '', store = '', ...rest] = curlCommandsOf('docs/drafts.md');
  const variables = { TOKEN: alice.token ?? '' };
  expect((await runCurl(server.anonymous, thread, variables)).json).toMatchObject([
    { content: '<p>One</p>', visibility: 'unlisted' },
    { content: '<p>Two</p>', visibility: 'unlisted' },
  ]);
  const { json: draft } = await runCurl(server.anonymous, store, variables);
  const { json: other } = await runCurl(server.anonymous, store, variables);
  const results = [];
  for (const command of rest) {
    results.push(await runCurl(server.anonymous, command, { ...variables, ID: draft.id, OTHER_ID: other.id }));
  }
  expect(results.map(({ status, json }) => [status, json])).toMatchObject([
    [200, [{ id: other.id }, { id: draft.id }]],
    [200, { version: 1, posts: [{ text: 'To be conti', poll: { options: ['a'] } }] }],
    [200, { version: 2 }],
    [200, [{ content: '<p>To be continued</p>' }, { content: '<p>Continued</p>' }]],
    [200, {}],
  ]);
});
