import { pino } from 'pino';
import { expect, test } from 'vitest';
import { disableUser, enableUser } from '../../../server/moderation/index.ts';
import { parseConfig } from '../../../server/platform/config.ts';
import { createOutgoing, type OutgoingResponse } from '../../../server/platform/outgoing/outgoing.ts';
import { blockAccount } from '../../../server/relationships/hide/index.ts';
import { follow, postBy, reblogBy } from '../../feeds.ts';
import { resolveAccountOn, resolveStatusOn } from '../../federation/two-servers.ts';
import { failStatements, recordStatements } from '../../record-statements.ts';
import { startServer, walk } from '../../server.ts';
import { signatureOf, WebhookScene, webhooksPath as path, type ReceivedMessage } from '../../webhook-receiver.ts';

const typesOf = (messages: readonly ReceivedMessage[]): unknown[] => messages.map(({ body }) => body.type);

test('posts, edits, boosts and deletions of the account are sent as the API shows them, signed', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  const { id, secret } = await scene.create(['status.created', 'status.updated', 'status.deleted']);
  const status = await postBy(alice, { status: 'psst', visibility: 'private' });
  const now = server.clock.now();
  const [created] = await scene.take();
  expect(created?.body).toEqual({
    type: 'status.created',
    timestamp: now.toISOString(),
    account_id: alice.id,
    data: (await alice.get(`/api/v1/statuses/${status}`)).json,
  });
  expect(created?.id).toMatch(/^msg_\d+$/);
  expect(created?.timestamp).toBe(Math.floor(now.getTime() / 1000));
  expect(created?.signatures).toEqual([signatureOf(created as ReceivedMessage, secret)]);

  await alice.put(`/api/v1/statuses/${status}`, { status: 'louder' });
  const boosted = await postBy(bob, 'look');
  const boost = await reblogBy(alice, boosted);
  await alice.delete(`/api/v1/statuses/${status}`);
  await alice.post(`/api/v1/statuses/${boosted}/unreblog`);
  const messages = await scene.take();
  expect(typesOf(messages)).toEqual(['status.deleted', 'status.deleted']);
  expect(messages.map(({ body }) => body.data)).toEqual([{ id: status }, { id: boost }]);
  // What was gone before it could be sent is left out.
  const log = (await alice.get(`${path}/${id}/deliveries`)).json;
  expect(log.map(({ event, state }: { event: string; state: string }) => [event, state])).toEqual([
    ['status.deleted', 'delivered'],
    ['status.deleted', 'delivered'],
    ['status.created', 'delivered'],
  ]);

  const next = await postBy(alice, 'one');
  await scene.take();
  await alice.put(`/api/v1/statuses/${next}`, { status: 'two' });
  const [updated] = await scene.take();
  expect([updated?.body.type, updated?.body.data.content]).toEqual(['status.updated', '<p>two</p>']);
  const again = await reblogBy(alice, boosted);
  const [reblogged] = await scene.take();
  expect([reblogged?.body.data.id, reblogged?.body.data.reblog.id]).toEqual([again, boosted]);
});

test('nothing of other accounts is sent, nor events that the webhook does not want', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['status.deleted', 'follow.created']);
  await follow(server, alice, bob);
  expect(typesOf(await scene.take())).toEqual(['follow.created']);
  const status = await postBy(bob, '@alice hello');
  await postBy(alice, 'hi');
  await bob.delete(`/api/v1/statuses/${status}`);
  await follow(server, bob, alice);
  expect(await scene.take()).toEqual([]);
});

test('notifications are sent as the API shows them, and not those of accounts that were blocked meanwhile', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['notification.created']);
  await postBy(bob, '@alice hello');
  const [message] = await scene.take();
  const [notification] = (await alice.get('/api/v1/notifications')).json;
  expect([message?.body.type, message?.body.data]).toEqual(['notification.created', notification]);
  scene.response = { status: 503 };
  await postBy(bob, '@alice hello again');
  expect(await scene.take()).toHaveLength(1);
  await blockAccount(server.app, alice.id, bob.id);
  scene.response = { status: 200 };
  server.clock.advance(20);
  expect(await scene.take()).toEqual([]);
});

test('follows and followers are sent with the other account, unless they ended before', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['follow.created', 'follower.created']);
  await follow(server, alice, bob);
  await follow(server, bob, alice);
  const messages = await scene.take();
  expect(messages.map(({ body }) => [body.type, body.data.id])).toEqual([
    ['follow.created', bob.id],
    ['follower.created', bob.id],
  ]);
  const account = (await alice.get(`/api/v1/accounts/${bob.id}`)).json;
  expect(messages[1]?.body.data).toEqual(account);
  const carol = await server.user('carol');
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  await carol.post(`/api/v1/accounts/${alice.id}/unfollow`);
  expect(await scene.take()).toEqual([]);
});

