import { expect, test } from 'vitest';
import { filtersChanged } from '../../../server/filters/index.ts';
import { form, startServer, type TestUser } from '../../server.ts';

const v1 = '/api/v1/filters';
const v2 = '/api/v2/filters';

async function createFilter(user: TestUser, fields: object = {}) {
  const answer = await user.post(v1, { phrase: 'cat', context: ['home'], ...fields });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
}

const errorOf = ({ status, json }: { status: number; json: { error?: string } }) => [status, json.error];

test('FL1-01: a filter is created, shown, updated in part and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const created = await alice.post(
    v1,
    form('phrase=Cats+and+dogs&context[]=home&context[]=thread&irreversible=true&whole_word=false&expires_in=3600'),
  );
  expect([created.status, created.json]).toEqual([
    200,
    {
      id: expect.any(String),
      phrase: 'Cats and dogs',
      context: ['home', 'thread'],
      expires_at: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
      irreversible: true,
      whole_word: false,
    },
  ]);
  expect(created.headers['deprecation']).toBe(`@${Date.parse('2022-11-14') / 1000}`);
  const path = `${v1}/${created.json.id}`;
  expect((await alice.get(path)).json).toEqual(created.json);
  const other = await createFilter(alice);
  expect(other).toMatchObject({ expires_at: null, irreversible: false, whole_word: true });
  expect((await alice.get(v1)).json).toEqual([created.json, other]);
  const changed = await alice.put(path, { phrase: 'Pets', context: ['public'], whole_word: true });
  expect(changed.json).toEqual({ ...created.json, phrase: 'Pets', context: ['public'], whole_word: true });
  const cleared = await alice.put(path, { irreversible: false, expires_in: '' });
  expect(cleared.json).toEqual({ ...changed.json, irreversible: false, expires_at: null });
  const deleted = await alice.delete(path);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  for (const answer of [await alice.get(path), await alice.put(path, { phrase: 'x' }), await alice.delete(path)])
    expect(answer.status).toBe(404);
  expect((await alice.get(v1)).json).toEqual([other]);
});

test('FL1-01: what is invalid is refused with its reason', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const create = async (fields: object) => errorOf(await alice.post(v1, { phrase: 'x', context: ['home'], ...fields }));
  expect(await create({ phrase: ' ' })).toEqual([422, "Validation failed: Phrase can't be blank"]);
  expect(await create({ phrase: undefined })).toEqual([422, "Validation failed: Phrase can't be blank"]);
  expect(await create({ phrase: 'x'.repeat(257) })).toEqual([
    422,
    'Validation failed: Phrase is too long (maximum is 256 characters)',
  ]);
  expect(await create({ context: [] })).toEqual([422, 'Validation failed: Context must have at least one item']);
  expect((await create({ context: ['nowhere'] }))[0]).toBe(422);
  const { id } = await createFilter(alice);
  expect((await alice.put(`${v1}/${id}`, { phrase: '' })).status).toBe(422);
  expect((await alice.put(`${v1}/${id}`, { phrase: 'dog', context: [] })).status).toBe(422);
  expect((await alice.get(v1)).json).toMatchObject([{ phrase: 'cat', context: ['home'] }]);
});

test('FL1-02: each keyword of a version 2 filter is a version 1 filter, and the reverse', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: filter } = await alice.post(v2, {
    title: 'Pets',
    context: ['home'],
    filter_action: 'blur',
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'dog', whole_word: false }],
  });
  const [cat, dog] = filter.keywords;
  const single = await createFilter(alice, { phrase: 'bird', irreversible: true });
  expect((await alice.get(v1)).json).toEqual([
    { id: cat.id, phrase: 'cat', context: ['home'], expires_at: null, irreversible: false, whole_word: true },
    { id: dog.id, phrase: 'dog', context: ['home'], expires_at: null, irreversible: false, whole_word: false },
    single,
  ]);
  const birds = (await alice.get(v2)).json[1];
  expect(birds).toMatchObject({
    title: 'bird',
    filter_action: 'hide',
    keywords: [{ id: single.id, keyword: 'bird', whole_word: true }],
  });
  await alice.put(`${v1}/${single.id}`, { phrase: 'owl' });
  expect((await alice.get(`${v2}/${birds.id}`)).json).toMatchObject({ title: 'owl', keywords: [{ keyword: 'owl' }] });
  await alice.delete(`${v1}/${dog.id}`);
  expect((await alice.get(`${v2}/${filter.id}`)).json).toEqual({ ...filter, keywords: [cat] });
  await alice.delete(`${v1}/${cat.id}`);
  expect((await alice.get(`${v2}/${filter.id}`)).json).toEqual({ ...filter, keywords: [] });
});

