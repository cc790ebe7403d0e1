import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v1/fieldfare/groups';

interface GroupJson {
  readonly id: AccountId;
  readonly account: {
    readonly group: boolean;
    readonly locked: boolean;
    readonly display_name: string;
    readonly note: string;
  };
  readonly posting: string;
  readonly moderated: boolean;
  readonly rules: string;
  readonly role: string | null;
  readonly moderators: { readonly acct: string }[];
  readonly waiting_posts_count: number | null;
  readonly follow_requests_count: number | null;
}

/** A server with the group birds, whose moderator is mia. */
async function scene(params: Record<string, unknown> = {}) {
  const server = await startServer();
  const [mia, alice] = [await server.user('mia', { role: 'moderator' }), await server.user('alice')];
  const { json } = await mia.post(path, { username: 'birds', ...params });
  const { id } = json as GroupJson;
  return { server, mia, alice, id, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const show = async (viewer: TestUser, id: string) => (await viewer.get(`${path}/${id}`)).json as GroupJson;
const post = async (user: TestUser, status: string) =>
  ((await user.post('/api/v1/statuses', { status })).json as { id: string }).id;

/** Ids of the posts that the group boosts. */
async function boosted(server: TestServer, id: string): Promise<(string | undefined)[]> {
  await server.drain();
  const { json } = await server.anonymous.get(`/api/v1/accounts/${id}/statuses`);
  return (json as { reblog: { id: string } | null }[]).map(({ reblog }) => reblog?.id);
}

const join = (user: TestUser, id: string) => user.post(`/api/v1/accounts/${id}/follow`);

test('a group is created by those who may, with errors that name the fields', async () => {
  await using server = await startServer();
  const [mia, alice] = [await server.user('mia', { role: 'moderator' }), await server.user('alice')];
  expect((await alice.post(path, { username: 'birds' })).status).toBe(403);
  expect((await server.anonymous.post(path, { username: 'birds' })).status).toBe(401);
  expect((await (await server.withScopes(mia, 'read')).post(path, { username: 'birds' })).status).toBe(403);
  for (const [params, field] of [
    [{ username: 'alice' }, 'username'],
    [{ username: 'no spaces' }, 'username'],
    [{ username: 'admin' }, 'username'],
    [{ username: 'birds', display_name: 'x'.repeat(41) }, 'display_name'],
    [{ username: 'birds', rules: 'x'.repeat(5001) }, 'rules'],
  ] as const) {
    const { status, json } = await mia.post(path, params);
    expect([status, Object.keys((json as { details: object }).details)], field).toEqual([422, [field]]);
  }
  const { json } = await mia.post(path, {
    username: 'Birds',
    display_name: 'Birds',
    rules: ' Be kind ',
    moderated: true,
  });
  const { id } = json as GroupJson;
  expect(json).toMatchObject({
    account: { acct: 'Birds', group: true, display_name: 'Birds', locked: false, followers_count: 1 },
    posting: 'members',
    moderated: true,
    rules: 'Be kind',
    role: 'moderator',
    moderators: [{ acct: 'mia' }],
    waiting_posts_count: 0,
  });
  expect((await mia.get(path)).json).toEqual([json]);
  expect((await alice.get(path)).json).toEqual([]);
  expect(await show(alice, id)).toMatchObject({ role: null, waiting_posts_count: null, follow_requests_count: null });
  expect((await mia.get(`${path}/${alice.id}`)).status).toBe(404);
});

test('a permission for every user lets everyone create groups, up to a limit', async () => {
  await using server = await startServer();
  const [owner, alice] = [
    await server.user('olga', { role: 'owner', scopes: 'read write follow admin:read admin:write' }),
    await server.user('alice'),
  ];
  const everyone = '/api/v1/fieldfare/admin/roles/-99';
  const { permissions } = (await owner.get(everyone)).json as { permissions: string[] };
  await owner.put(everyone, { permissions: [...permissions, 'create_groups'] });
  for (let number = 1; number <= 20; number += 1)
    expect((await alice.post(path, { username: `group${number}` })).status).toBe(200);
  expect((await alice.post(path, { username: 'group21' })).status).toBe(422);
});

test('moderators change profile and settings; others cannot', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const { json } = await mia.patch(`${path}/${id}`, {
    display_name: 'All birds',
    note: 'Feathers',
    locked: true,
    posting: 'moderators',
  });
  expect(json).toMatchObject({
    account: { display_name: 'All birds', locked: true },
    posting: 'moderators',
    moderated: false,
  });
  expect((await mia.patch(`${path}/${id}`, { rules: 'x'.repeat(5001) })).status).toBe(422);
  expect((await mia.patch(`${path}/${id}`, { note: 'x'.repeat(501) })).status).toBe(422);
  expect((await alice.patch(`${path}/${id}`, { note: 'Mine' })).status).toBe(403);
  expect((await mia.patch(`${path}/${mia.id}`, { note: 'No group' })).status).toBe(404);
  expect((await mia.patch(`${path}/${id}`, { bot: true })).json).toMatchObject({
    account: { group: true, bot: false },
  });
  await server.drain();
});

test('members post by a mention; strangers and, if it is closed for them, members do not', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  await post(alice, 'Hello @birds');
  expect(await boosted(server, id)).toEqual([]);
  await join(alice, id);
  const member = await post(alice, 'Hello again @birds');
  expect(await boosted(server, id)).toEqual([member]);
  const moderator = await post(mia, 'Welcome @birds');
  expect(await boosted(server, id)).toEqual([moderator, member]);
  await mia.patch(`${path}/${id}`, { posting: 'moderators' });
  await post(alice, 'Once more @birds');
  const news = await post(mia, 'News @birds');
  expect(await boosted(server, id)).toEqual([news, moderator, member]);
  // The group has no reader.
  const rows = await server.app.db.selectFrom('notifications').select('type').where('account_id', '=', id).execute();
  expect(rows).toEqual([]);
});