test('a secret that was replaced signs for a day as well', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id, secret } = await scene.create(['status.created']);
  const rotated = (await alice.post(`${path}/${id}/rotate_secret`)).json.secret as string;
  await postBy(alice, 'one');
  const [first] = await scene.take();
  if (first === undefined) throw new Error('nothing was sent');
  expect(first.signatures).toEqual([signatureOf(first, rotated), signatureOf(first, secret)]);
  server.clock.advance(86_401);
  await postBy(alice, 'two');
  const [second] = await scene.take();
  if (second === undefined) throw new Error('nothing was sent');
  expect(second.signatures).toEqual([signatureOf(second, rotated)]);
});

test('a failed message is sent again under the same id, before later ones, and the pauses grow', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id } = await scene.create(['status.created']);
  scene.response = { status: 500 };
  await postBy(alice, 'one');
  const [first] = await scene.take();
  await postBy(alice, 'two');
  expect(await scene.take()).toEqual([]);
  expect((await alice.get(`${path}/${id}`)).json).toMatchObject({
    state: 'failing',
    failing_since: server.clock.now().toISOString(),
  });
  server.clock.advance(9);
  expect(await scene.take()).toEqual([]);
  server.clock.advance(4);
  const [second] = await scene.take();
  expect(second?.id).toBe(first?.id);
  expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(13);
  server.clock.advance(50);
  expect(await scene.take()).toEqual([]);
  const waiting = (await alice.get(`${path}/${id}/deliveries`)).json;
  expect(waiting).toMatchObject([
    { event: 'status.created', state: 'pending', attempts: 0, response_status: null },
    { event: 'status.created', state: 'pending', attempts: 2, response_status: 500, error: null },
  ]);
  scene.response = { status: 200 };
  server.clock.advance(30);
  const [third, fourth] = await scene.take();
  expect([third?.id, third?.body.data.content, fourth?.body.data.content]).toEqual([
    first?.id,
    '<p>one</p>',
    '<p>two</p>',
  ]);
  expect((await alice.get(`${path}/${id}`)).json).toMatchObject({
    state: 'active',
    failing_since: null,
    last_delivered_at: server.clock.now().toISOString(),
  });
});

test('Retry-After is kept, a rejected message is not sent again, and an unreachable host is named in the log', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, network } = scene;
  const { id } = await scene.create(['status.created']);
  const logOf = async () => (await alice.get(`${path}/${id}/deliveries`)).json;
  scene.response = { status: 429, headers: { 'retry-after': '3600' } };
  await postBy(alice, 'one');
  expect(await scene.take()).toHaveLength(1);
  server.clock.advance(3_500);
  expect(await scene.take()).toEqual([]);
  scene.response = { status: 404 };
  server.clock.advance(101);
  expect(await scene.take()).toHaveLength(1);
  expect((await logOf())[0]).toMatchObject({ state: 'failed', attempts: 2, response_status: 404 });
  scene.response = { status: 301, headers: { location: 'https://elsewhere.test/' } };
  await postBy(alice, 'two');
  expect(await scene.take()).toHaveLength(1);
  expect((await logOf())[0]).toMatchObject({ state: 'failed', attempts: 1, response_status: 301 });
  expect(network.requests.map(({ url }) => url)).not.toContain('https://elsewhere.test/');
  network.takeDown('hooks.test');
  await postBy(alice, 'three');
  await server.drain();
  expect((await logOf())[0]).toMatchObject({ state: 'pending', response_status: null, error: 'unreachable' });
  expect((await alice.get(`${path}/${id}`)).json.state).toBe('failing');
});

test('the pauses grow with outages in a row, and rejected messages do not lengthen them', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id } = await scene.create(['status.created']);
  scene.response = { status: 401 };
  for (const text of ['one', 'two', 'three', 'four', 'five']) await postBy(alice, text);
  expect(await scene.take()).toHaveLength(5);
  scene.response = { status: 502 };
  await postBy(alice, 'six');
  expect(await scene.take()).toHaveLength(1);
  server.clock.advance(13);
  expect(await scene.take()).toHaveLength(1);
  // The second pause is a minute, unless the receiver was up in between.
  server.clock.advance(13);
  expect(await scene.take()).toEqual([]);
  scene.response = { status: 401 };
  server.clock.advance(60);
  expect(await scene.take()).toHaveLength(1);
  scene.response = { status: 502 };
  await postBy(alice, 'seven');
  expect(await scene.take()).toHaveLength(1);
  scene.response = { status: 204 };
  server.clock.advance(13);
  expect((await scene.take()).map(({ body }) => body.data.content)).toEqual(['<p>seven</p>']);
  expect((await alice.get(`${path}/${id}`)).json.state).toBe('active');
});

