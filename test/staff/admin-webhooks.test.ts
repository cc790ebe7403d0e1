import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OutgoingResponse } from '../../server/platform/outgoing/outgoing.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { approveSignUp } from '../../server/moderation/index.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { addRule } from './moderation-rules.ts';
import { giveRole } from './staff-roles.ts';

const path = '/api/v1/fieldfare/admin/webhooks';

interface Message {
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** A server with an owner, and a receiver of webhooks. */
class Scene implements AsyncDisposable {
  readonly network = new Network();
  readonly received: Message[] = [];
  response: Partial<OutgoingResponse> = { status: 200 };
  readonly server: TestServer;
  readonly staff: TestUser;

  private constructor(network: Network, server: TestServer, staff: TestUser) {
    this.network = network;
    this.server = server;
    this.staff = staff;
    network.addHost('hooks.test', (_url, { headers = {}, body = '' }) => {
      this.received.push({ headers, text: body.toString() });
      return this.response;
    });
  }

  static async start(): Promise<Scene> {
    const network = new Network();
    const server = await network.start('fieldfare.test');
    const scopes = 'admin:read admin:write read write';
    return new Scene(network, server, await server.user('merle', { role: 'owner', scopes }));
  }

  async create(events: readonly string[], more = {}): Promise<{ id: string; secret: string }> {
    const { status, json, text } = await this.staff.post(path, { url: 'https://hooks.test/x', events, ...more });
    if (status !== 200) throw new Error(text);
    return json;
  }

  /** Returns the messages since the last call, after all work that is due. */
  async take(): Promise<Message[]> {
    await this.server.drain();
    return this.received.splice(0);
  }

  /** Returns the events and objects of these messages. */
  async takeEvents() {
    return (await this.take()).map(({ text }) => JSON.parse(text));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.network[Symbol.asyncDispose]();
  }
}

test('ADM-06: staff manage webhooks of the server; the secret is shown only when it is created or replaced', async () => {
  await using scene = await Scene.start();
  const { staff } = scene;
  const created = await scene.create(['status.created', 'status.created', 'report.created'], {
    template: ' {{event}} ',
  });
  const { secret, ...shown } = created;
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(shown).toEqual({
    id: created.id,
    url: 'https://hooks.test/x',
    events: ['status.created', 'report.created'],
    template: '{{event}}',
    state: 'active',
    disabled_reason: null,
    failing_since: null,
    last_delivered_at: null,
    dropped_events: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const one = `${path}/${created.id}`;
  expect((await staff.get(one)).json).toEqual(shown);
  expect((await staff.get(path)).json).toEqual([shown]);
  expect((await staff.put(one, { template: '', events: ['account.created'] })).json).toMatchObject({
    template: null,
    events: ['account.created'],
    url: shown['url' as never],
  });
  expect((await staff.post(`${one}/disable`)).json).toMatchObject({ state: 'disabled', disabled_reason: 'owner' });
  expect((await staff.post(`${one}/enable`)).json).toMatchObject({ state: 'active', disabled_reason: null });
  const rotated = (await staff.post(`${one}/rotate_secret`)).json.secret;
  expect(rotated).toMatch(/^[0-9a-f]{40}$/);
  expect(rotated).not.toBe(secret);
  // It belongs to no token, so the routes of users do not know it.
  expect((await staff.get(`/api/v1/fieldfare/webhooks/${created.id}`)).status).not.toBe(200);
  expect((await staff.delete(one)).json).toEqual({});
  for (const gone of [staff.get(one), staff.put(one, {}), staff.delete(one), staff.post(`${one}/enable`)])
    expect((await gone).status).toBe(404);
  const log = await scene.server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute();
  expect(log.map(({ action }) => action)).toEqual(
    ['create', 'update', 'disable', 'enable', 'rotate_secret', 'delete'].map((verb) => `webhook.${verb}`),
  );
  expect(JSON.stringify(log)).not.toContain(secret);
  expect(JSON.stringify(log)).not.toContain('hooks.test/x');
});

test('ADM-06: a webhook with invalid settings is refused, and one for events that its creator may not see', async () => {
  await using scene = await Scene.start();
  const { staff, server } = scene;
  const events = ['report.created'];
  const url = 'https://hooks.test/';
  const refusals = [
    [{ events }, "URL can't be blank"],
    [{ url, events: [] }, "Events can't be blank"],
    [{ url: 'http://10.0.0.1/', events }, 'URL must be an https address'],
    [{ url: 'https://fieldfare.test/x', events }, 'URL must not be an address of this server'],
    [{ url, events, template: '{{object.id' }, 'Template'],
    [{ url, events: ['status.deleted'] }, 'events'],
  ] as const;
  for (const [body, text] of refusals) {
    const { status, json } = await staff.post(path, body);
    expect([status, json.error]).toEqual([422, expect.stringContaining(text)]);
  }
  const hookMaster = await server.user('rook', { scopes: 'admin:read admin:write' });
  await giveRole(server, hookMaster.id, { permissions: ['manage_webhooks', 'manage_reports'], position: 50 });
  const refused = await hookMaster.post(path, { url, events: ['report.created', 'account.created'] });
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'The event account.created needs the permission manage_users',
  ]);
  expect((await hookMaster.post(path, { url, events })).status).toBe(200);
  // A new address would send them what they may not see.
  const { id } = await scene.create(['status.created']);
  expect((await hookMaster.put(`${path}/${id}`, { url })).status).toBe(403);
  for (let count = 2; count < 20; count += 1) await scene.create(events);
  expect((await staff.post(path, { url, events })).json.error).toContain('maximum number of webhooks (20)');
});

test('ADM-06: webhooks get the events of local accounts, posts and reports, signed as by Mastodon', async () => {
  await using scene = await Scene.start();
  const { server, staff } = scene;
  const { id, secret } = await scene.create([
    'account.created',
    'account.approved',
    'account.updated',
    'report.created',
    'report.updated',
    'status.created',
    'status.updated',
  ]);
  const signUp = {
    username: 'dora',
    email: 'dora@mail.test',
    password: 'correct horse',
    approved: false,
    confirmed: true,
  };
  const { accountId: doraId } = await createUser(server.app, signUp);
  const [message, ...none] = await scene.take();
  expect(none).toEqual([]);
  const { headers, text } = message ?? { headers: {}, text: '' };
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-hub-signature']).toBe(`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`);
  expect(headers['webhook-signature']).toBeUndefined();
  expect(JSON.parse(text)).toMatchObject({
    event: 'account.created',
    created_at: server.clock.now().toISOString(),
    object: { id: doraId, username: 'dora', email: 'dora@mail.test', approved: false, account: { acct: 'dora' } },
  });
  await approveSignUp(server.app, 'system', { accountId: doraId });
  expect(await scene.takeEvents()).toMatchObject([{ event: 'account.approved', object: { approved: true } }]);
  const alice = await server.user('alice');
  await scene.take();
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' });
  expect(await scene.takeEvents()).toMatchObject([
    { event: 'account.updated', object: { id: alice.id, account: { display_name: 'Alice' } } },
  ]);
  const status = (await alice.post('/api/v1/statuses', { status: 'Hello', visibility: 'private' })).json.id;
  await alice.put(`/api/v1/statuses/${status}`, { status: 'Hello again' });
  await staff.post(`/api/v1/statuses/${(await alice.post('/api/v1/statuses', { status: 'x' })).json.id}/reblog`);
  const events = await scene.takeEvents();
  expect(events.map(({ event }) => event)).toEqual([
    'status.created',
    'status.updated',
    'status.created',
    'status.created',
  ]);
  expect(events[1]).toMatchObject({
    object: { id: status, content: '<p>Hello again</p>', account: { acct: 'alice' } },
  });
  expect(events[3]).toMatchObject({ object: { account: { acct: 'merle' }, reblog: { account: { acct: 'alice' } } } });
  const report = (await staff.post('/api/v1/reports', { account_id: alice.id, comment: 'Spam' })).json.id;
  await staff.post(`/api/v1/admin/reports/${report}/resolve`);
  const reports = await scene.takeEvents();
  expect(reports.map(({ event }) => event)).toEqual(['report.created', 'report.updated']);
  expect(reports[1]).toMatchObject({ object: { id: report, action_taken: true, comment: 'Spam' } });
  const { json: log } = await staff.get(`${path}/${id}/deliveries`);
  expect(log[0]).toMatchObject({ event: 'report.updated', state: 'delivered', attempts: 1, response_status: 200 });
});

test('ADM-06: a template makes the body of a webhook', async () => {
  await using scene = await Scene.start();
  const { server } = scene;
  const template = '{"text":"{{object.account.display_name}} wrote {{object.id}}","all":{{object.tags}}}';
  await scene.create(['status.created'], { template });
  const alice = await server.user('alice');
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'A "B"' });
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Hello' })).json;
  expect(await scene.takeEvents()).toEqual([{ text: `A "B" wrote ${id}`, all: [] }]);
});

