import { expect, test } from 'vitest';
import { form, startServer } from '../../server.ts';

const oob = 'urn:ietf:wg:oauth:2.0:oob';

test('APP-01: registering an app returns its client secret, and its token is valid for verify_credentials', async () => {
  await using server = await startServer();
  const { status, json: app } = await server.anonymous.post('/api/v1/apps', {
    client_name: ' Elk ',
    redirect_uris: `https://elk.test/api/callback\n${oob}`,
    scopes: 'read write:statuses push',
    website: 'https://elk.test',
  });
  expect(status).toBe(200);
  expect(app).toMatchObject({
    name: 'Elk',
    website: 'https://elk.test',
    scopes: ['read', 'write:statuses', 'push'],
    redirect_uris: ['https://elk.test/api/callback', oob],
    redirect_uri: `https://elk.test/api/callback\n${oob}`,
    client_secret_expires_at: 0,
  });
  expect(app.vapid_key).toMatch(/^[A-Za-z0-9_-]{87}$/);
  const { client_id, client_secret } = app;
  const token = await server.anonymous.post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  });
  expect(token.json).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  const headers = { authorization: `Bearer ${token.json.access_token}` };
  const shown = await server.anonymous.get('/api/v1/apps/verify_credentials', { headers });
  expect(shown.json).toMatchObject({ id: app.id, name: 'Elk', vapid_key: app.vapid_key });
  expect(shown.text).not.toContain(client_secret);
  expect((await server.anonymous.get('/api/v1/apps/verify_credentials')).status).toBe(401);
  const alice = await server.user('alice');
  expect((await alice.get('/api/v1/apps/verify_credentials')).json.name).toBe('Test app');
});

test('APP-01: parameters can be in the query, a form or a list (clients.md 17, 18, 20)', async () => {
  await using server = await startServer();
  const query =
    '/api/v1/apps?client_name=Ice%20Cubes&redirect_uris=icecubesapp%3A%2F%2F&scopes=read%20write%20follow%20push';
  const first = await server.anonymous.post(query);
  expect(first.json).toMatchObject({ name: 'Ice Cubes', redirect_uris: ['icecubesapp://'] });
  const second = await server.anonymous.post(
    '/api/v1/apps',
    form('client_name=x&redirect_uris[]=https%3A%2F%2Fa.test%2F&redirect_uris[]=app%3A%2F%2Fb'),
  );
  expect(second.json.redirect_uris).toEqual(['https://a.test/', 'app://b']);
  expect(second.json.scopes).toEqual(['read']);
});

test('APP-01: invalid names, URLs and scopes are 422', async () => {
  await using server = await startServer();
  const good = { client_name: 'x', redirect_uris: oob, scopes: 'read', website: 'https://x.test' };
  const wrong = [
    { client_name: '' },
    { client_name: 'x'.repeat(61) },
    { redirect_uris: '' },
    { redirect_uris: '/callback' },
    { redirect_uris: 'javascript:alert(1)' },
    { redirect_uris: `${oob}\ndata:text/html,x` },
    { redirect_uris: 'vbscript:x' },
    { redirect_uris: `https://x.test/${'x'.repeat(2000)}` },
    { scopes: 'read everything' },
    { website: 'javascript:alert(1)' },
    { website: `https://x.test/${'x'.repeat(2000)}` },
  ];
  for (const change of wrong) {
    const { status, json } = await server.anonymous.post('/api/v1/apps', { ...good, ...change });
    expect(status, JSON.stringify(change)).toBe(422);
    expect(json.error).toMatch(/^Validation failed: /);
  }
  expect(
    (await server.anonymous.post('/api/v1/apps', { ...good, client_name: 'x'.repeat(60), website: '' })).status,
  ).toBe(200);
});

test('APP-01: an IP address can register five apps in ten minutes', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  const register = () => server.anonymous.post('/api/v1/apps', { client_name: 'x', redirect_uris: oob });
  for (let count = 0; count < 5; count += 1) expect((await register()).status).toBe(200);
  expect((await register()).status).toBe(429);
});
