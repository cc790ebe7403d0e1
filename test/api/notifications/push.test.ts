import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { parseConfig } from '../../../server/platform/config.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import {
  createOutgoing,
  type OutgoingRequest,
  type OutgoingResponse,
} from '../../../server/platform/outgoing/outgoing.ts';
import type { TokenId } from '../../../server/platform/ids.ts';
import { openToken } from '../../../server/push/seal-token.ts';
import { blockAccount, muteAccount } from '../../../server/relationships/hide/index.ts';
import { setUserDisabled } from '../../../server/users/access/index.ts';
import { standardRoles } from '../../../server/users/access/index.ts';
import { updateRole } from '../../../server/users/roles/index.ts';
import { follow, postBy } from '../../feeds.ts';
import { Network } from '../../network.ts';
import { PushClient, verifyVapid } from '../../push-client.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v1/push/subscription';
const host = 'push.test';
const mentions = { alerts: { mention: true } };

/** A server and a push service that stores messages and answers what a test sets. */
class PushService {
  readonly network = new Network();
  readonly received: OutgoingRequest[] = [];
  response: Partial<OutgoingResponse> = { status: 201 };

  constructor() {
    this.network.addHost(host, (_url, request) => {
      this.received.push(request);
      return this.response;
    });
  }

  /** Returns the messages since the last call. */
  take(): OutgoingRequest[] {
    return this.received.splice(0);
  }
}

async function startWithPush() {
  const service = new PushService();
  const server = await service.network.start('fieldfare.test');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const client = await PushClient.create(`https://${host}/alice`);
  return { service, server, alice, bob, client, [Symbol.asyncDispose]: () => service.network[Symbol.asyncDispose]() };
}

async function mentionAlice(server: TestServer, from: TestUser, text = 'hello'): Promise<void> {
  await postBy(from, `@alice ${text}`);
  await server.drain();
}

const countSubscriptions = async ({ pool }: TestServer): Promise<number> =>
  Number((await pool.query('select count(*) from push_subscriptions')).rows[0].count);

test('PSH-01: a subscription belongs to an access token with the scope push; it is replaced, changed and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const client = await PushClient.create('https://push.test/1');
  expect((await alice.get(path)).status).toBe(404);
  expect((await alice.put(path, { data: {} })).status).toBe(404);

  const created = await client.subscribe(alice, { standard: false, alerts: { mention: true, poll: false } });
  const { configuration } = (await server.anonymous.get('/api/v2/instance')).json;
  expect(created.json).toEqual({
    id: expect.any(Number),
    endpoint: 'https://push.test/1',
    standard: false,
    server_key: configuration.vapid.public_key,
    alerts: { mention: true, poll: false },
    policy: 'all',
  });
  expect((await alice.get(path)).json).toEqual(created.json);

  const changed = await alice.put(path, form('data[alerts][admin.sign_up]=1&data[policy]=follower'));
  expect(changed.json).toEqual({ ...created.json, alerts: { 'admin.sign_up': true }, policy: 'follower' });
  expect((await alice.put(path, { policy: 'none' })).json).toMatchObject({ alerts: {}, policy: 'none' });
  expect((await alice.put(path, { data: { policy: 'friends' } })).status).toBe(422);

  const other = await PushClient.create('https://push.test/2');
  const fields = new URLSearchParams({
    'subscription[endpoint]': other.endpoint,
    'subscription[keys][p256dh]': Buffer.from(other.subscription.keys.p256dh, 'base64url').toString('base64'),
    'subscription[keys][auth]': other.subscription.keys.auth,
    'data[standard]': 'true',
  });
  const replaced = await alice.post(path, form(fields.toString()));
  expect(replaced.json).toMatchObject({ endpoint: other.endpoint, standard: true, alerts: {}, policy: 'all' });
  expect(await countSubscriptions(server)).toBe(1);

  const otherToken = await server.withScopes(alice, 'push');
  expect((await otherToken.get(path)).status).toBe(404);
  expect((await otherToken.delete(path)).json).toEqual({});
  expect(await countSubscriptions(server)).toBe(1);
  expect((await alice.delete(path)).json).toEqual({});
  expect((await alice.get(path)).status).toBe(404);
});

