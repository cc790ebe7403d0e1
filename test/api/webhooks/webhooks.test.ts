import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { createToken, revokeTokens } from '../../../server/oauth/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { changePassword } from '../../../server/users/sign-in/index.ts';
import { Browser } from '../../browser.ts';
import { curlCommandsOf, runCurl } from '../../curl.ts';
import { Client, startServer, type TestServer } from '../../server.ts';
import { WebhookScene, webhooksPath as path } from '../../webhook-receiver.ts';

const url = 'https://hooks.test/1';
const input = { url, events: ['status.created'] };

const countRows = async ({ db }: TestServer): Promise<number> =>
  (await db.selectFrom('webhooks').select('id').execute()).length;

test('a webhook is created with a secret that is shown once, then listed, changed and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.get(path)).json).toEqual([]);
  const created = await alice.post(path, { url: ` ${url} `, events: ['status.created', 'status.created'] });
  const { secret, ...webhook } = created.json;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.stringMatching(/^\d+$/),
    url,
    events: ['status.created'],
    state: 'active',
    disabled_reason: null,
    failing_since: null,
    last_delivered_at: null,
    dropped_events: 0,
    created_at: server.clock.now().toISOString(),
    updated_at: server.clock.now().toISOString(),
  });
  const own = `${path}/${webhook.id}`;
  expect((await alice.get(own)).json).toEqual(webhook);
  const other = await alice.post(path, input);
  expect((await alice.get(path)).json.map(({ id }: { id: string }) => id)).toEqual([other.json.id, webhook.id]);

  server.clock.advance(60);
  const changed = await alice.put(own, { events: ['follow.created', 'notification.created'] });
  const updated_at = server.clock.now().toISOString();
  expect(changed.json).toEqual({ ...webhook, events: ['follow.created', 'notification.created'], updated_at });
  expect((await alice.patch(own, { url: 'https://hooks.test/2' })).json.url).toBe('https://hooks.test/2');
  expect((await alice.put(own, { enabled: false })).json).toMatchObject({
    state: 'disabled',
    disabled_reason: 'owner',
  });
  expect((await alice.put(own, { events: ['status.created'] })).json.state).toBe('disabled');
  expect((await alice.post(`${own}/ping`)).json.error).toBe('The webhook is disabled: enable it first');
  expect((await alice.put(own, { enabled: true })).json).toMatchObject({ state: 'active', disabled_reason: null });

  const rotated = await alice.post(`${own}/rotate_secret`);
  expect(rotated.json.secret).toMatch(/^whsec_/);
  expect(rotated.json.secret).not.toBe(secret);
  expect((await alice.get(own)).json).not.toHaveProperty('secret');
  expect((await alice.delete(own)).json).toEqual({});
  for (const method of ['GET', 'PUT', 'DELETE'] as const) expect((await alice.call(method, own)).status).toBe(404);
});

test('a webhook needs an address on a public host and known events; the errors name the fields', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const tryCreate = async (fields: object): Promise<unknown> => {
    const { status, json } = await alice.post(path, fields);
    return [status, json.details === undefined ? json.error : Object.keys(json.details)];
  };
  expect(await tryCreate({})).toEqual([422, ['url', 'events']]);
  expect(await tryCreate({ ...input, events: [] })).toEqual([422, ['events']]);
  expect((await alice.post(path, { ...input, events: ['status.exploded'] })).status).toBe(422);
  for (const invalid of [
    'hooks.test/1',
    'http://hooks.test/1',
    'https://hooks.test:8443/1',
    'https://localhost/1',
    'https://user:password@hooks.test/1',
    'ftp://hooks.test/1',
    'https://fieldfare.test/api/v1/statuses?status=x',
    'https://fieldfare.test./',
    `https://hooks.test/${'x'.repeat(2_000)}`,
  ]) {
    expect(await tryCreate({ ...input, url: invalid }), invalid).toEqual([422, ['url']]);
  }
  const { json } = await alice.post(path, { ...input, url: 'http://hooks.test' });
  expect(json).toEqual({
    error: 'Validation failed: URL must be an https address on a public host and the usual port',
    details: { url: [{ error: 'ERR_INVALID', description: expect.any(String) }] },
  });
  expect(await countRows(server)).toBe(0);
  const { id } = (await alice.post(path, input)).json;
  expect((await alice.put(`${path}/${id}`, { url: 'http://x' })).status).toBe(422);
  expect((await alice.get(`${path}/${id}`)).json.url).toBe(url);
});

