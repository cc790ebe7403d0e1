import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

const trends = ['/api/v1/trends', '/api/v1/trends/tags', '/api/v1/trends/statuses', '/api/v1/trends/links'];

test('trends are empty, on every page, because staff cannot approve them yet', async () => {
  await using server = await startServer();
  const alice = await server.user('alice', { scopes: 'write' });
  await alice.post('/api/v1/statuses', { status: 'so many #birds https://birds.test/' });
  await server.drain();
  for (const path of trends) {
    for (const caller of [server.anonymous, alice]) {
      for (const query of ['', '?limit=5&offset=10', '?limit=0&offset=-3', '?limit=999999999']) {
        const { status, json } = await caller.get(path + query);
        expect([path + query, status, json]).toEqual([path + query, 200, []]);
      }
    }
    expect((await server.anonymous.get(path)).headers['link'], path).toBeUndefined();
    const later = await server.anonymous.get(`${path}?limit=5&offset=10`);
    expect(later.headers['link']).toContain('offset=5>; rel="prev"');
    expect((await server.anonymous.get(`${path}?limit=many`)).status, path).toBe(
      (await server.anonymous.get('/api/v1/directory?limit=many')).status,
    );
  }
  const deprecated = await server.anonymous.get('/api/v1/trends');
  expect(deprecated.headers['deprecation']).toBe(`@${Date.parse('2022-03-30') / 1000}`);
});

test('in limited federation mode, trends are 401 for anonymous viewers', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await server.user('alice');
  for (const path of trends) {
    expect((await server.anonymous.get(path)).status, path).toBe(401);
    expect((await alice.get(path)).json, path).toEqual([]);
  }
});

test('suggestions are 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const path of ['/api/v1/suggestions', '/api/v2/suggestions']) expect((await alice.get(path)).status).toBe(404);
});