test('a private address is refused when a message is sent', async () => {
  const outgoing = createOutgoing(parseConfig({}), pino({ level: 'silent' }), {
    resolve: (_host, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]),
  });
  await using server = await startServer({ outgoing });
  const alice = await server.user('alice');
  const { id } = (await alice.post(path, { url: 'https://inside.test/', events: ['status.created'] })).json;
  await postBy(alice, 'one');
  await server.drain();
  const [delivery] = (await alice.get(`${path}/${id}/deliveries`)).json;
  expect(delivery).toMatchObject({ state: 'failed', attempts: 1, response_status: null, error: 'refused' });
  await outgoing.close();
});

test('one event is given up after eight attempts, and a webhook is disabled after failing for three days', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id } = await scene.create(['status.created']);
  scene.response = { status: 502 };
  await postBy(alice, 'one');
  await postBy(alice, 'two');
  let attempts = 0;
  for (let hour = 0; hour < 40; hour += 1) {
    attempts += (await scene.take()).filter(({ body }) => body.data.content === '<p>one</p>').length;
    server.clock.advance(3_600);
  }
  expect(attempts).toBe(8);
  expect((await alice.get(`${path}/${id}`)).json.state).toBe('failing');
  for (let hour = 40; hour < 100; hour += 1) {
    await scene.take();
    server.clock.advance(3_600);
  }
  expect((await alice.get(`${path}/${id}`)).json).toMatchObject({ state: 'disabled', disabled_reason: 'failures' });
  await postBy(alice, 'three');
  expect(await scene.take()).toEqual([]);
  const log = (await alice.get(`${path}/${id}/deliveries`)).json;
  expect(log).toMatchObject([{ state: 'failed', attempts: 8, response_status: 502 }]);

  scene.response = { status: 200 };
  await alice.put(`${path}/${id}`, { enabled: true });
  await postBy(alice, 'four');
  expect((await scene.take()).map(({ body }) => body.data.content)).toEqual(['<p>four</p>']);
});

test('a receiver that answers 410 disables the webhook at once', async () => {
  await using scene = await WebhookScene.start();
  const { alice } = scene;
  const { id } = await scene.create(['status.created']);
  scene.response = { status: 410 };
  await postBy(alice, 'one');
  await postBy(alice, 'two');
  expect(await scene.take()).toHaveLength(1);
  expect((await alice.get(`${path}/${id}`)).json).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
  expect((await alice.get(`${path}/${id}/deliveries`)).json).toMatchObject([{ state: 'failed', response_status: 410 }]);
});

test('a ping is sent at once and ends a pause; a new address does so too', async () => {
  await using scene = await WebhookScene.start();
  const { alice } = scene;
  const { id } = await scene.create(['status.created']);
  const ping = await alice.post(`${path}/${id}/ping`);
  expect(ping.json).toMatchObject({ event: 'webhook.ping', state: 'pending', attempts: 0 });
  const [message] = await scene.take();
  expect(message?.body).toMatchObject({ type: 'webhook.ping', account_id: alice.id, data: {} });
  scene.response = { status: 500 };
  await postBy(alice, 'one');
  expect(await scene.take()).toHaveLength(1);
  const pings = [await alice.post(`${path}/${id}/ping`), await alice.post(`${path}/${id}/ping`)];
  expect(pings[1]?.json.id).toBe(pings[0]?.json.id);
  expect(typesOf(await scene.take())).toEqual(['status.created']);
  scene.response = { status: 200 };
  await alice.put(`${path}/${id}`, { url: 'https://hooks.test/new' });
  const messages = await scene.take();
  expect(typesOf(messages)).toEqual(['status.created', 'webhook.ping']);
  expect(messages[0]?.url).toBe('https://hooks.test/new');
});