test('waiting posts are listed in pages, approved and refused by moderators, who are notified', async () => {
  await using setting = await scene({ moderated: true });
  const { server, mia, alice, id } = setting;
  await join(alice, id);
  const ids = [await post(alice, 'One @birds'), await post(alice, 'Two @birds'), await post(alice, 'Three @birds')];
  expect(await boosted(server, id)).toEqual([]);
  expect(await show(mia, id)).toMatchObject({ waiting_posts_count: 3 });
  const { json: news } = await mia.get('/api/v1/notifications?types[]=status');
  expect((news as { status: { id: string } }[]).map(({ status }) => status.id).toSorted()).toEqual(ids.toSorted());
  const listed = (await walk(mia, `${path}/${id}/waiting_posts?limit=2`)) as { id: string }[];
  expect(listed.map((status) => status.id)).toEqual(ids.toReversed());
  expect((await alice.get(`${path}/${id}/waiting_posts`)).status).toBe(403);

  const [one, two, three] = ids;
  expect((await alice.post(`${path}/${id}/posts/${one}/approve`)).status).toBe(403);
  for (let time = 0; time < 2; time += 1)
    expect((await mia.post(`${path}/${id}/posts/${one}/approve`)).status).toBe(200);
  for (let time = 0; time < 2; time += 1) expect((await mia.delete(`${path}/${id}/posts/${two}`)).status).toBe(200);
  expect((await mia.post(`${path}/${id}/posts/${two}/approve`)).status).toBe(404);
  await alice.delete(`/api/v1/statuses/${three}`);
  expect(await boosted(server, id)).toEqual([one]);
  expect((await mia.get(`${path}/${id}/waiting_posts`)).json).toEqual([]);

  expect((await alice.delete(`${path}/${id}/posts/${one}`)).status).toBe(403);
  for (let time = 0; time < 2; time += 1) expect((await mia.delete(`${path}/${id}/posts/${one}`)).status).toBe(200);
  expect(await boosted(server, id)).toEqual([]);
  expect((await mia.delete(`${path}/${id}/posts/1`)).status).toBe(404);
  expect((await alice.get(`/api/v1/statuses/${one}`)).status).toBe(200);
});

test('banned accounts are no members and cannot become any until the ban is lifted', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const bob = await server.user('bob');
  for (const user of [alice, bob]) await join(user, id);
  for (const user of [alice, bob])
    expect((await mia.post(`${path}/${id}/bans`, { account_id: user.id })).status).toBe(200);
  const banned = (await walk(mia, `${path}/${id}/bans?limit=1`)) as { id: string }[];
  expect(banned.map((account) => account.id)).toEqual([bob.id, alice.id]);
  await post(alice, 'Hello @birds');
  expect((await join(alice, id)).status).toBe(403);
  expect(await boosted(server, id)).toEqual([]);
  expect((await mia.post(`${path}/${id}/bans`, { account_id: mia.id })).status).toBe(422);
  expect((await alice.post(`${path}/${id}/bans`, { account_id: bob.id })).status).toBe(403);
  expect((await mia.post(`${path}/${id}/bans`, { account_id: '1' })).status).toBe(404);
  expect((await alice.get(`${path}/${id}/bans`)).status).toBe(403);
  expect((await alice.delete(`${path}/${id}/bans/${alice.id}`)).status).toBe(403);
  expect((await mia.delete(`${path}/${id}/bans/${alice.id}`)).status).toBe(200);
  await join(alice, id);
  const again = await post(alice, 'Back @birds');
  expect(await boosted(server, id)).toEqual([again]);
});

