import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart, startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const scheduled = '/api/v1/scheduled_statuses';

const secondsFromNow = (server: TestServer, seconds: number) =>
  new Date(server.clock.now().getTime() + seconds * 1000).toISOString();

async function schedule(server: TestServer, user: TestUser, seconds: number, body: object = { status: 'Later' }) {
  const response = await user.post(statuses, { ...body, scheduled_at: secondsFromNow(server, seconds) });
  if (response.status !== 200) throw new Error(response.text);
  return response.json;
}

async function upload(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json.id as string;
}

const listPosts = async (user: TestUser) => (await user.get(`/api/v1/accounts/${user.id}/statuses`)).json;
const listScheduled = async (user: TestUser) =>
  (await user.get(scheduled)).json.map(({ id }: { id: string }) => id) as string[];

test('SCH-01: a scheduled status is posted at its time, with all its parameters', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const parent = (await alice.post(statuses, { status: 'Above' })).json.id;
  const file = await upload(alice);
  const poll = { options: ['a', 'b'], expires_in: 600, multiple: true };
  const body = {
    status: 'Hi #later',
    spoiler_text: 'cw',
    visibility: 'unlisted',
    language: 'de',
    sensitive: true,
    in_reply_to_id: parent,
    media_ids: [file],
    poll,
    interaction_policy: { can_reply: { automatic_approval: ['mentioned'], manual_approval: [] } },
  };
  const waiting = await alice.post(statuses, { ...body, scheduled_at: secondsFromNow(server, 600) });
  expect(waiting.json).toMatchObject({
    scheduled_at: secondsFromNow(server, 600),
    in_reply_to_id: parent,
    media_attachments: [{ id: file, type: 'image' }],
    params: {
      text: 'Hi #later',
      spoiler_text: 'cw',
      visibility: 'unlisted',
      language: 'de',
      sensitive: true,
      media_ids: [file],
      poll: { ...poll, hide_totals: false },
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
      interaction_policy: { can_reply: { automatic_approval: ['author', 'mentioned'] } },
    },
  });
  expect(waiting.text).toContain(`"in_reply_to_id":${parent},`);
  expect((await alice.get(`${scheduled}/${waiting.json.id}`)).json).toEqual(waiting.json);
  await server.drain();
  expect(await listPosts(alice)).toHaveLength(1);
  expect((await alice.post(statuses, { status: 'x', media_ids: [file] })).status).toBe(422);
  server.clock.advance(600);
  await server.drain();
  const [posted] = await listPosts(alice);
  expect(posted).toMatchObject({
    spoiler_text: 'cw',
    visibility: 'unlisted',
    language: 'de',
    in_reply_to_id: parent,
    created_at: server.clock.now().toISOString(),
    media_attachments: [{ id: file }],
    poll: { expires_at: secondsFromNow(server, 600), multiple: true },
    application: { name: 'Test app' },
    tags: [{ name: 'later' }],
  });
  expect(await listScheduled(alice)).toEqual([]);
  expect((await alice.get(`${scheduled}/${waiting.json.id}`)).status).toBe(404);
});

test('SCH-01: a time less than five minutes ahead is 422, a past time posts immediately, an invalid date is 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.post(statuses, { status: 'x', scheduled_at: secondsFromNow(server, 299) })).status).toBe(422);
  expect((await alice.post(statuses, { status: 'x', scheduled_at: 'soon' })).json.error).toBe('Invalid date supplied');
  expect((await alice.post(statuses, { status: 'x', scheduled_at: secondsFromNow(server, -1) })).json.content).toBe(
    '<p>x</p>',
  );
  for (const body of [{ status: '' }, { status: 'x', media_ids: ['1'] }, { status: 'x', poll: { options: ['a'] } }]) {
    expect((await alice.post(statuses, { ...body, scheduled_at: secondsFromNow(server, 900) })).status).toBe(422);
  }
  const unknown = { status: 'x', in_reply_to_id: '1', scheduled_at: secondsFromNow(server, 900) };
  expect((await alice.post(statuses, unknown)).status).toBe(404);
  expect(await listScheduled(alice)).toEqual([]);
});

test('SCH-01: a rescheduled status is posted at its new time, earlier or later', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [sooner, later] = [await schedule(server, alice, 3600), await schedule(server, alice, 600)];
  const move = (id: string, seconds: number) =>
    alice.put(`${scheduled}/${id}`, { scheduled_at: secondsFromNow(server, seconds) });
  expect((await move(sooner.id, 300)).json).toEqual({ ...sooner, scheduled_at: secondsFromNow(server, 300) });
  expect((await move(later.id, 7200)).status).toBe(200);
  expect((await move(later.id, 299)).status).toBe(422);
  expect((await alice.put(`${scheduled}/${later.id}`, { scheduled_at: 'never' })).status).toBe(422);
  expect((await alice.put(`${scheduled}/${later.id}`)).json.scheduled_at).toBe(secondsFromNow(server, 7200));
  server.clock.advance(300);
  await server.drain();
  expect(await listScheduled(alice)).toEqual([later.id]);
  server.clock.advance(3600);
  await server.drain();
  expect(await listPosts(alice)).toHaveLength(1);
  server.clock.advance(3300);
  await server.drain();
  expect(await listPosts(alice)).toHaveLength(2);
});