test('PSH-01: without a token, the scope, or a valid endpoint and keys there is no subscription', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { subscription } = await PushClient.create('https://push.test/1');
  const unscoped = await server.withScopes(alice, 'read write follow');
  for (const [client, status] of [
    [server.anonymous, 401],
    [unscoped, 403],
    [await server.appToken('read'), 403],
  ] as const) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
      expect((await client.call(method, path, method === 'POST' ? { subscription } : undefined)).status).toBe(status);
  }
  expect((await alice.post(path)).json.error).toContain('subscription');
  expect((await alice.post(path)).status).toBe(400);
  const { keys } = subscription;
  const invalid = [
    {},
    { ...subscription, endpoint: 'push.test/1' },
    { ...subscription, endpoint: 'http://push.test/1' },
    { ...subscription, endpoint: 'https://push.test:8443/1' },
    { ...subscription, endpoint: 'https://localhost/1' },
    { ...subscription, endpoint: 'https://user:password@push.test/1' },
    { ...subscription, endpoint: `https://push.test/${'x'.repeat(2_000)}` },
    { ...subscription, keys: { ...keys, auth: 'c2hvcnQ' } },
    { ...subscription, keys: { ...keys, p256dh: keys.auth } },
    { ...subscription, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
  ];
  for (const each of invalid) {
    const response = await alice.post(path, { subscription: each });
    expect([response.status, response.json.error], JSON.stringify(each)).toEqual([
      422,
      expect.stringMatching(/^Validation failed: /),
    ]);
  }
  expect((await alice.post(path, { subscription: {} })).json.details).toMatchObject({
    endpoint: [{ error: 'ERR_BLANK' }],
    auth: [{ error: 'ERR_BLANK' }],
  });
});

test('PSH-01: a notification is encrypted for the client (RFC 8291) and signed for its push service (RFC 8292)', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await server.db.updateTable('accounts').set({ display_name: 'Bob B.' }).where('id', '=', bob.id).execute();
  await client.subscribe(alice, mentions);
  await mentionAlice(server, bob, `<3 & ${'long '.repeat(60)}`);
  const [message] = service.take();
  expect(message).toMatchObject({
    method: 'POST',
    headers: { 'content-encoding': 'aes128gcm', ttl: '172800', urgency: 'normal' },
  });
  const [notification] = (await alice.get('/api/v1/notifications')).json;
  const payload = await client.decrypt(message ?? {});
  expect(payload).toMatchObject({
    notification_id: Number(notification.id),
    notification_type: 'mention',
    access_token: alice.token,
    preferred_locale: 'en',
    title: 'Bob B. mentioned you',
    body: expect.stringMatching(/^@alice <3 & long .*…$/),
    icon: notification.account.avatar_static,
  });
  expect([...payload.body].length).toBeLessThanOrEqual(140);

  const { claims, key } = await verifyVapid(message ?? {});
  expect(key).toBe((await alice.get(path)).json.server_key);
  const seconds = server.clock.now().getTime() / 1000;
  expect(claims).toEqual({ aud: `https://${host}`, exp: Math.floor(seconds + 43_200), sub: 'https://fieldfare.test' });

  await mentionAlice(server, bob);
  expect(service.take()[0]?.headers?.['authorization']).toBe(message?.headers?.['authorization']);
  server.clock.advance(7 * 3_600);
  await mentionAlice(server, bob);
  const renewed = service.take()[0] ?? {};
  expect((await verifyVapid(renewed)).claims['exp']).toBe(Math.floor(seconds + 7 * 3_600 + 43_200));
});

test('PSH-01: a client that does not ask for the standard gets aesgcm with the keys in headers', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute();
  await client.subscribe(alice, { standard: false, alerts: { mention: true, follow: true } });
  await mentionAlice(server, bob);
  const [message] = service.take();
  expect(message?.headers?.['content-encoding']).toBe('aesgcm');
  expect(await client.decrypt(message ?? {})).toMatchObject({
    preferred_locale: 'de',
    title: 'bob hat dich erwähnt',
    body: '@alice hello',
  });
  expect((await verifyVapid(message ?? {})).key).toBe((await alice.get(path)).json.server_key);
  await bob.patch('/api/v1/accounts/update_credentials', { note: 'I am *Bob*' });
  await follow(server, bob, alice);
  expect(await client.decrypt(service.take()[0] ?? {})).toMatchObject({
    notification_type: 'follow',
    title: 'bob folgt dir jetzt',
    body: 'I am *Bob*',
  });
});