test('moderators of a locked group decide who follows it', async () => {
  await using setting = await scene({ locked: true });
  const { server, mia, alice, id } = setting;
  const bob = await server.user('bob');
  for (const user of [alice, bob]) await join(user, id);
  const asking = (await walk(mia, `${path}/${id}/follow_requests?limit=1`)) as { id: string }[];
  expect(asking.map((account) => account.id)).toEqual([bob.id, alice.id]);
  expect(await show(mia, id)).toMatchObject({ follow_requests_count: 2 });
  const decide = (user: TestUser, asker: TestUser, decision: string) =>
    user.post(`${path}/${id}/follow_requests/${asker.id}/${decision}`);
  expect((await alice.get(`${path}/${id}/follow_requests`)).status).toBe(403);
  expect((await decide(alice, alice, 'authorize')).status).toBe(403);
  expect((await decide(mia, alice, 'authorize')).status).toBe(200);
  expect((await decide(mia, bob, 'reject')).status).toBe(200);
  expect((await decide(mia, bob, 'reject')).status).toBe(404);
  const member = await post(alice, 'In @birds');
  await post(bob, 'Out @birds');
  expect(await boosted(server, id)).toEqual([member]);
});

test('members become moderators, and the last one cannot leave', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const add = (user: TestUser, account: string) => user.post(`${path}/${id}/moderators`, { account_id: account });
  const remove = (user: TestUser, account: string) => user.delete(`${path}/${id}/moderators/${account}`);
  expect((await add(mia, alice.id)).status).toBe(422);
  await join(alice, id);
  expect((await add(alice, alice.id)).status).toBe(403);
  expect((await add(mia, '1')).status).toBe(404);
  for (let time = 0; time < 2; time += 1)
    expect((await add(mia, alice.id)).json).toMatchObject({ moderators: [{ acct: 'mia' }, { acct: 'alice' }] });
  expect((await alice.delete(`${path}/${id}`)).status).toBe(422);
  expect((await remove(alice, mia.id)).json).toMatchObject({ moderators: [{ acct: 'alice' }] });
  expect((await remove(alice, mia.id)).status).toBe(404);
  expect((await remove(alice, alice.id)).status).toBe(422);
  expect((await (await server.user('bob')).delete(`${path}/${id}`)).status).toBe(403);
  expect((await alice.delete(`${path}/${id}`)).status).toBe(200);
  await server.drain();
  expect((await alice.get(`${path}/${id}`)).status).toBe(404);
  expect((await alice.get(path)).json).toEqual([]);
  expect((await mia.post(path, { username: 'birds' })).status).toBe(422);
});

test('a group without moderators waits for those who manage users', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const owner = await server.user('olga', { role: 'owner', scopes: 'read write follow admin:read admin:write' });
  await join(alice, id);
  await deleteAccount(server.app, mia.id);
  await server.drain();
  const left = await post(alice, 'Anybody here, @birds?');
  expect(await boosted(server, id)).toEqual([]);
  expect((await alice.get(path)).json).toEqual([]);
  expect((await owner.get(path)).json).toMatchObject([{ id, role: 'staff', moderators: [], waiting_posts_count: 1 }]);
  await owner.post(`${path}/${id}/posts/${left}/approve`);
  expect(await boosted(server, id)).toEqual([left]);
  await owner.post(`${path}/${id}/moderators`, { account_id: alice.id });
  expect((await owner.get(path)).json).toEqual([]);
  expect((await alice.get(path)).json).toMatchObject([{ id, role: 'moderator' }]);
});

test('moderators are notified of reports about posts of the group, without the reporter', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const [bob, carol] = [await server.user('bob'), await server.user('carol')];
  for (const user of [alice, bob]) await join(user, id);
  await mia.post(`${path}/${id}/moderators`, { account_id: bob.id });
  const status = await post(alice, 'Rude @birds');
  await server.drain();
  await carol.post('/api/v1/reports', { account_id: alice.id, status_ids: [status], comment: 'Rude' });
  await carol.post('/api/v1/reports', { account_id: alice.id, comment: 'Not about the group' });
  await server.drain();
  const { json } = await bob.get('/api/v1/notifications?types[]=admin.report');
  expect(json).toMatchObject([{ account: { acct: 'birds' }, report: { comment: 'Rude' } }]);
  const { json: others } = await alice.get('/api/v1/notifications?types[]=admin.report');
  expect(others).toEqual([]);
  const { json: staff } = await mia.get('/api/v1/notifications?types[]=admin.report');
  expect((staff as object[]).length).toBe(2);
});

test('posts of limited members wait, and a suspended group takes none', async () => {
  await using setting = await scene();
  const { server, mia, alice, id } = setting;
  const owner = await server.user('olga', { role: 'owner', scopes: 'read write follow admin:read admin:write' });
  await join(alice, id);
  await owner.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'silence' });
  const limited = await post(alice, 'Quiet @birds');
  expect(await boosted(server, id)).toEqual([]);
  expect((await mia.get(`${path}/${id}/waiting_posts`)).json).toMatchObject([{ id: limited }]);
  expect((await owner.post(`/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })).status).toBe(200);
  await post(mia, 'Hello @birds');
  await server.drain();
  const rows = await server.app.db.selectFrom('group_posts').select('id').where('state', '=', 'accepted').execute();
  expect(rows).toEqual([]);
});
