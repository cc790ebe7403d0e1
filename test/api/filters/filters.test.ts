import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { filtersChanged } from '../../../server/filters/index.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const filters = '/api/v2/filters';
const statuses = '/api/v1/statuses';

const errorOf = ({ status, json }: { status: number; json: { error?: string } }) => [status, json.error];

async function createFilter(user: TestUser, fields: object = {}) {
  const answer = await user.post(filters, { title: 'Cats', context: ['home'], ...fields });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
}

const keywords = (...texts: string[]) => ({ keywords_attributes: texts.map((keyword) => ({ keyword })) });

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const answer = await user.post(statuses, { status, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.id;
}

/** Counts the events that say that filters changed. */
function countChanges(server: TestServer): () => number {
  let count = 0;
  server.app.bus.subscribe('cache:events', (events) => {
    count += (events as [string, unknown][]).filter(([name]) => name === filtersChanged.event).length;
  });
  return () => count;
}

test('FL2-01: a filter is created, shown, updated in part and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const created = await alice.post(filters, {
    title: ' Cats ',
    context: ['home', 'public', 'home'],
    filter_action: 'hide',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'purr', whole_word: false }, { keyword: '' }],
  });
  expect([created.status, created.json]).toEqual([
    200,
    {
      id: expect.any(String),
      title: 'Cats',
      context: ['home', 'public'],
      filter_action: 'hide',
      expires_at: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
      keywords: [
        { id: expect.any(String), keyword: 'cat', whole_word: true },
        { id: expect.any(String), keyword: 'purr', whole_word: false },
      ],
      statuses: [],
    },
  ]);
  const path = `${filters}/${created.json.id}`;
  expect((await alice.get(path)).json).toEqual(created.json);
  const other = await createFilter(alice, { title: 'Dogs', context: ['account'] });
  expect(other).toMatchObject({ filter_action: 'warn', expires_at: null, keywords: [], statuses: [] });
  expect((await alice.get(filters)).json).toEqual([created.json, other]);
  const renamed = await alice.put(path, { title: 'Felines' });
  expect(renamed.json).toEqual({ ...created.json, title: 'Felines' });
  const changed = await alice.put(path, { context: ['thread'], filter_action: 'blur', expires_in: '' });
  expect(changed.json).toMatchObject({ context: ['thread'], filter_action: 'blur', expires_at: null });
  const deleted = await alice.delete(path);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await alice.get(filters)).json).toEqual([other]);
  for (const answer of [await alice.get(path), await alice.put(path, { title: 'x' }), await alice.delete(path)])
    expect(answer.status).toBe(404);
});

test('FL2-01: keywords are added, changed and deleted in one request, as JSON and as a form', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const filter = await createFilter(alice, keywords('one', 'two', 'three'));
  const [one, two, three] = filter.keywords;
  const path = `${filters}/${filter.id}`;
  const changed = await alice.put(path, {
    keywords_attributes: [
      { id: one.id, keyword: 'ONE' },
      { id: two.id, _destroy: true },
      { id: three.id, whole_word: false },
      { keyword: 'four' },
      { keyword: 'never', _destroy: true },
    ],
  });
  expect(changed.json.keywords).toEqual([
    { ...one, keyword: 'ONE' },
    { ...three, whole_word: false },
    { id: expect.any(String), keyword: 'four', whole_word: true },
  ]);
  const fields = `keywords_attributes[][id]=${one.id}&keywords_attributes[][_destroy]=1&keywords_attributes[][id]=${three.id}&keywords_attributes[][keyword]=3`;
  expect((await alice.put(path, form(fields))).json.keywords).toMatchObject([{ keyword: '3' }, { keyword: 'four' }]);
  const indexed = await alice.put(
    path,
    form({ 'keywords_attributes[0][keyword]': 'six', 'keywords_attributes[1][keyword]': 'seven' }),
  );
  const texts = indexed.json.keywords.map(({ keyword }: { keyword: string }) => keyword);
  expect(texts).toEqual(['3', 'four', 'six', 'seven']);
});