test('PSH-01: alerts and policy decide which notifications are pushed', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  const carol = await server.user('carol');
  const post = await postBy(alice, 'a post');
  await follow(server, alice, bob);
  await follow(server, carol, alice);
  const countPushes = async (policy: string): Promise<number> => {
    await alice.put(path, { data: { ...mentions, policy } });
    for (const user of [bob, carol]) await mentionAlice(server, user);
    return service.take().length;
  };
  await client.subscribe(alice, mentions);
  expect(await countPushes('all')).toBe(2);
  expect(await countPushes('followed')).toBe(1);
  expect(await countPushes('follower')).toBe(1);
  expect(await countPushes('none')).toBe(0);
  await alice.put(path, { data: mentions });
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  expect(service.take()).toEqual([]);
  await alice.put(path, { data: { alerts: { mention: false, favourite: true } } });
  await mentionAlice(server, bob);
  await carol.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  const [message, ...others] = service.take();
  expect(others).toEqual([]);
  expect(await client.decrypt(message ?? {})).toMatchObject({ title: 'carol favourited your post', body: 'a post' });
});

test('PSH-01: hidden and filtered notifications are not pushed, nor those that were hidden meanwhile', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  const [carol, dave] = [await server.user('carol'), await server.user('dave')];
  await client.subscribe(alice, mentions);
  await server.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', carol.id).execute();
  await muteAccount(server.app, alice.id, dave.id);
  for (const user of [carol, dave]) await mentionAlice(server, user);
  await alice.post('/api/v2/filters', {
    title: 'no cheese',
    context: ['notifications'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'cheese' }],
  });
  await mentionAlice(server, bob, 'some cheese');
  expect(service.take()).toEqual([]);

  service.response = { status: 503 };
  await mentionAlice(server, bob, 'some bread');
  expect(service.take()).toHaveLength(1);
  service.response = { status: 201 };
  await blockAccount(server.app, alice.id, bob.id);
  server.clock.advance(600);
  await server.drain();
  expect(service.take()).toEqual([]);
});

test('ADM-06: a push for staff that waits for its retry is not sent to someone whose role lost the permission', async () => {
  await using scene = await startWithPush();
  const { server, service, bob, client } = scene;
  const keeper = await server.user('keeper', { role: 'moderator' });
  await client.subscribe(keeper, { alerts: { 'admin.report': true } });
  const report = async (reporter: TestUser) => {
    await reporter.post('/api/v1/reports', { account_id: scene.alice.id });
    await server.drain();
  };
  await report(bob);
  expect(service.take()).toHaveLength(1);
  service.response = { status: 503 };
  await report(await server.user('carol'));
  expect(service.take()).toHaveLength(1);
  service.response = { status: 201 };
  await updateRole(server.app, 'system', { id: standardRoles.moderator, permissions: ['manage_users'] });
  server.clock.advance(600);
  await server.drain();
  expect(service.take()).toEqual([]);
});

test('a report about a post of a group is pushed to its moderators while they moderate it', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  const keeper = await server.user('keeper', { role: 'moderator' });
  const groups = '/api/v1/fieldfare/groups';
  const { json: group } = await keeper.post(groups, { username: 'birds', display_name: 'Birds' });
  for (const member of [alice, bob]) await member.post(`/api/v1/accounts/${group.id}/follow`);
  await keeper.post(`${groups}/${group.id}/moderators`, { account_id: alice.id });
  await client.subscribe(alice, { alerts: { 'admin.report': true } });
  const id = await postBy(bob, 'Rude @birds');
  await server.drain();
  const report = async (name: string) => {
    const reporter = await server.user(name);
    await reporter.post('/api/v1/reports', { account_id: bob.id, status_ids: [id] });
    await server.drain();
  };
  await report('carol');
  const [message] = service.take();
  expect(await client.decrypt(message ?? {})).toMatchObject({
    notification_type: 'admin.report',
    title: 'A post in Birds was reported',
  });

  service.response = { status: 503 };
  await report('dora');
  expect(service.take()).toHaveLength(1);
  service.response = { status: 201 };
  await keeper.delete(`${groups}/${group.id}/moderators/${alice.id}`);
  server.clock.advance(600);
  await server.drain();
  expect(service.take()).toEqual([]);
});