test('ADM-06: a dead receiver is retried and delays no other; a deleted post is not sent', async () => {
  await using scene = await Scene.start();
  const { server, staff, network } = scene;
  const { id } = await scene.create(['status.created'], { url: 'https://dead.test/' });
  await scene.create(['status.created']);
  const alice = await server.user('alice');
  const post = async () => (await alice.post('/api/v1/statuses', { status: 'Hello' })).json.id as string;
  const first = await post();
  expect(await scene.takeEvents()).toMatchObject([{ object: { id: first } }]);
  expect((await staff.get(`${path}/${id}`)).json).toMatchObject({ state: 'failing' });
  const gone = await post();
  await alice.delete(`/api/v1/statuses/${gone}`);
  const third = await post();
  const retried: string[] = [];
  network.addHost('dead.test', (_url, { body = '' }) => {
    retried.push(JSON.parse(body.toString()).object.id);
    return { status: 200 };
  });
  server.clock.advance(60);
  await server.drain();
  expect(retried).toEqual([first, third]);
  expect((await staff.get(`${path}/${id}`)).json).toMatchObject({ state: 'active' });
  await staff.post(`${path}/${id}/disable`);
  await post();
  await server.drain();
  expect(retried).toHaveLength(2);
});

test('ADM-05, ADM-06: a webhook of staff is sent the posts that rules hold', async () => {
  await using scene = await Scene.start();
  await scene.create(['held_post.created']);
  await addRule(scene.server, { actions: ['hold'] });
  const alice = await scene.server.user('alice');
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Casino' })).json;
  const object = { id, state: 'pending', text: 'Casino', account: { acct: 'alice' } };
  expect(await scene.takeEvents()).toMatchObject([{ event: 'held_post.created', object }]);
});