test('FL2-01: what is invalid is refused with its reason, and changes nothing', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const create = async (fields: object) =>
    errorOf(await alice.post(filters, { title: 'x', context: ['home'], ...fields }));
  expect(await create({ title: undefined })).toEqual([422, "Validation failed: Title can't be blank"]);
  expect(await create({ title: ' ' })).toEqual([422, "Validation failed: Title can't be blank"]);
  expect(await create({ title: 'x'.repeat(257) })).toEqual([
    422,
    'Validation failed: Title is too long (maximum is 256 characters)',
  ]);
  expect(await create({ context: [] })).toEqual([422, 'Validation failed: Context must have at least one item']);
  expect((await create({ context: ['shaolin'] }))[0]).toBe(422);
  expect((await create({ filter_action: 'explode' }))[0]).toBe(422);
  expect((await create({ expires_in: 'soon' }))[0]).toBe(422);
  expect(await create(keywords('x'.repeat(513)))).toEqual([
    422,
    'Validation failed: Keyword is too long (maximum is 512 characters)',
  ]);
  expect((await create({ keywords_attributes: [{ keyword: ' ', whole_word: true }] }))[0]).toBe(422);
  const other = await createFilter(alice, keywords('other'));
  const own = await createFilter(alice, keywords('own'));
  expect(await create({ keywords_attributes: [{ id: own.keywords[0].id, keyword: 'x' }] })).toEqual([
    404,
    'Record not found',
  ]);
  const foreign = await alice.put(`${filters}/${own.id}`, {
    title: 'changed',
    keywords_attributes: [{ keyword: 'new' }, { id: other.keywords[0].id, keyword: 'x' }],
  });
  expect(foreign.status).toBe(404);
  for (const fields of [
    { title: '' },
    { context: [] },
    { keywords_attributes: [{ id: own.keywords[0].id, keyword: '' }] },
  ])
    expect((await alice.put(`${filters}/${own.id}`, { ...fields, filter_action: 'hide' })).status).toBe(422);
  expect((await alice.get(filters)).json).toEqual([other, own]);
});

test('FL2-01: an expiry is set, kept when omitted, and removed by a blank or null', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id, expires_at: expiresAt } = await createFilter(alice, { expires_in: '86400' });
  const update = async (fields: object) => (await alice.put(`${filters}/${id}`, fields)).json.expires_at;
  expect(expiresAt).toBe(new Date(server.clock.now().getTime() + 86_400_000).toISOString());
  expect(await update({ title: 'x' })).toBe(expiresAt);
  expect(await update({ expires_in: null })).toBeNull();
  expect(await update({ expires_in: 60 })).toBe(new Date(server.clock.now().getTime() + 60_000).toISOString());
  expect(await update(form({ expires_in: '' }))).toBeNull();
  expect(await update({ expires_in: 1e300 })).toMatch(/^21\d\d-/);
});

test('FL2-01: an account has a limited number of filters and keywords, also when it asks for several at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const long = await createFilter(alice);
  const words = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => String(at).padStart(length, 'x'));
  const add = (texts: string[]) => alice.put(`${filters}/${long.id}`, keywords(...texts));
  expect((await add(words(200, 512))).status).toBe(200);
  expect((await add(words(100, 512))).status).toBe(422);
  const many = await createFilter(alice, keywords(...words(799, 3)));
  const path = `${filters}/${many.id}/keywords`;
  const answers = await Promise.all(words(4, 2).map((keyword) => alice.post(path, { keyword })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
  expect(errorOf(await alice.post(path, { keyword: 'more' }))).toEqual([
    422,
    'Validation failed: You have reached the maximum number of filter keywords (1000)',
  ]);
});

const keywordPaths = ['/api/v2/filters/keywords', '/api/v2/filter_keywords', '/api/v1/filters/keywords'];