test('PSH-01: nothing is pushed once the token is revoked, the user disabled or the account deleted', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await client.subscribe(alice, mentions);
  await transaction(server.app, (tx) => setUserDisabled(tx, server.app, alice.id, true));
  await mentionAlice(server, bob);
  expect(service.take()).toEqual([]);
  await transaction(server.app, (tx) => setUserDisabled(tx, server.app, alice.id, false));
  await mentionAlice(server, bob);
  expect(service.take()).toHaveLength(1);

  const other = await server.withScopes(alice, 'push');
  await client.subscribe(other, mentions);
  await mentionAlice(server, bob);
  expect(service.take()).toHaveLength(2);
  await deleteAccount(server.app, alice.id);
  await server.drain();
  expect(await countSubscriptions(server)).toBe(0);
});

test('PSH-01: a subscription is deleted with its token', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  const registered = (
    await server.anonymous.post('/api/v1/apps', {
      client_name: 'App',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      scopes: 'push',
    })
  ).json;
  await client.subscribe(alice, mentions);
  await server.pool.query(
    'update oauth_tokens set application_id = (select max(id) from oauth_applications) where user_id = $1',
    [alice.userId],
  );
  const { client_id, client_secret } = registered;
  const revoked = await server.anonymous.post('/oauth/revoke', { client_id, client_secret, token: alice.token });
  expect(revoked.status).toBe(200);
  expect(await countSubscriptions(server)).toBe(0);
  await mentionAlice(server, bob);
  expect(service.take()).toEqual([]);
  expect((await alice.get(path)).status).toBe(401);
});

test('PSH-01: a push service that answers 404 or 410 ends the subscription', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  for (const status of [404, 410]) {
    await client.subscribe(alice, mentions);
    service.response = { status };
    await mentionAlice(server, bob);
    expect(await countSubscriptions(server)).toBe(0);
    await mentionAlice(server, bob);
    expect(service.take()).toHaveLength(1);
  }
});

test('PSH-01: failed messages are retried with growing delays and an end', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await client.subscribe(alice, mentions);
  service.response = { status: 429, headers: { 'retry-after': '3600' } };
  await mentionAlice(server, bob);
  server.clock.advance(3_500);
  await server.drain();
  expect(service.take()).toHaveLength(1);
  server.clock.advance(200);
  service.response = { status: 200 };
  await server.drain();
  expect(service.take()).toHaveLength(1);
  expect((await server.pool.query('select from jobs')).rowCount).toBe(0);

  service.network.takeDown(host);
  await mentionAlice(server, bob);
  const pending = async () => (await server.pool.query("select data from jobs where name like 'push.%'")).rows;
  for (let attempt = 2; attempt <= 6; attempt += 1) {
    expect(await pending()).toMatchObject([{ data: { attempt } }]);
    server.clock.advance(attempt === 6 ? 10 * 3_600 : 3 * 3_600);
    await server.drain();
  }
  expect(await pending()).toEqual([]);
});

test('PSH-01: a subscription to which nothing can be sent for a week is deleted; a success in between keeps it', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await client.subscribe(alice, mentions);
  const days = async (count: number, status: number): Promise<number> => {
    for (let day = 0; day < count; day += 1) {
      service.response = { status };
      await mentionAlice(server, bob);
      server.clock.advance(86_400);
    }
    return countSubscriptions(server);
  };
  expect(await days(6, 403)).toBe(1);
  expect(await days(1, 201)).toBe(1);
  expect(await days(7, 400)).toBe(1);
  expect(await days(1, 500)).toBe(0);
  expect(service.take()).toHaveLength(15);
});

test('PSH-01: a slow push service does not delay others', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  const slow = Promise.withResolvers<Partial<OutgoingResponse>>();
  let waiting = 0;
  service.network.addHost('slow.test', () => {
    waiting += 1;
    return slow.promise;
  });
  const slowClient = await PushClient.create('https://slow.test/');
  for (let index = 0; index < 20; index += 1) {
    const subscribed = await slowClient.subscribe(await server.withScopes(alice, 'push'), mentions);
    expect(subscribed.status).toBe(200);
  }
  await client.subscribe(alice, mentions);
  await postBy(bob, '@alice hello');
  const drained = server.drain();
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBe(1);
  expect(waiting).toBeGreaterThan(0);
  slow.resolve({ status: 201 });
  await drained;
  expect(waiting).toBe(20);
});

