import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

const accept = 'application/activity+json';

test('actors and posts have JSON at their addresses with the suffix .json, and are open to pages of any origin', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const { json: secret } = await alice.post('/api/v1/statuses', { status: 'Hello', visibility: 'private' });
  const ask = (url: string, headers: Record<string, string> = {}) =>
    server.http.inject({ method: 'GET', url, headers: { host: 'fieldfare.test', ...headers } });
  for (const path of ['/users/alice', '/@alice', `/users/alice/statuses/${post.id}`, `/@alice/${post.id}`]) {
    const negotiated = await ask(path, { accept });
    const file = await ask(`${path}.json`);
    expect([file.statusCode, file.body], path).toEqual([200, negotiated.body]);
    for (const { headers } of [negotiated, file]) {
      expect(headers['content-type'], path).toBe('application/activity+json; charset=utf-8');
      expect(headers['access-control-allow-origin'], path).toBe('*');
      expect(headers['access-control-expose-headers'], path).toContain('Link');
    }
    expect((await ask(`${path}.json`, { accept: 'text/html' })).headers['content-type'], path).toContain('json');
  }
  for (const path of [`/@alice/${secret.id}`, `/users/alice/statuses/${secret.id}`, '/@nobody', '/users/nobody']) {
    expect((await ask(`${path}.json`)).statusCode, path).toBe(404);
  }
  // The page itself has no CORS headers.
  expect((await ask('/@alice', { accept: 'text/html' })).headers).not.toHaveProperty('access-control-allow-origin');
});

test('documents at addresses with the suffix .json need a signature in secure mode', async () => {
  await using server = await startServer({ settings: { SECURE_MODE: 'true' } });
  await server.user('alice');
  for (const path of ['/users/alice.json', '/@alice.json']) {
    expect((await server.anonymous.get(path)).status, path).toBe(401);
  }
});
