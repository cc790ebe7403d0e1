import { expect, test } from 'vitest';
import { silenceAccount } from '../../server/moderation/index.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { addRule } from './moderation-rules.ts';

const path = '/api/v1/fieldfare/admin/held_posts';
const ownPath = '/api/v1/fieldfare/held_posts';

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read write admin:read admin:write' });

const post = (user: TestUser, status: string, more: object = {}) => user.post('/api/v1/statuses', { status, ...more });

const titlesOf = async (user: TestUser, url: string): Promise<string[]> =>
  ((await user.get(url)).json as { content: string }[]).map(({ content }) => content);

test('ADM-05: a held post is a pending status for its author, and does not exist for others', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await addRule(server, { actions: ['hold'] });
  const poll = { options: ['Yes', 'No'], expires_in: 3_600 };
  const { status, json } = await post(alice, 'The casino #luck @bob', { poll, spoiler_text: 'Games' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    held_for_review: true,
    spoiler_text: 'Games',
    sensitive: true,
    visibility: 'public',
    account: { id: alice.id },
    mentions: [{ id: bob.id }],
    tags: [{ name: 'luck' }],
    poll: { options: [{ title: 'Yes' }, { title: 'No' }], expires_at: null },
  });
  expect((await alice.get(`/api/v1/statuses/${json.id}`)).json).toEqual(json);
  expect((await alice.get(ownPath)).json).toMatchObject([
    { id: json.id, state: 'pending', text: 'The casino #luck @bob' },
  ]);
  expect((await alice.get(`${ownPath}/${json.id}`)).json).toMatchObject({ id: json.id });
  await server.drain();
  for (const client of [bob, server.anonymous]) {
    expect((await client.get(`/api/v1/statuses/${json.id}`)).status).toBe(404);
  }
  expect((await bob.get(`${ownPath}/${json.id}`)).status).toBe(404);
  expect((await bob.get('/api/v1/timelines/home')).json).toEqual([]);
  expect((await bob.get('/api/v1/notifications?types[]=mention')).json).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(0);
  expect((await bob.post(`/api/v1/statuses/${json.id}/favourite`)).status).toBe(404);
});

test('ADM-05: an approved post is published once, with all that posting causes, and keeps its idempotency key', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const { id: ruleId } = await addRule(server, { actions: ['hold'] });
  const request = { status: '@bob a casino', visibility: 'unlisted' };
  const key = { headers: { 'idempotency-key': 'k' } };
  const held = (await alice.post('/api/v1/statuses', request, key)).json;
  expect((await alice.post('/api/v1/statuses', request, key)).json.id).toBe(held.id);
  expect((await staff.get(path)).json).toMatchObject([
    { id: held.id, account: { id: alice.id }, visibility: 'unlisted' },
  ]);
  server.clock.advance(600);
  const { status, json } = await staff.post(`${path}/${held.id}/approve`);
  expect([status, json]).toMatchObject([200, { state: 'approved', decided_at: server.clock.now().toISOString() }]);
  await server.drain();
  const published = (await alice.get(`/api/v1/statuses/${json.status_id}`)).json;
  expect(published).toMatchObject({ visibility: 'unlisted', created_at: server.clock.now().toISOString() });
  expect(published).not.toHaveProperty('held_for_review');
  expect((await alice.get(`/api/v1/statuses/${held.id}`)).json.id).toBe(json.status_id);
  expect((await alice.post('/api/v1/statuses', request, key)).json.id).toBe(json.status_id);
  expect(await titlesOf(bob, '/api/v1/timelines/home')).toHaveLength(1);
  expect((await bob.get('/api/v1/notifications?types[]=mention')).json).toMatchObject([
    { status: { id: json.status_id } },
  ]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.statuses_count).toBe(1);
  expect((await staff.get(path)).json).toEqual([]);
  expect((await staff.get(`${path}?state=approved`)).json).toMatchObject([{ id: held.id }]);
  for (const decision of ['approve', 'reject']) {
    expect((await staff.post(`${path}/${held.id}/${decision}`)).status).toBe(409);
  }
  expect((await staff.get(`/api/v1/fieldfare/admin/moderation_rules/${ruleId}/matches`)).json).toMatchObject([
    { target_type: 'held_post', target_id: held.id, actions: ['hold'] },
  ]);
});