test.each(keywordPaths)('FL2-02: a keyword is shown, updated and deleted at %s', async (base) => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const filter = await createFilter(alice);
  const list = `${filters}/${filter.id}/keywords`;
  const added = await alice.post(list, { keyword: 'cat' });
  expect([added.status, added.json]).toEqual([200, { id: expect.any(String), keyword: 'cat', whole_word: true }]);
  const other = (await alice.post(list, { keyword: 'purr', whole_word: false })).json;
  expect((await alice.get(list)).json).toEqual([added.json, other]);
  const path = `${base}/${added.json.id}`;
  expect((await alice.get(path)).json).toEqual(added.json);
  expect((await alice.put(path, { whole_word: false })).json).toEqual({ ...added.json, whole_word: false });
  expect((await alice.put(path, { keyword: 'lion' })).json).toEqual({
    ...added.json,
    keyword: 'lion',
    whole_word: false,
  });
  expect(errorOf(await alice.put(path, { keyword: ' ' }))).toEqual([422, "Validation failed: Keyword can't be blank"]);
  expect(errorOf(await alice.post(list, {}))).toEqual([422, "Validation failed: Keyword can't be blank"]);
  const deleted = await alice.delete(path);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  for (const answer of [await alice.get(path), await alice.put(path, { keyword: 'x' }), await alice.delete(path)])
    expect(answer.status).toBe(404);
  expect((await alice.get(list)).json).toEqual([other]);
});

test('FL2-03: single posts are added to a filter, listed, shown and removed', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const filter = await createFilter(alice);
  const statusId = await post(bob, 'Nothing in particular');
  const list = `${filters}/${filter.id}/statuses`;
  const added = await alice.post(list, { status_id: statusId });
  expect([added.status, added.json]).toEqual([200, { id: expect.any(String), status_id: statusId }]);
  expect(errorOf(await alice.post(list, { status_id: statusId }))).toEqual([
    422,
    'Validation failed: Status has already been taken',
  ]);
  expect(errorOf(await alice.post(list, {}))).toEqual([422, "Validation failed: Status can't be blank"]);
  expect((await alice.get(list)).json).toEqual([added.json]);
  expect((await alice.get(`${filters}/${filter.id}`)).json.statuses).toEqual([added.json]);
  const path = `${filters}/statuses/${added.json.id}`;
  expect((await alice.get(path)).json).toEqual(added.json);
  const results = (await alice.get(`${statuses}/${statusId}`)).json.filtered;
  const { keywords: _keywords, statuses: _statuses, ...matched } = filter;
  expect(results).toEqual([{ filter: matched, keyword_matches: null, status_matches: [statusId] }]);
  expect((await alice.delete(path)).json).toEqual({});
  expect((await alice.get(`${statuses}/${statusId}`)).json.filtered).toEqual([]);
  for (const answer of [await alice.get(path), await alice.delete(path)]) expect(answer.status).toBe(404);
});

test('FL2-03: a post that the viewer may not see, or that does not exist, cannot be added', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await createFilter(alice);
  const hidden = await post(bob, 'For my followers', { visibility: 'private' });
  const gone = await post(bob, 'Gone');
  await bob.delete(`${statuses}/${gone}`);
  await server.drain();
  for (const statusId of [hidden, gone, '123456', 'x']) {
    expect(errorOf(await alice.post(`${filters}/${id}/statuses`, { status_id: statusId }))).toEqual([
      404,
      'Record not found',
    ]);
  }
});