test('PSH-01: a push service that does not respond gets five requests a minute', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await client.subscribe(alice, mentions);
  service.network.takeDown(host);
  for (let index = 0; index < 7; index += 1) await mentionAlice(server, bob);
  expect(service.network.requests.filter(({ url }) => url === client.endpoint)).toHaveLength(5);
  const jobs = await server.pool.query("select from jobs where name like 'push.%'");
  expect(jobs.rowCount).toBe(7);
});

test('PSH-01: an account has a bounded number of subscriptions, the latest ones', async () => {
  await using scene = await startWithPush();
  const { server, alice, client } = scene;
  const tokens: TestUser[] = [];
  for (let index = 0; index < 51; index += 1) {
    const token = await server.withScopes(alice, 'push');
    server.clock.advance(1);
    await client.subscribe(token, mentions);
    tokens.push(token);
  }
  expect(await countSubscriptions(server)).toBe(50);
  expect((await tokens[0]?.get(path))?.status).toBe(404);
  expect((await tokens[50]?.get(path))?.status).toBe(200);
});

test('PSH-01: messages reach a push service over the network; private addresses and redirects are refused', async () => {
  const received: { url: string | undefined; headers: Record<string, unknown>; body: Buffer }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    received.push({ url: request.url, headers: request.headers, body });
    if (request.url === '/redirect') response.writeHead(307, { location: '/target' }).end();
    else response.writeHead(201).end();
  };
  const service = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  for (const isAllowed of [true, false]) {
    const settings = { ALLOW_PRIVATE_ADDRESSES: String(isAllowed) };
    const outgoing = createOutgoing(parseConfig(settings), pino({ level: 'silent' }));
    await using server = await startServer({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' }, outgoing });
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const client = await PushClient.create(`${origin}/alice`);
    await client.subscribe(alice, mentions);
    const redirected = await PushClient.create(`${origin}/redirect`);
    await redirected.subscribe(await server.withScopes(alice, 'push'), mentions);
    await mentionAlice(server, bob);
    const messages = received.splice(0);
    if (isAllowed) {
      expect(messages.map(({ url }) => url).toSorted()).toEqual(['/alice', '/redirect']);
      const direct = messages.find(({ url }) => url === '/alice');
      expect(await client.decrypt(direct as OutgoingRequest)).toMatchObject({ body: '@alice hello' });
    } else {
      expect(messages).toEqual([]);
    }
  }
});

test('PSH-01: a notification without a subscription stores no job', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await mentionAlice(server, bob);
  await postBy(bob, '@alice again');
  const jobs = await server.pool.query("select from jobs where name like 'push.%'");
  expect(jobs.rowCount).toBe(0);
  await server.drain();
  expect((await alice.get('/api/v1/notifications')).json).toHaveLength(2);
});

test('PSH-01: the database has an access token only sealed; without the key of the server messages have none', async () => {
  await using scene = await startWithPush();
  const { server, service, alice, bob, client } = scene;
  await client.subscribe(alice, mentions);
  const { rows } = await server.pool.query('select token_id, sealed_token from push_subscriptions');
  const { token_id: tokenId, sealed_token: sealed } = rows[0] as { token_id: TokenId; sealed_token: Buffer };
  expect(sealed.includes(alice.token ?? '')).toBe(false);
  expect(await openToken(server.app, tokenId, sealed)).toBe(alice.token);
  const { mode, size } = statSync(join(server.app.config.dataDir, 'secrets/push-tokens.key'));
  expect([mode & 0o777, size]).toEqual([0o600, 32]);

  const otherToken = await server.withScopes(alice, 'push');
  const other = await PushClient.create(`https://${host}/other`);
  await other.subscribe(otherToken, mentions);
  await server.pool.query('update push_subscriptions set sealed_token = $1 where token_id <> $2', [sealed, tokenId]);
  await mentionAlice(server, bob);
  const tokens = await Promise.all(
    service.take().map(async (message) => {
      const payload = await client.decrypt(message).catch(() => other.decrypt(message));
      return payload.access_token;
    }),
  );
  expect(tokens.toSorted()).toEqual(['', alice.token]);
});