test('ADM-05: the author of a rejected post gets a mail, with its text, and can post its files again', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  await addRule(server, { actions: ['hold'] });
  const held = (await post(alice, 'The casino')).json;
  const { status, json } = await staff.post(`${path}/${held.id}/reject`, { text: 'No advertising' });
  expect([status, json]).toMatchObject([200, { state: 'rejected', status_id: null }]);
  await server.drain();
  const mail = server.outbox.find(({ to }) => to === 'alice@mail.test');
  expect(mail?.text).toContain('The casino');
  expect(mail?.text).toContain('No advertising');
  expect((await alice.get(`/api/v1/statuses/${held.id}`)).status).toBe(404);
  expect((await alice.get(ownPath)).json).toMatchObject([{ state: 'rejected', text: 'The casino' }]);
  expect((await staff.post(`${path}/${held.id}/approve`)).status).toBe(409);
  expect((await staff.post(`${path}/1/approve`)).status).toBe(404);
  expect((await staff.post(`${path}/1/reject`)).status).toBe(404);
  expect((await staff.get(`${path}/1`)).status).toBe(404);
  const other = (await post(alice, 'Another casino')).json;
  expect((await staff.post(`${path}/${other.id}/reject`, { text: 'x'.repeat(5_001) })).status).toBe(422);
  const entries = await server.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target_type', '=', 'held_post')
    .execute();
  expect(entries).toEqual([{ action: 'held_post.reject' }]);
});

test('ADM-05: authors withdraw held posts, also as their apps delete statuses', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  await addRule(server, { actions: ['hold'] });
  const [one, other] = [(await post(alice, 'Casino one')).json, (await post(alice, 'Casino two')).json];
  expect((await bob.delete(`/api/v1/statuses/${one.id}`)).status).toBe(404);
  expect((await bob.delete(`${ownPath}/${one.id}`)).status).toBe(404);
  expect((await alice.delete(`/api/v1/statuses/${one.id}`)).json).toMatchObject({ id: one.id, text: 'Casino one' });
  expect((await alice.delete(`${ownPath}/${other.id}`)).json).toEqual({});
  expect((await alice.delete(`${ownPath}/${other.id}`)).status).toBe(404);
  expect((await staff.get(path)).json).toEqual([]);
  expect((await staff.post(`${path}/${one.id}/approve`)).status).toBe(404);
});

test('ADM-05: a held post cannot be published if its parent was deleted or its author suspended meanwhile', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  const parent = (await post(bob, 'Hello')).json;
  await addRule(server, { actions: ['hold'] });
  const reply = (await post(alice, 'Casino', { in_reply_to_id: parent.id })).json;
  expect(reply.in_reply_to_id).toBe(parent.id);
  await bob.delete(`/api/v1/statuses/${parent.id}`);
  expect((await staff.post(`${path}/${reply.id}/approve`)).status).toBe(422);
  expect((await staff.get(path)).json).toMatchObject([{ id: reply.id, state: 'pending' }]);
});

test('ADM-05: a scheduled post is held at its time; edits that would be held are refused', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const at = new Date(server.clock.now().getTime() + 600_000).toISOString();
  expect((await post(alice, 'Casino', { scheduled_at: at })).status).toBe(200);
  const { id } = (await post(alice, 'Harmless')).json;
  await addRule(server, { actions: ['hold'] });
  server.clock.advance(601);
  await server.drain();
  expect((await alice.get('/api/v1/scheduled_statuses')).json).toEqual([]);
  expect((await staff.get(path)).json).toMatchObject([{ text: 'Casino' }]);
  expect((await alice.put(`/api/v1/statuses/${id}`, { status: 'Casino' })).status).toBe(422);
});

