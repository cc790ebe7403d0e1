import { expect, test } from 'vitest';
import { filtersChanged } from '../../../server/filters/index.ts';
import { startServer, type TestUser } from '../../server.ts';

const filters = '/api/v2/filters';
const exportPath = '/api/v1/fieldfare/filters/export';
const importPath = '/api/v1/fieldfare/filters/import';

async function post(user: TestUser, status: string, more: object = {}) {
  const answer = await user.post('/api/v1/statuses', { status, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json as { id: string; uri: string };
}

const spoilers = {
  title: 'Spoilers',
  context: ['home', 'public'],
  filter_action: 'hide',
  expires_at: null,
  keywords: [
    { keyword: 'finale', whole_word: true },
    { keyword: 'season', whole_word: false },
  ],
  statuses: [],
};

test('filters are exported without ids, and imported into another account', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id: statusId, uri } = await post(alice, 'A finale');
  expect((await alice.get(exportPath)).json).toEqual({ filters: [] });
  const created = await alice.post(filters, {
    title: 'Cats',
    context: ['home', 'thread'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'purr', whole_word: false }],
  });
  await alice.post(`${filters}/${created.json.id}/statuses`, { status_id: statusId });
  const { json: file } = await alice.get(exportPath);
  expect(file).toEqual({
    filters: [
      {
        title: 'Cats',
        context: ['home', 'thread'],
        filter_action: 'blur',
        expires_at: created.json.expires_at,
        keywords: [
          { keyword: 'cat', whole_word: true },
          { keyword: 'purr', whole_word: false },
        ],
        statuses: [uri],
      },
    ],
  });
  const imported = await bob.post(importPath, file);
  expect([imported.status, imported.json]).toEqual([200, file]);
  expect((await bob.get(exportPath)).json).toEqual(file);
  const [match] = (await bob.get(`/api/v1/statuses/${statusId}`)).json.filtered;
  expect(match).toMatchObject({ filter: { title: 'Cats', filter_action: 'blur' }, status_matches: [statusId] });
});

test('a merge adds what is missing, and a second one changes nothing', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const first = { filters: [spoilers, { title: 'Minimal', context: ['account'] }] };
  const minimal = { title: 'Minimal', context: ['account'], filter_action: 'warn', expires_at: null };
  const expected = { filters: [spoilers, { ...minimal, keywords: [], statuses: [] }] };
  expect((await alice.post(importPath, first)).json).toEqual(expected);
  const before = (await alice.get(filters)).json;
  expect((await alice.post(importPath, { ...first, mode: 'merge' })).json).toEqual(expected);
  expect((await alice.get(filters)).json).toEqual(before);
  const more = {
    ...spoilers,
    context: ['public', 'home'],
    keywords: [{ keyword: 'season' }, { keyword: 'finale' }, { keyword: 'ending' }, { keyword: 'ending' }],
  };
  const merged = (await alice.post(importPath, { filters: [more, { ...more, filter_action: 'warn' }] })).json;
  expect(merged.filters).toEqual([
    {
      ...spoilers,
      keywords: [
        ...spoilers.keywords,
        { keyword: 'season', whole_word: true },
        { keyword: 'ending', whole_word: true },
      ],
    },
    expected.filters[1],
    expect.objectContaining({ title: 'Spoilers', filter_action: 'warn' }),
  ]);
  const replaced = await alice.post(importPath, { filters: [spoilers], mode: 'replace' });
  expect(replaced.json).toEqual({ filters: [spoilers] });
  expect((await alice.post(importPath, { filters: [], mode: 'replace' })).json).toEqual({ filters: [] });
});

test('what is invalid in a file is refused as a whole, with its reason', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.post(importPath, { filters: [spoilers] });
  const refused: [object, number][] = [
    [{}, 400],
    [{ filters: [{ ...spoilers, title: undefined }] }, 400],
    [{ filters: [{ ...spoilers, title: ' ' }] }, 422],
    [{ filters: [{ ...spoilers, title: 'x'.repeat(257) }] }, 422],
    [{ filters: [{ ...spoilers, context: [] }] }, 422],
    [{ filters: [{ ...spoilers, context: ['nowhere'] }] }, 422],
    [{ filters: [{ ...spoilers, filter_action: 'explode' }] }, 422],
    [{ filters: [{ ...spoilers, expires_at: 'soon' }] }, 422],
    [{ filters: [{ ...spoilers, expires_at: '+123456-01-01T00:00:00Z' }] }, 422],
    [{ filters: [{ ...spoilers, keywords: [{ keyword: '' }] }] }, 422],
    [{ filters: [{ ...spoilers, keywords: [{ keyword: 'x'.repeat(513) }] }] }, 422],
    [{ filters: [spoilers], mode: 'append' }, 422],
    [{ filters: Array.from({ length: 501 }, (_, at) => ({ title: `filter ${at}`, context: ['home'] })) }, 422],
    [{ filters: [{ ...spoilers, keywords: Array.from({ length: 1_001 }, (_, at) => ({ keyword: `${at}` })) }] }, 422],
    [{ filters: [{ ...spoilers, keywords: Array.from({ length: 999 }, (_, at) => ({ keyword: `${at}` })) }] }, 422],
    [{ filters: [{ ...spoilers, statuses: Array.from({ length: 2_001 }, (_, at) => `https://a.test/${at}`) }] }, 422],
  ];
  for (const [file, status] of refused)
    expect((await alice.post(importPath, { mode: 'merge', ...file })).status, JSON.stringify(file).slice(0, 80)).toBe(
      status,
    );
  expect((await alice.get(exportPath)).json).toEqual({ filters: [spoilers] });
});

test('statuses that the account may not see are neither imported nor exported', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const shown = await post(bob, 'For all');
  const hidden = await post(bob, 'For followers', { visibility: 'private' });
  const statuses = [hidden.uri, 'https://unknown.test/1', 'no uri', shown.uri];
  const imported = await alice.post(importPath, { filters: [{ ...spoilers, statuses }] });
  expect(imported.json.filters[0].statuses).toEqual([shown.uri]);
  await bob.delete(`/api/v1/statuses/${shown.id}`);
  await server.drain();
  expect((await alice.get(exportPath)).json.filters[0].statuses).toEqual([]);
});

test('FL2-04: an import emits one event; both routes need their scope and a user', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  let count = 0;
  server.app.bus.subscribe('cache:events', (events) => {
    count += (events as [string, unknown][]).filter(([name]) => name === filtersChanged.event).length;
  });
  await alice.post(importPath, { filters: [spoilers, { ...spoilers, title: 'Other' }], mode: 'replace' });
  expect(count).toBe(1);
  const reader = await server.withScopes(alice, 'read:filters');
  const writer = await server.withScopes(alice, 'write:filters');
  const app = await server.appToken();
  expect((await reader.get(exportPath)).status).toBe(200);
  expect((await writer.get(exportPath)).status).toBe(403);
  expect((await app.get(exportPath)).status).toBe(422);
  expect((await server.anonymous.get(exportPath)).status).toBe(401);
  const file = { filters: [] };
  expect((await writer.post(importPath, file)).status).toBe(200);
  expect((await reader.post(importPath, file)).status).toBe(403);
  expect((await app.post(importPath, file)).status).toBe(422);
  expect((await server.anonymous.post(importPath, file)).status).toBe(401);
});