test('a dead receiver delays no other one, and keeps at most 1,000 events', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob, network } = scene;
  network.addHost('dead.test', () => {
    throw new Error('nothing may be sent during a pause');
  });
  const { id } = await scene.create(['status.created'], { url: 'https://dead.test/' });
  await scene.create(['status.created'], { user: bob, url: 'https://hooks.test/bob' });
  await server.db
    .updateTable('webhooks')
    .set({ failing_since: server.clock.now(), failures: 3, retry_at: new Date(server.clock.now().getTime() + 60_000) })
    .where('id', '=', id as never)
    .execute();
  await server.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event, subject_id, created_at)
     select n, $1, 'status.created', 1, $2 from generate_series(1, 999) n`,
    [id, server.clock.now()],
  );
  for (const text of ['one', 'two', 'three']) await postBy(alice, text);
  await postBy(bob, 'hello');
  expect((await scene.take()).map(({ url }) => url)).toEqual(['https://hooks.test/bob']);
  const { rows } = await server.pool.query(
    'select count(*)::int as count from webhook_deliveries where webhook_id = $1',
    [id],
  );
  expect(rows[0].count).toBe(1_000);
  expect((await alice.get(`${path}/${id}`)).json).toMatchObject({ state: 'failing', dropped_events: 2 });
  // No job waits for each event of a webhook that pauses.
  expect(await server.db.selectFrom('jobs').select('name').where('queue', '=', 'webhooks').execute()).toEqual([]);
  await alice.put(`${path}/${id}`, { enabled: false });
  expect(
    await server.db.selectFrom('webhook_deliveries').select('id').where('state', '=', 'pending').execute(),
  ).toEqual([]);
});

test('a slow receiver gets one message of a webhook at a time, and delays no other webhook', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob, network } = scene;
  const slow = Promise.withResolvers<Partial<OutgoingResponse>>();
  let waiting = 0;
  network.addHost('slow.test', () => {
    waiting += 1;
    return slow.promise;
  });
  for (let count = 0; count < 10; count += 1) await scene.create(['status.created'], { url: 'https://slow.test/' });
  await scene.create(['status.created'], { user: bob });
  for (const text of ['one', 'two', 'three']) await postBy(alice, text);
  await postBy(bob, 'hello');
  const drained = server.drain();
  await expect.poll(() => scene.received.length, { timeout: 30_000 }).toBe(1);
  expect(waiting).toBeLessThanOrEqual(10);
  slow.resolve({ status: 200 });
  await drained;
  expect(waiting).toBe(30);
});

test('events that wait without a job are sent within about an hour', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['status.created']);
  await scene.create(['status.created'], { user: bob, url: 'https://hooks.test/bob' });
  const webhookJobs = server.db.selectFrom('jobs').select('id').where('queue', '=', 'webhooks');
  await postBy(alice, 'one');
  // As after a job that failed too often.
  await server.db
    .updateTable('jobs')
    .set({ exhausted_at: server.clock.now() })
    .where('queue', '=', 'webhooks')
    .execute();
  await postBy(bob, 'hello');
  await postBy(alice, 'two');
  await server.runSchedule('webhook.resume_deliveries');
  expect(await webhookJobs.execute()).toHaveLength(2);
  server.clock.advance(3_601);
  await server.runSchedule('webhook.resume_deliveries');
  await server.runSchedule('webhook.resume_deliveries');
  expect(await webhookJobs.execute()).toHaveLength(3);
  const messages = await scene.take();
  expect(messages.map(({ body }) => body.data.content).toSorted()).toEqual([
    '<p>hello</p>',
    '<p>one</p>',
    '<p>two</p>',
  ]);
  await server.db.deleteFrom('jobs').execute();
});

test('a pause ends with the job that finds nothing to send, also for a process whose clock is behind', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['notification.created']);
  scene.response = { status: 503 };
  await postBy(bob, '@alice hello');
  expect(await scene.take()).toHaveLength(1);
  await blockAccount(server.app, alice.id, bob.id);
  server.clock.advance(20);
  expect(await scene.take()).toEqual([]);
  server.clock.advance(-15);
  scene.response = { status: 204 };
  const carol = await server.user('carol');
  await postBy(carol, '@alice hi');
  expect(await scene.take()).toHaveLength(1);
});

test('an event whose presentation fails for a moment is sent later, and given up after eight attempts', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id } = await scene.create(['status.created']);
  server.expectFailedJobs('webhook.deliver_events');
  const readsCaller = (text: string) => text.startsWith('select "token"."id"');
  await postBy(alice, 'one');
  for (const code of ['57014', '40P01']) {
    using _failing = failStatements(code, readsCaller);
    expect(await scene.take()).toEqual([]);
    server.clock.advance(75);
  }
  const contents = (messages: readonly ReceivedMessage[]) => messages.map(({ body }) => body.data.content);
  expect(contents(await scene.take())).toEqual(['<p>one</p>']);
  await postBy(alice, 'two');
  {
    using _failing = failStatements('57014', readsCaller);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(await scene.take()).toEqual([]);
      server.clock.advance(12 * 3_600);
    }
  }
  await postBy(alice, 'three');
  expect(contents(await scene.take())).toEqual(['<p>three</p>']);
  expect((await alice.get(`${path}/${id}/deliveries`)).json).toMatchObject([
    { state: 'delivered', attempts: 1 },
    { state: 'failed', attempts: 8, response_status: null, error: 'internal' },
    { state: 'delivered', attempts: 3, error: null },
  ]);
  // The receiver had no part in it.
  expect((await alice.get(`${path}/${id}`)).json.state).toBe('active');
});

test('while no account has webhooks, events cost no query for them', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  const act = async (): Promise<void> => {
    const status = await postBy(alice, '@bob hello');
    await reblogBy(bob, status);
    await alice.delete(`/api/v1/statuses/${status}`);
    await server.drain();
  };
  await act();
  const statements = await recordStatements(act);
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.filter(({ text }) => text.includes('webhook'))).toEqual([]);
});

test('accounts without webhooks cost no query, local or remote, while others have some', async () => {
  await using scene = await WebhookScene.start();
  const { bob, network } = scene;
  await scene.create(['status.created', 'status.deleted']);
  const other = await network.start('other.test');
  const remote = await other.user('remote');
  const act = async (): Promise<void> => {
    const status = await postBy(bob, 'hello');
    const { uri } = (await bob.get(`/api/v1/statuses/${status}`)).json;
    const boost = await reblogBy(remote, (await resolveStatusOn(other, uri)) ?? '');
    await network.drain();
    expect((await bob.get(`/api/v1/statuses/${status}`)).json.reblogs_count).toBe(1);
    await remote.post(`/api/v1/statuses/${boost}/unreblog`);
    await network.drain();
  };
  await act();
  const bobId = await resolveAccountOn(other, 'bob@fieldfare.test');
  const statements = await recordStatements(async () => {
    await act();
    await remote.post(`/api/v1/accounts/${bobId}/follow`);
    await network.drain();
  });
  expect((await bob.get(`/api/v1/accounts/${bob.id}`)).json.followers_count).toBe(1);
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.filter(({ text }) => /\bwebhooks\b/.test(text) && !text.includes('update jobs'))).toEqual([]);
});

test('many events of a webhook are sent in order by few jobs, and the log has the last 100', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  const { id } = await scene.create(['status.created']);
  for (let count = 0; count < 25; count += 1) await postBy(alice, `number ${count}`);
  const jobs = await server.db.selectFrom('jobs').select('id').where('queue', '=', 'webhooks').execute();
  expect(jobs).toHaveLength(1);
  const messages = await scene.take();
  expect(messages.map(({ body }) => body.data.content)).toEqual(
    Array.from({ length: 25 }, (_, count) => `<p>number ${count}</p>`),
  );
  await server.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event, state, created_at)
     select n, $1, 'webhook.ping', 'delivered', $2 from generate_series(1, 100) n`,
    [id, server.clock.now()],
  );
  await postBy(alice, 'last');
  await scene.take();
  const log = await walk(alice, `${path}/${id}/deliveries?limit=30`);
  expect(log).toHaveLength(100);
  expect(new Set(log.map((delivery) => delivery.id)).size).toBe(100);
  expect(log.filter((delivery) => (delivery as { event?: string }).event === 'status.created')).toHaveLength(26);
});

test('events of simultaneous posts are all sent once', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice } = scene;
  await scene.create(['status.created']);
  const worker = (async () => {
    for (let round = 0; round < 10; round += 1) await server.drain();
  })();
  const ids = await Promise.all(Array.from({ length: 20 }, (_, count) => postBy(alice, `number ${count}`)));
  await worker;
  const received = await scene.take();
  expect(received.map(({ body }) => body.data.id as string).toSorted()).toEqual(ids.toSorted());
});

test('while the user is disabled nothing is sent, and what happened meanwhile is lost', async () => {
  await using scene = await WebhookScene.start();
  const { server, alice, bob } = scene;
  await scene.create(['notification.created']);
  await disableUser(server.app, 'system', { accountId: alice.id });
  await postBy(bob, '@alice hello');
  expect(await scene.take()).toEqual([]);
  await enableUser(server.app, 'system', { accountId: alice.id });
  await postBy(bob, '@alice welcome');
  expect((await scene.take()).map(({ body }) => body.data.status.content)).toEqual([
    expect.stringContaining('welcome'),
  ]);
});
