import { expect, test } from 'vitest';
import { write } from '../../server/platform/database/write.ts';
import { ensureTags, findTag } from '../../server/tags/index.ts';
import { startServer } from '../server.ts';

test('TAG-02: a hashtag tells how much it was used, by day and by whom', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await alice.post('/api/v1/statuses', { status: 'one #Vogel' });
  await alice.post('/api/v1/statuses', { status: 'two #vogel', visibility: 'unlisted' });
  await alice.post('/api/v1/statuses', { status: 'secret #vogel', visibility: 'private' });
  server.clock.advance(86_400);
  await bob.post('/api/v1/statuses', { status: 'three #VOGEL' });
  const { status, json } = await bob.get('/api/v1/tags/VoGeL');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    name: 'Vogel',
    url: 'https://fieldfare.test/tags/vogel',
    following: false,
    featuring: false,
  });
  expect(json.history).toHaveLength(7);
  expect(
    json.history.slice(0, 3).map(({ uses, accounts }: { uses: string; accounts: string }) => [uses, accounts]),
  ).toEqual([
    ['1', '1'],
    ['2', '1'],
    ['0', '0'],
  ]);
  const today = Math.floor(server.clock.now().getTime() / 86_400_000) * 86_400;
  expect(json.history[0].day).toBe(String(today));
});

test('TAG-02: a name that nobody used yet is a tag without id, one that cannot be a tag is 404', async () => {
  await using server = await startServer();
  const { status, json } = await server.anonymous.get(`/api/v1/tags/${encodeURIComponent('日本語')}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: '',
    name: '日本語',
    url: 'https://fieldfare.test/tags/%E6%97%A5%E6%9C%AC%E8%AA%9E',
  });
  expect(json.history.every(({ uses }: { uses: string }) => uses === '0')).toBe(true);
  expect(json).not.toHaveProperty('following');
  for (const name of ['123', 'a-b', 'a b', '%20']) {
    expect((await server.anonymous.get(`/api/v1/tags/${encodeURIComponent(name)}`)).status, name).toBe(404);
  }
});

test('TAG-02: many who make the same hashtags at once get the same ones', async () => {
  await using server = await startServer();
  const { app } = server;
  const make = (names: string[]) => write(app, (transaction) => ensureTags(transaction, names, app.clock.now()));
  const results = await Promise.all([
    make(['a', 'b', '#C', 'd']),
    make(['d', 'c', 'B', 'a']),
    make(['b', 'a', 'e']),
    make(['C', 'Ｃ', 'not a tag', '', '42']),
  ]);
  expect([...(results[3]?.keys() ?? [])]).toEqual(['c']);
  expect(new Set(results.map((ids) => ids.get('c')).filter(Boolean)).size).toBe(1);
  expect(results[0]?.get('a')).toBe(results[2]?.get('a'));
  const { rows } = await app.pool.query('select count(*)::int as count from tags');
  expect(rows[0].count).toBe(5);
  expect((await findTag(app, '#A'))?.id).toBe(results[0]?.get('a'));
  expect(await findTag(app, 'zzz')).toBeUndefined();
});
