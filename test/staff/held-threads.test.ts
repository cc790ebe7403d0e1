import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';
import { addRule } from './moderation-rules.ts';

const path = '/api/v1/fieldfare/admin/held_posts';
const counts = '/api/v1/fieldfare/admin/counts';
const threads = '/api/v1/fieldfare/threads';

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read write admin:read admin:write' });

async function upload(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json.id as string;
}

const postsOf = async (user: TestUser) =>
  (await user.get(`/api/v1/accounts/${user.id}/statuses`)).json as {
    id: string;
    content: string;
    in_reply_to_id: string | null;
  }[];

test('ADM-05: a thread is held as a whole and published as a whole', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  const file = await upload(alice);
  const { id: ruleId } = await addRule(server, { actions: ['hold'] });
  await addRule(server, { title: 'Two', actions: ['report'], conditions: { text: { keywords: ['two'] } } });
  const request = {
    posts: [
      { status: 'One', visibility: 'unlisted' },
      { status: 'Casino two', media_ids: [file] },
      { status: 'Three', visibility: 'private' },
    ],
  };
  const key = { headers: { 'idempotency-key': 'k' } };
  const { status, json: held } = await alice.post(threads, request, key);
  expect([status, held]).toMatchObject([
    200,
    [
      { held_for_review: true, visibility: 'unlisted', in_reply_to_id: null },
      { held_for_review: true, visibility: 'unlisted', media_attachments: [{ id: file }] },
      { held_for_review: true, visibility: 'private' },
    ],
  ]);
  const ids = (held as { id: string }[]).map(({ id }) => id);
  expect(held[1].in_reply_to_id).toBe(ids[0]);
  expect((await alice.post(threads, request, key)).json).toEqual(held);
  expect((await alice.get(`/api/v1/statuses/${ids[1]}`)).json).toEqual(held[1]);
  expect((await bob.get(`/api/v1/statuses/${ids[0]}`)).status).toBe(404);
  expect(await postsOf(alice)).toEqual([]);
  const waiting = (await staff.get(path)).json as { id: string; thread_id: string }[];
  expect(waiting.map(({ id, thread_id }) => [id, thread_id])).toEqual(ids.toReversed().map((id) => [id, ids[0]]));
  expect((await staff.get(counts)).json).toMatchObject({ held_posts: 3 });
  expect((await staff.get(`/api/v1/fieldfare/admin/moderation_rules/${ruleId}/matches`)).json).toMatchObject([
    { target_type: 'held_post', target_id: ids[1], excerpt: 'Casino two' },
  ]);

  expect((await staff.post(`${path}/${ids[2]}/approve`)).json).toMatchObject({ id: ids[2], state: 'approved' });
  await server.drain();
  const published = (await postsOf(alice)).toReversed();
  expect(published.map(({ content }) => content)).toEqual(['<p>One</p>', '<p>Casino two</p>', '<p>Three</p>']);
  expect(published.map((post) => post.in_reply_to_id)).toEqual([null, published[0]?.id, published[1]?.id]);
  expect(published[1]).toMatchObject({ visibility: 'unlisted', media_attachments: [{ id: file }] });
  expect((await alice.post(threads, request, key)).json.map(({ id }: { id: string }) => id)).toEqual(
    published.map(({ id }) => id),
  );
  expect((await alice.get(`/api/v1/statuses/${ids[1]}`)).json.id).toBe(published[1]?.id);
  for (const decision of ['approve', 'reject'])
    expect((await staff.post(`${path}/${ids[0]}/${decision}`)).status).toBe(409);
  const entries = await server.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target_type', '=', 'held_post')
    .execute();
  expect(entries).toEqual([{ action: 'held_post.approve' }]);
});

test('ADM-05: an author withdraws a part of a held thread; the rest replies to the same post', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  const parent = (await bob.post('/api/v1/statuses', { status: 'Hello' })).json;
  const { id: ruleId } = await addRule(server, { actions: ['hold'] });
  const posts = ['One', 'Casino', 'Three'].map((status) => ({ status }));
  const held = (await alice.post(threads, { posts, in_reply_to_id: parent.id })).json as { id: string }[];
  expect(held[0]).toMatchObject({ in_reply_to_id: parent.id });
  expect((await alice.delete(`/api/v1/statuses/${held[0]?.id}`)).status).toBe(200);
  await staff.post(`/api/v1/fieldfare/admin/moderation_rules/${ruleId}/undo`);
  await server.drain();
  const published = (await postsOf(alice)).toReversed();
  expect(published.map(({ content }) => content)).toEqual(['<p>Casino</p>', '<p>Three</p>']);
  expect(published.map((post) => post.in_reply_to_id)).toEqual([parent.id, published[0]?.id]);
  expect((await staff.get(counts)).json).toMatchObject({ held_posts: 0 });
});