test('SCH-01: a deleted scheduled status is not posted, and its files can be attached again', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const file = await upload(alice);
  const { id } = await schedule(server, alice, 600, { media_ids: [file] });
  server.clock.advance(300);
  await server.runSchedule('media.clean_up_unattached');
  expect((await alice.delete(`${scheduled}/${id}`)).json).toEqual({});
  expect((await alice.delete(`${scheduled}/${id}`)).status).toBe(404);
  server.clock.advance(600);
  await server.drain();
  expect(await listPosts(alice)).toEqual([]);
  expect((await alice.post(statuses, { media_ids: [file] })).status).toBe(200);
});

test('SCH-01: files of a scheduled status are kept longer than a day', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const file = await upload(alice);
  await schedule(server, alice, 3 * 86_400, { status: 'x', media_ids: [file] });
  server.clock.advance(2 * 86_400);
  await server.runSchedule('media.clean_up_unattached');
  server.clock.advance(86_400);
  await server.drain();
  expect((await listPosts(alice))[0].media_attachments).toMatchObject([{ id: file }]);
});

test('SCH-01: a scheduled status is posted once, even if several workers run its job', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await schedule(server, alice, 600);
  server.clock.advance(600);
  const job = server.app.subscriptions.job('status.publish_scheduled');
  await Promise.all([1, 2, 3, 4].map(async () => job?.run(server.app, { scheduledId: id })));
  await server.drain();
  expect(await listPosts(alice)).toHaveLength(1);
});

test('SCH-01: a status that cannot be posted at its time stays in the list of scheduled statuses', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const parent = (await bob.post(statuses, { status: 'Above' })).json.id;
  const { id } = await schedule(server, alice, 600, { status: '@bob yes', in_reply_to_id: parent });
  await bob.delete(`${statuses}/${parent}`);
  server.clock.advance(600);
  await server.drain();
  expect([await listPosts(alice), await listScheduled(alice)]).toEqual([[], [id]]);
});

test('SCH-01: only the author, with the right scopes, can read and change a scheduled status', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await schedule(server, alice, 600);
  expect(await listScheduled(bob)).toEqual([]);
  expect((await bob.get(`/api/v1/scheduled_statuses/${id}`)).status).toBe(404);
  expect((await bob.put(`${scheduled}/${id}`, { scheduled_at: secondsFromNow(server, 900) })).status).toBe(404);
  expect((await bob.delete(`${scheduled}/${id}`)).status).toBe(404);
  expect((await server.anonymous.get(scheduled)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'write')).get(scheduled)).status).toBe(403);
  expect((await (await server.withScopes(alice, 'read')).delete(`${scheduled}/${id}`)).status).toBe(403);
});

test('SCH-01: the limits of 25 statuses per day (UTC) and 300 in total hold for concurrent requests', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const noon = new Date(Math.ceil(server.clock.now().getTime() / 86_400_000) * 86_400_000 + 43_200_000).getTime();
  const at = (day: number) => new Date(noon + day * 86_400_000).toISOString();
  const post = (day: number) => alice.post(statuses, { status: 'x', scheduled_at: at(day) });
  const responses = await Promise.all(Array.from({ length: 27 }, () => post(0)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(25);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(2);
  const other = (await post(1)).json.id;
  expect((await alice.put(`${scheduled}/${other}`, { scheduled_at: at(0) })).status).toBe(422);
  for (let day = 1; day < 12; day += 1) {
    await Promise.all(Array.from({ length: day === 1 ? 24 : 25 }, () => post(day)));
  }
  expect((await post(50)).status).toBe(422);
  expect((await alice.put(`${scheduled}/${other}`, { scheduled_at: at(60) })).status).toBe(200);
});

test('PAG-01: scheduled statuses are paginated, newest first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const created: string[] = [];
  for (let index = 0; index < 7; index += 1) created.unshift((await schedule(server, alice, 600 + index)).id);
  const walked = await walk(alice, `${scheduled}?limit=3`);
  expect(walked.map(({ id }) => id)).toEqual(created);
});

test('STA-10: the same key returns the same scheduled status, and the status once it is posted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const body = { status: 'Once', scheduled_at: secondsFromNow(server, 600) };
  const send = () => alice.post(statuses, body, { headers: { 'idempotency-key': 'k' } });
  const [first, second] = await Promise.all([send(), send()]);
  expect(first.json.id).toBe(second.json.id);
  expect(await listScheduled(alice)).toEqual([first.json.id]);
  server.clock.advance(600);
  await server.drain();
  expect((await send()).json.content).toBe('<p>Once</p>');
  expect(await listPosts(alice)).toHaveLength(1);
});
