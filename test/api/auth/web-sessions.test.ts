import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { setUserDisabled } from '../../../server/users/access/index.ts';
import { postBy } from '../../feeds.ts';
import { Network } from '../../network.ts';
import { PushClient } from '../../push-client.ts';
import { Browser } from '../../browser.ts';
import { EncodedBody } from '../../client.ts';
import { forgedToken } from '../../forged-token.ts';
import { form, startServer, type Client, type TestResponse, type TestServer } from '../../server.ts';

const settings = '/api/web/settings';
const subscriptions = '/api/web/push_subscriptions';
const mentions = { data: { alerts: { mention: true } } };

/** A web client in a signed-in browser, which sends the cookies and the CSRF token of its page. */
class WebClient {
  readonly #client: Client;
  readonly #headers: Record<string, string>;

  private constructor(client: Client, headers: Record<string, string>) {
    this.#client = client;
    this.#headers = headers;
  }

  static async signIn(server: TestServer, name: string): Promise<WebClient> {
    const browser = new Browser(server);
    await browser.signIn(name);
    await browser.open('/auth/edit');
    const [, token = ''] = /<meta name="csrf-token" content="([^"]+)"/.exec(browser.text) ?? [];
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    return new WebClient(server.anonymous, { cookie, 'x-csrf-token': token });
  }

  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return this.#client.call(method, path, body, { headers: { ...this.#headers, ...headers } });
  }

  signOut(): Promise<TestResponse> {
    const fields = form({ authenticity_token: this.#headers['x-csrf-token'] ?? '' });
    return this.#client.post('/auth/sign_out', fields, { headers: this.#headers });
  }
}

test('a web client stores settings for its user, which only its session reads and changes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bob');
  const web = await WebClient.signIn(server, 'alice');
  expect((await web.call('GET', settings)).json).toEqual({});
  const data = { columns: [{ id: 'HOME', params: { a: '\0 \ud800 ü', deep: [[[1]]] } }], onboarded: true };
  const stored = await web.call('PUT', settings, { data });
  expect([stored.status, stored.json]).toEqual([200, { version: 1 }]);
  expect(stored.headers['access-control-allow-origin']).toBeUndefined();
  expect((await web.call('GET', settings)).json).toEqual(data);
  expect((await web.call('PATCH', settings, { data: { theme: 'dark' } })).status).toBe(200);
  const again = await WebClient.signIn(server, 'alice');
  expect((await again.call('GET', settings)).json).toEqual({ theme: 'dark' });
  const stranger = await WebClient.signIn(server, 'bob');
  expect((await stranger.call('GET', settings)).json).toEqual({});

  for (const client of [server.anonymous, alice]) {
    expect((await client.get(settings)).status).toBe(401);
    expect((await client.put(settings, { data: {} })).status).toBe(401);
    expect((await client.post(subscriptions, { subscription: {} })).status).toBe(401);
    expect((await client.put(`${subscriptions}/1`, {})).status).toBe(401);
  }
  await transaction(server.app, (tx) => setUserDisabled(tx, server.app, alice.id, true));
  expect((await again.call('GET', settings)).status).toBe(401);
});

test('settings that another device changed meanwhile are not overwritten', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const [phone, desktop] = [await WebClient.signIn(server, 'alice'), await WebClient.signIn(server, 'alice')];
  const versionOf = async (web: WebClient) => (await web.call('GET', '/api/web/session')).json.settings_version;
  expect(await versionOf(phone)).toBe(0);
  const first = await Promise.all(
    [phone, desktop].map((web, index) => web.call('PUT', settings, { data: { columns: [index] }, version: 0 })),
  );
  expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(first.find(({ status }) => status === 200)?.json).toEqual({ version: 1 });
  expect(first.find(({ status }) => status === 409)?.json).toEqual({
    error: 'The settings were changed on another device meanwhile',
  });
  expect((await desktop.call('PUT', settings, { data: { columns: ['b'] }, version: 1 })).json).toEqual({ version: 2 });
  expect((await phone.call('PUT', settings, { data: { columns: ['a'] }, version: 1 })).status).toBe(409);
  expect((await phone.call('GET', settings)).json).toEqual({ columns: ['b'] });
  expect(await versionOf(phone)).toBe(2);
  expect((await phone.call('PUT', settings, { data: {} })).json).toEqual({ version: 3 });
  expect(await versionOf(await WebClient.signIn(server, 'bob'))).toBe(0);
});

test('settings of a web client have a size, and are an object', async () => {
  await using server = await startServer();
  await server.user('alice');
  const web = await WebClient.signIn(server, 'alice');
  const put = async (data: unknown) => web.call('PUT', settings, { data });
  expect((await put({ text: 'x'.repeat(65_000) })).status).toBe(200);
  const large = await put({ text: 'ü'.repeat(40_000) });
  expect([large.status, Object.keys(large.json.details)]).toEqual([422, ['data']]);
  const nested = `{"data":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`;
  expect((await web.call('PUT', settings, new EncodedBody(Buffer.from(nested), 'application/json'))).status).toBe(422);
  for (const wrong of [undefined, null, 'text', []]) expect((await put(wrong)).status).toBe(400);
});

test('a request of another site, or without the CSRF token of this browser, changes nothing', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const [web, other] = [await WebClient.signIn(server, 'alice'), await WebClient.signIn(server, 'bob')];
  const data = { evil: true };
  const { subscription } = await PushClient.create('https://push.test/1');
  for (const headers of [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'x'.repeat(43) },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const refused = await web.call('PUT', settings, { data }, headers);
    expect([refused.status, refused.json.error]).toEqual([422, "Can't verify CSRF token authenticity."]);
    expect((await web.call('POST', subscriptions, { subscription }, headers)).status).toBe(422);
    expect((await web.call('PUT', `${subscriptions}/1`, {}, headers)).status).toBe(422);
  }
  expect((await web.call('GET', settings)).json).toEqual({});
  expect((await other.call('GET', settings)).json).toEqual({});
});