test('ADM-05: an author may have 100 posts that wait', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server, { actions: ['hold'] });
  const { id } = (await post(alice, 'Casino')).json;
  await server.pool.query(
    `insert into held_posts select id + n, account_id, domain, null, state, params, preview, null, created_at, null
     from held_posts, generate_series(1, 99) as n where id = $1`,
    [id],
  );
  const { status, json } = await post(alice, 'Casino again');
  expect([status, json.error]).toEqual([422, 'Validation failed: Too many of your posts wait for review']);
});

test('ADM-05: rules mark posts as sensitive, limit and report their authors, and all of it can be undone', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  await silenceAccount(server.app, staff.id, { accountId: bob.id, notify: false });
  const { id: ruleId } = await addRule(server, { actions: ['sensitive', 'silence', 'report'] });
  const marked = (await post(alice, 'Casino')).json;
  const warned = (await post(alice, 'Casino', { spoiler_text: 'Games' })).json;
  await post(bob, 'Casino');
  expect([marked.sensitive, warned.sensitive]).toEqual([true, true]);
  await server.drain();
  const isSilenced = async ({ id }: TestUser): Promise<boolean> =>
    (await server.app.db.selectFrom('accounts').select('silenced_at').where('id', '=', id).executeTakeFirstOrThrow())
      .silenced_at !== null;
  expect([await isSilenced(alice), await isSilenced(bob)]).toEqual([true, true]);
  const reports = async () =>
    server.app.db.selectFrom('reports').select(['comment', 'status_ids', 'action_taken_at']).orderBy('id').execute();
  // One report for each account.
  const open = { comment: 'Casino', status_ids: [expect.any(String)], action_taken_at: null };
  expect(await reports()).toEqual([open, open]);

  const rulePath = `/api/v1/fieldfare/admin/moderation_rules/${ruleId}`;
  await staff.put(rulePath, { enabled: false, actions: ['hold'] });
  expect((await staff.post(`${rulePath}/undo`)).status).toBe(200);
  expect((await staff.post('/api/v1/fieldfare/admin/moderation_rules/1/undo')).status).toBe(404);
  await server.drain();
  expect([await isSilenced(alice), await isSilenced(bob)]).toEqual([false, true]);
  expect((await alice.get(`/api/v1/statuses/${marked.id}`)).json.sensitive).toBe(false);
  expect((await alice.get(`/api/v1/statuses/${warned.id}`)).json.sensitive).toBe(true);
  expect((await reports()).map(({ action_taken_at }) => action_taken_at === null)).toEqual([false, false]);
  const matches = (await staff.get(`${rulePath}/matches`)).json as { undone_at: string | null }[];
  expect(matches.map(({ undone_at }) => undone_at === null)).toEqual([false, false, false]);
});

test('ADM-05: a rule that limits an account which is limited already leaves its open reports', async () => {
  await using server = await startServer();
  const [, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  await silenceAccount(server.app, 'system', { accountId: alice.id, onlyIfNew: true });
  await bob.post('/api/v1/reports', { account_id: alice.id });
  const isOpen = async (): Promise<boolean> =>
    (await server.app.db.selectFrom('reports').select('action_taken_at').executeTakeFirstOrThrow()).action_taken_at ===
    null;
  expect(await silenceAccount(server.app, 'system', { accountId: alice.id, onlyIfNew: true })).toBe(false);
  expect(await isOpen()).toBe(true);
  expect(await silenceAccount(server.app, 'system', { accountId: alice.id })).toBe(true);
  expect(await isOpen()).toBe(false);
});

test('ADM-05: undoing a rule publishes the posts that it still holds', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  const { id } = await addRule(server, { actions: ['hold'] });
  const [first, second] = [(await post(alice, 'Casino one')).json, (await post(alice, 'Casino two')).json];
  await staff.post(`${path}/${second.id}/reject`);
  await staff.post(`/api/v1/fieldfare/admin/moderation_rules/${id}/undo`);
  await server.drain();
  expect(await titlesOf(alice, `/api/v1/accounts/${alice.id}/statuses`)).toEqual(['<p>Casino one</p>']);
  expect((await alice.get(`${ownPath}/${first.id}`)).json.state).toBe('approved');
  expect((await alice.get(`${ownPath}/${second.id}`)).json.state).toBe('rejected');
});