/** Every route of filters as a request; each changes or shows something of `alice`. */
async function everyRequest(alice: TestUser, bob: TestUser) {
  const filter = await createFilter(alice, keywords('cat', 'dog', 'bird'));
  const statusId = await post(bob, 'Hello');
  const entry = (await alice.post(`${filters}/${filter.id}/statuses`, { status_id: statusId })).json;
  const other = await post(bob, 'Again');
  const path = `${filters}/${filter.id}`;
  const ids = filter.keywords.map(({ id }: { id: string }) => id);
  const reads = [
    filters,
    path,
    `${path}/keywords`,
    `${path}/statuses`,
    `${filters}/statuses/${entry.id}`,
    ...keywordPaths.map((base, at) => `${base}/${ids[at]}`),
  ];
  const writes: (readonly ['POST' | 'PUT' | 'DELETE', string, object?])[] = [
    ['POST', filters, { title: 'x', context: ['home'] }],
    ['PUT', path, { title: 'y' }],
    ['POST', `${path}/keywords`, { keyword: 'x' }],
    ['POST', `${path}/statuses`, { status_id: other }],
    ...keywordPaths.map((base, at) => ['PUT', `${base}/${ids[at]}`, { keyword: 'z' }] as const),
    ...keywordPaths.map((base, at) => ['DELETE', `${base}/${ids[at]}`] as const),
    ['DELETE', `${filters}/statuses/${entry.id}`],
    ['DELETE', path],
  ];
  return { reads, writes };
}

test('FL2-01: reading needs read:filters, changing write:filters, and a user', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { reads, writes } = await everyRequest(alice, bob);
  const reader = await server.withScopes(alice, 'read:filters');
  const writer = await server.withScopes(alice, 'write:filters');
  const app = await server.appToken();
  for (const path of reads) {
    expect((await reader.get(path)).status, path).toBe(200);
    expect((await writer.get(path)).status, path).toBe(403);
    expect((await server.anonymous.get(path)).status, path).toBe(401);
    expect((await app.get(path)).status, path).toBe(422);
  }
  for (const [method, path, body] of writes) {
    expect((await reader.call(method, path, body)).status, path).toBe(403);
    expect((await server.anonymous.call(method, path, body)).status, path).toBe(401);
    expect((await app.call(method, path, body)).status, path).toBe(422);
    expect((await writer.call(method, path, body)).status, path).toBe(200);
  }
});

test('FL2-01: the filters of others do not exist', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { reads, writes } = await everyRequest(alice, bob);
  const before = (await alice.get(filters)).json;
  expect((await bob.get(filters)).json).toEqual([]);
  for (const path of reads.slice(1)) expect((await bob.get(path)).status, path).toBe(404);
  for (const [method, path, body] of writes.slice(1)) {
    expect((await bob.call(method, path, body)).status, path).toBe(404);
  }
  const [{ id }] = before[0].keywords;
  const own = await createFilter(bob);
  const stolen = await bob.put(`${filters}/${own.id}`, { keywords_attributes: [{ id, _destroy: true }] });
  expect(stolen.status).toBe(404);
  expect((await alice.get(filters)).json).toEqual(before);
});

test('FL2-04: each request emits one event, however many keywords it changes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const changes = countChanges(server);
  const { id, keywords: added } = await createFilter(alice, keywords('a', 'b', 'c', 'd'));
  expect(changes()).toBe(1);
  await alice.put(`${filters}/${id}`, {
    title: 'x',
    filter_action: 'hide',
    keywords_attributes: [
      { id: added[0].id, keyword: 'e' },
      { id: added[1].id, _destroy: true },
      { id: added[2].id, _destroy: true },
      { keyword: 'f' },
      { keyword: 'g' },
    ],
  });
  expect(changes()).toBe(2);
  await alice.put(`${filters}/${id}`, { title: '' });
  await alice.put(`${filters}/1`, { title: 'x' });
  expect(changes()).toBe(2);
  await alice.delete(`${filters}/${id}`);
  expect(changes()).toBe(3);
});

test('the filters of a deleted account are deleted', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await createFilter(alice, keywords('cat'));
  await alice.post(`${filters}/${id}/statuses`, { status_id: await post(bob, 'Hello') });
  await deleteAccount(server.app, alice.id);
  await server.drain();
  for (const table of ['filters', 'filter_keywords', 'filter_statuses'] as const)
    expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([]);
});