async function startWithPush() {
  const network = new Network();
  const received: { url: string; body: unknown; headers: Record<string, string> }[] = [];
  network.addHost('push.test', (url, { body, headers = {} }) => {
    received.push({ url: String(url), body, headers });
    return { status: 201 };
  });
  const server = await network.start('fieldfare.test');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const mention = async () => {
    await postBy(bob, '@alice hello');
    await server.drain();
    return received.splice(0);
  };
  const web = await WebClient.signIn(server, 'alice');
  const client = await PushClient.create('https://push.test/browser');
  return { server, alice, web, client, mention, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

test('PSH-01: a browser subscribes by its session, and changes only its own subscription', async () => {
  await using scene = await startWithPush();
  const { server, alice, web, client, mention } = scene;
  const created = await web.call('POST', subscriptions, { subscription: { ...client.subscription, standard: true } });
  expect(created.json).toMatchObject({ endpoint: client.endpoint, standard: true, policy: 'all' });
  expect(created.json.alerts).toMatchObject({ mention: false, 'admin.report': false });
  const own = `${subscriptions}/${created.json.id}`;
  expect(await mention()).toEqual([]);

  const changed = await web.call('PUT', own, mentions);
  expect(changed.json).toEqual({ ...created.json, alerts: { mention: true } });
  const [message] = await mention();
  expect(await client.decrypt(message as never)).toMatchObject({ title: 'bob mentioned you', access_token: '' });

  const app = await PushClient.create('https://push.test/app');
  const { json: appSubscription } = await app.subscribe(alice, { alerts: { mention: true } });
  const other = await WebClient.signIn(server, 'bob');
  const second = await WebClient.signIn(server, 'alice');
  for (const [by, id] of [
    [other, created.json.id],
    [second, created.json.id],
    [web, appSubscription.id],
    [web, 'x'],
  ] as const) {
    expect((await by.call('PUT', `${subscriptions}/${id}`, { data: { policy: 'none' } })).status).toBe(404);
  }
  expect((await mention()).map(({ url }) => url).toSorted()).toEqual([app.endpoint, client.endpoint]);
  const invalid = await web.call('POST', subscriptions, { subscription: { endpoint: 'http://push.test/' } });
  expect([invalid.status, Object.keys(invalid.json.details)]).toEqual([422, ['endpoint', 'p256dh', 'auth']]);
});

test('PSH-01: alerts are on by default in a browser of a phone', async () => {
  await using server = await startServer();
  await server.user('alice');
  const web = await WebClient.signIn(server, 'alice');
  const { subscription } = await PushClient.create('https://push.test/1');
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148' };
  const body = { subscription, data: { alerts: { poll: false }, policy: 'followed' } };
  const { json } = await web.call('POST', subscriptions, body, headers);
  expect(json).toMatchObject({ policy: 'followed', alerts: { mention: true, follow: true, poll: false } });
  const replaced = await web.call('POST', subscriptions, { subscription });
  expect(replaced.json).toMatchObject({ id: json.id, policy: 'all', alerts: { mention: false } });
});

test('PSH-01: the subscription of a browser ends with its session', async () => {
  await using scene = await startWithPush();
  const { server, web, client, mention } = scene;
  const subscribe = (by: WebClient) =>
    by.call('POST', subscriptions, { subscription: client.subscription, ...mentions });
  await subscribe(web);
  expect(await mention()).toHaveLength(1);
  await web.signOut();
  expect(await mention()).toEqual([]);
  expect((await subscribe(web)).status).toBe(401);

  const second = await WebClient.signIn(server, 'alice');
  await subscribe(second);
  expect(await mention()).toHaveLength(1);
  server.clock.advance(61 * 86_400);
  expect(await mention()).toEqual([]);
  await server.runSchedule('user.clean_up_sessions');
  expect((await server.pool.query('select from push_subscriptions')).rowCount).toBe(0);
});

test('PSH-01: a push service deletes a subscription by the Unsubscribe-URL of a message, for two days', async () => {
  await using scene = await startWithPush();
  const { server, alice, client, mention } = scene;
  const urlOf = (messages: Awaited<ReturnType<typeof mention>>): string =>
    messages[0]?.headers['unsubscribe-url'] ?? '';
  const remove = async (url: string): Promise<void> => {
    const { status, text } = await server.anonymous.delete(url);
    expect([status, text]).toEqual([200, '']);
  };
  const isSubscribed = async (): Promise<boolean> => (await alice.get('/api/v1/push/subscription')).status === 200;
  await client.subscribe(alice, { alerts: { mention: true } });
  const first = urlOf(await mention());
  expect(first).toMatch(/^https:\/\/fieldfare\.test\/api\/web\/push_subscriptions\/\d+-\d+-[\w-]{24}$/);
  for (const forged of ['1', 'x', forgedToken(first), first.replace(/-\d+-/, '-99999999999-')])
    await remove(forged.startsWith('https:') ? forged : `${subscriptions}/${forged}`);
  expect(await isSubscribed()).toBe(true);

  const moved = await PushClient.create('https://push.test/moved');
  await moved.subscribe(alice, { alerts: { mention: true } });
  await remove(first);
  expect(await isSubscribed()).toBe(true);

  const second = urlOf(await mention());
  server.clock.advance(2 * 86_400 + 1);
  await remove(second);
  expect(await isSubscribed()).toBe(true);
  await remove(urlOf(await mention()));
  expect(await isSubscribed()).toBe(false);
  expect(await mention()).toEqual([]);
});