test('ADM-05: a held thread is rejected as a whole, with one mail; its files can be posted again', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const file = await upload(alice);
  await addRule(server, { actions: ['hold'] });
  const posts = [{ status: 'Casino' }, { status: 'Second', media_ids: [file] }];
  const draft = (await alice.post('/api/v1/fieldfare/drafts', { posts })).json;
  const { status, json: held } = await alice.post(`/api/v1/fieldfare/drafts/${draft.id}/publish`);
  expect([status, held]).toMatchObject([200, [{ held_for_review: true }, { media_attachments: [{ id: file }] }]]);
  expect((await alice.get('/api/v1/fieldfare/drafts')).json).toEqual([]);
  expect((await alice.post('/api/v1/statuses', { status: 'Again', media_ids: [file] })).status).toBe(422);
  expect((await staff.post(`${path}/${held[1].id}/reject`, { text: 'No' })).json).toMatchObject({ state: 'rejected' });
  await server.drain();
  const mails = server.outbox.filter(({ to }) => to === 'alice@mail.test');
  expect(mails.map(({ text }) => text)).toEqual([expect.stringMatching(/Casino[^]*Second/)]);
  expect((await staff.get(`${path}?state=rejected`)).json).toHaveLength(2);
  expect((await alice.post('/api/v1/statuses', { status: 'Again', media_ids: [file] })).status).toBe(200);
});

test('ADM-05: a thread is refused if one of its posts is, if too many would wait, or if it cannot be published', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  const foreign = await upload(bob);
  const parent = (await bob.post('/api/v1/statuses', { status: 'Hello' })).json;
  await addRule(server, { actions: ['hold'] });
  await addRule(server, { title: 'No', conditions: { text: { keywords: ['roulette'] } } });
  const refused = await alice.post(threads, { posts: [{ status: 'Casino' }, { status: 'Roulette' }] });
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['posts[1].status']]);
  const wrong = await alice.post(threads, { posts: [{ status: 'Casino' }, { status: 'x', media_ids: [foreign] }] });
  expect([wrong.status, Object.keys(wrong.json.details)]).toEqual([422, ['posts[1].media_ids']]);
  expect((await staff.get(counts)).json).toMatchObject({ held_posts: 0 });

  const posts = [{ status: 'Casino' }, { status: 'Second' }];
  const [first] = (await alice.post(threads, { posts, in_reply_to_id: parent.id })).json as { id: string }[];
  await bob.delete(`/api/v1/statuses/${parent.id}`);
  expect((await staff.post(`${path}/${first?.id}/approve`)).status).toBe(422);
  await server.pool.query(
    `insert into held_posts (id, account_id, state, params, preview, created_at)
     select id + n, account_id, state, params, preview, created_at
     from held_posts, generate_series(100, 196) as n where id = $1`,
    [first?.id],
  );
  const { status, json } = await alice.post(threads, { posts });
  expect([status, json.error]).toEqual([422, 'Validation failed: Too many of your posts wait for review']);
});

test('ADM-05: rules do not apply to posts of staff who decide about held posts', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const { id } = await addRule(server, { actions: ['hold', 'silence'], enabled: false });
  for (const user of [staff, alice]) await user.post('/api/v1/statuses', { status: 'Casino' });
  await staff.post(`/api/v1/fieldfare/admin/moderation_rules/${id}/trials`);
  await server.drain();
  const [trial] = (await staff.get(`/api/v1/fieldfare/admin/moderation_rules/${id}/trials`)).json;
  expect(trial.samples).toMatchObject([{ account_id: alice.id }]);
  await staff.put(`/api/v1/fieldfare/admin/moderation_rules/${id}`, { enabled: true });
  expect((await staff.post('/api/v1/statuses', { status: 'A casino' })).json).not.toHaveProperty('held_for_review');
  expect((await alice.post('/api/v1/statuses', { status: 'A casino' })).json.held_for_review).toBe(true);
  expect((await staff.get(path)).json).toMatchObject([{ account: { id: alice.id } }]);
});

test('ADM-05: staff are mailed about held posts at most once in an hour, and not twice about one', async () => {
  await using server = await startServer();
  const [alice] = [await server.user('alice'), await createStaff(server)];
  await addRule(server, { actions: ['hold'] });
  const hold = async (text: string) => (await alice.post('/api/v1/statuses', { status: `${text} casino` })).json;
  const takeMails = async () => {
    await server.drain();
    await server.runSchedule('moderation.mail_staff_about_held_posts');
    await server.drain();
    return server.outbox.splice(0).filter(({ to }) => to === 'merle@mail.test');
  };
  const first = await hold('First');
  const [mail, ...others] = await takeMails();
  expect([mail?.subject, others]).toEqual([expect.stringContaining('A post waits for review'), []]);
  expect(mail?.text).toContain('@alice: First casino');
  await alice.delete(`/api/v1/statuses/${first.id}`);
  await hold('Second');
  await hold('Third');
  expect(await takeMails()).toEqual([]);
  server.clock.advance(3_601);
  const [later] = await takeMails();
  expect(later?.subject).toContain('2 posts wait for review');
  expect(later?.text).toMatch(/Third casino[^]*Second casino/);
  expect(later?.text).not.toContain('First');
  server.clock.advance(3_601);
  expect(await takeMails()).toEqual([]);
});