test('a webhook needs the scope push, and the scope to read each of its events', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await alice.post(path, input)).json;
  const clients = [
    [server.anonymous, 401],
    [await server.withScopes(alice, 'read write follow'), 403],
    [await server.appToken('read'), 403],
  ] as const;
  const routes = [
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/${id}`],
    ['PUT', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
    ['POST', `${path}/${id}/rotate_secret`],
    ['POST', `${path}/${id}/ping`],
    ['GET', `${path}/${id}/deliveries`],
  ] as const;
  for (const [client, status] of clients) {
    for (const [method, route] of routes) expect((await client.call(method, route)).status, route).toBe(status);
  }
  const reader = await server.withScopes(alice, 'push read:statuses');
  const refused = await reader.post(path, { url, events: ['status.created', 'notification.created'] });
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'The event notification.created needs the scope read:notifications',
  ]);
  const own = (await reader.post(path, { url, events: ['status.created', 'status.deleted'] })).json.id as string;
  expect((await reader.put(`${path}/${own}`, { events: ['follower.created'] })).status).toBe(403);
  expect((await reader.get(`${path}/${own}`)).json.events).toEqual(['status.created', 'status.deleted']);
});

test('a webhook belongs to the access token that created it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const other = await server.withScopes(alice, 'read push');
  const { id } = (await alice.post(path, input)).json;
  for (const stranger of [other, bob]) {
    expect((await stranger.get(path)).json).toEqual([]);
    for (const [method, route] of [
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/rotate_secret`],
      ['POST', `${path}/${id}/ping`],
      ['GET', `${path}/${id}/deliveries`],
    ] as const) {
      expect((await stranger.call(method, route)).status, `${method} ${route}`).toBe(404);
    }
  }
  expect((await alice.get(`${path}/${id}`)).status).toBe(200);
  expect((await alice.get(`${path}/x`)).status).toBe(404);
});

test('an account has at most ten webhooks, also if several are created at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const other = await server.withScopes(alice, 'read push');
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? alice : other).post(path, input)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = responses.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.json.error]).toEqual([
    422,
    'Validation failed: You have reached the maximum number of webhooks (10)',
  ]);
  const [{ id }] = (await alice.get(path)).json;
  await alice.delete(`${path}/${id}`);
  expect((await alice.post(path, input)).status).toBe(200);
});

test('revoking a token deletes its webhooks, and what waits for them is not sent', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const other = await server.withScopes(alice, 'read push');
  await scene.create(['status.created']);
  const remaining = (await other.post(path, input)).json.id as string;
  await alice.post('/api/v1/statuses', { status: 'hello' });
  const row = await server.db
    .selectFrom('webhooks')
    .select('token_id')
    .where('id', '<>', remaining as never)
    .execute();
  await transaction(server.app, (tx) => revokeTokens(tx, { tokenId: row[0]?.token_id as never }));
  expect((await scene.take()).map((message) => message.url)).toEqual([url]);
  expect((await other.get(path)).json).toHaveLength(1);
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: alice.userId }));
  expect(await countRows(server)).toBe(0);
  expect(await server.db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([]);
});

test('deleting the account deletes its webhooks at once', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  await scene.create(['status.created', 'status.deleted']);
  await alice.post('/api/v1/statuses', { status: 'hello' });
  expect(await scene.take()).toHaveLength(1);
  await deleteAccount(server.app, alice.id);
  expect(await countRows(server)).toBe(0);
  expect(await scene.take()).toEqual([]);
});