test('FL1-02: a change that other keywords of the filter would share is refused, and changes nothing', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: filter } = await alice.post(v2, {
    title: 'Pets',
    context: ['home', 'public'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'dog' }],
  });
  const path = `${v1}/${filter.keywords[0].id}`;
  for (const fields of [{ context: ['home'] }, { irreversible: true }, { expires_in: '' }, { expires_in: 60 }]) {
    expect(errorOf(await alice.put(path, { phrase: 'lion', ...fields }))).toEqual([
      422,
      'These parameters apply to more than one filter keyword and cannot be changed with this version of the API',
    ]);
  }
  expect((await alice.get(`${v2}/${filter.id}`)).json).toEqual(filter);
  const allowed = await alice.put(path, { phrase: 'lion', context: ['public', 'home'], irreversible: false });
  expect(allowed.json).toMatchObject({ phrase: 'lion' });
  expect((await alice.get(`${v2}/${filter.id}`)).json).toMatchObject({ title: 'Pets', filter_action: 'blur' });
});

test('FL1-01: irreversible and whole words are honoured, and an expired filter is not applied', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await bob.post('/api/v1/statuses', { status: 'Concatenated cats' })).json;
  const results = async () => (await alice.get(`/api/v1/statuses/${id}`)).json.filtered;
  const filter = await createFilter(alice, { irreversible: true, expires_in: 60 });
  expect(await results()).toEqual([]);
  await alice.put(`${v1}/${filter.id}`, { whole_word: false });
  expect(await results()).toMatchObject([
    { filter: { title: 'cat', filter_action: 'hide' }, keyword_matches: ['cat'] },
  ]);
  expect((await alice.get('/api/v1/timelines/public')).json).toHaveLength(1);
  server.clock.advance(60);
  expect(await results()).toEqual([]);
  expect((await alice.get(v1)).json).toHaveLength(1);
});

test('FL1-01: reading needs read:filters, changing write:filters, and a user; others do not exist', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await createFilter(alice);
  const path = `${v1}/${id}`;
  const reader = await server.withScopes(alice, 'read:filters');
  const writer = await server.withScopes(alice, 'write:filters');
  const app = await server.appToken();
  for (const read of [v1, path]) {
    expect((await reader.get(read)).status).toBe(200);
    expect((await writer.get(read)).status).toBe(403);
    expect((await server.anonymous.get(read)).status).toBe(401);
    expect((await app.get(read)).status).toBe(422);
  }
  expect((await bob.get(v1)).json).toEqual([]);
  expect((await bob.get(path)).status).toBe(404);
  const writes = [
    ['POST', v1, { phrase: 'x', context: ['home'] }],
    ['PUT', path, { phrase: 'y' }],
    ['DELETE', path, undefined],
  ] as const;
  for (const [method, url, body] of writes) {
    expect((await reader.call(method, url, body)).status).toBe(403);
    expect((await server.anonymous.call(method, url, body)).status).toBe(401);
    expect((await app.call(method, url, body)).status).toBe(422);
    if (url === path) expect((await bob.call(method, url, body)).status).toBe(404);
    expect((await writer.call(method, url, body)).status).toBe(200);
  }
});

test('FL2-04: each request of version 1 emits one event', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  let count = 0;
  server.app.bus.subscribe('cache:events', (events) => {
    count += (events as [string, unknown][]).filter(([name]) => name === filtersChanged.event).length;
  });
  const { id } = await createFilter(alice);
  expect(count).toBe(1);
  await alice.put(`${v1}/${id}`, { phrase: 'dog', context: ['public'], irreversible: true, expires_in: 60 });
  expect(count).toBe(2);
  await alice.delete(`${v1}/${id}`);
  expect(count).toBe(3);
});