test('creating, changing, pinging and rotating are limited together', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  const alice = await server.user('alice');
  const { id } = (await alice.post(path, input)).json;
  const statuses: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    statuses.push((await alice.post(`${path}/${id}/rotate_secret`)).status);
  }
  expect([statuses[28], statuses[29]]).toEqual([200, 429]);
  expect((await alice.post(path, input)).status).toBe(429);
  expect((await alice.put(`${path}/${id}`, { enabled: true })).status).toBe(429);
  expect((await alice.get(path)).status).toBe(200);
});

test('the commands of docs/webhooks.md work', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [create = '', ...others] = curlCommandsOf('docs/webhooks.md');
  const variables = { TOKEN: alice.token ?? '' };
  const { json } = await runCurl(server.anonymous, create, variables);
  expect(json.events).toEqual(['status.created', 'notification.created']);
  const statuses: number[] = [];
  for (const command of others) {
    statuses.push((await runCurl(server.anonymous, command, { ...variables, ID: json.id as string })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await alice.get(path)).json).toEqual([]);
});

test('users see on the page of their apps where events are sent', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(path, { url: 'https://hooks.test/bob', events: ['status.created'] });
  const { id } = (await alice.post(path, { url: 'https://hooks.test/?a=<b>', events: ['follow.created'] })).json;
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/oauth/authorized_applications');
  expect(browser.text).toContain('https://hooks.test/?a=%3Cb%3E <span class="soft small">(follow.created)');
  expect(browser.text).not.toContain('hooks.test/bob');
  await alice.put(`${path}/${id}`, { enabled: false });
  await browser.open('/oauth/authorized_applications');
  expect(browser.text).toContain('(follow.created; disabled)');
  const action = /action="(\/oauth\/authorized_applications\/\d+\/revoke)"/.exec(browser.text)?.[1] ?? '';
  await browser.submit(action);
  expect(await countRows(server)).toBe(1);
});

test('webhooks of tokens without an app are listed on the page of apps, and end with the password', async () => {
  await using server = await startServer();
  const { userId } = await server.user('alice');
  const token = await createToken(server.app, { userId, applicationId: null, scopes: ['read', 'push'] });
  expect((await new Client(server.http, token).post(path, input)).status).toBe(200);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/oauth/authorized_applications');
  expect(browser.text).toContain('Access without an app');
  expect(browser.text).toContain(url);
  await changePassword(server.app, userId, {
    origin: {},
    current: 'correct horse battery',
    password: 'another horse battery',
  });
  expect(await countRows(server)).toBe(0);
});

test('with a session, the user sees the webhooks of all apps, pauses and deletes them, and changes nothing else', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await alice.post(path, input)).json as { id: string };
  const foreign = (await bob.post(path, input)).json as { id: string };
  const token = await createToken(server.app, { userId: alice.userId, applicationId: null, scopes: ['read', 'push'] });
  await new Client(server.http, token).post(path, { ...input, url: 'https://hooks.test/2' });
  const browser = new Browser(server);
  await browser.signIn('alice');
  const call = (method: 'GET' | 'PUT' | 'DELETE', address: string, body?: object) =>
    browser.fetch(method, address, body, { 'fieldfare-account': alice.id });
  const listed = (await call('GET', path)).json as { url: string; application: { name: string } | null }[];
  expect(listed.map(({ url: address, application }) => [address, application?.name])).toEqual([
    ['https://hooks.test/2', undefined],
    [url, expect.any(String)],
  ]);
  const own = `${path}/${id}`;
  expect((await call('PUT', own, { enabled: false })).json).toMatchObject({ state: 'disabled' });
  expect((await alice.get(own)).json).toMatchObject({ state: 'disabled', disabled_reason: 'owner' });
  expect((await call('PUT', own, { enabled: true })).json).toMatchObject({ state: 'active' });
  const refused = await call('PUT', own, { url: 'https://elsewhere.test/' });
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'Only the app that created a webhook changes what it is sent',
  ]);
  for (const method of ['PUT', 'DELETE'] as const)
    expect((await call(method, `${path}/${foreign.id}`, { enabled: false })).status).toBe(404);
  expect((await call('DELETE', own)).status).toBe(200);
  expect((await alice.get(path)).json).toEqual([]);
  expect((await bob.get(path)).json).toMatchObject([{ id: foreign.id, state: 'active' }]);
});
