import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import type { StatusId } from '../../../server/platform/ids.ts';
import { filterVisibleStatuses } from '../../../server/statuses/read/index.ts';
import { type Surface } from '../../../server/statuses/visibility/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post(statuses, { status, ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json.id as StatusId;
}

type Reader = Pick<TestUser, 'get' | 'post'>;

const visibleTo: Record<string, string[]> = {
  anonymous: ['public', 'unlisted'],
  stranger: ['public', 'unlisted'],
  follower: ['public', 'unlisted', 'private'],
  mentioned: ['public', 'unlisted', 'private', 'direct'],
  blocked: [],
  blocking: ['public', 'unlisted'],
  muting: ['public', 'unlisted'],
  author: ['public', 'unlisted', 'private', 'direct'],
};

/** Creates an author, and a user in each relation to the author. */
async function createUsers(server: TestServer) {
  const author = await server.user('author');
  const names = ['stranger', 'follower', 'mentioned', 'blocked', 'blocking', 'muting'] as const;
  const users: Record<string, TestUser> = { author };
  for (const name of names) users[name] = await server.user(name);
  await users['follower']?.post(`/api/v1/accounts/${author.id}/follow`);
  await author.post(`/api/v1/accounts/${users['blocked']?.id}/block`);
  await users['blocking']?.post(`/api/v1/accounts/${author.id}/block`);
  await users['muting']?.post(`/api/v1/accounts/${author.id}/mute`);
  return { author, users };
}

test('every route applies the same visibility for each relation to the author', async () => {
  await using server = await startServer();
  const { author, users } = await createUsers(server);
  const root = await post(author, 'root');
  const ids: Record<string, string> = {};
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
    ids[visibility] = await post(author, '@mentioned @blocked hello', { visibility, in_reply_to_id: root });
  }
  const readers: Record<string, Reader> = { ...users, anonymous: server.anonymous };
  for (const [relation, reader] of Object.entries(readers)) {
    const seen = visibleTo[relation] ?? [];
    for (const [visibility, id] of Object.entries(ids)) {
      const isVisible = seen.includes(visibility);
      const label = `${relation}, ${visibility}`;
      const expected = isVisible ? 200 : 404;
      for (const part of ['', '/context', '/history', '/favourited_by', '/reblogged_by']) {
        expect((await reader.get(`/api/v1/statuses/${id}${part}`)).status, `${label}${part}`).toBe(expected);
      }
      expect((await reader.get(`/api/v1/statuses?id[]=${id}`)).json, label).toHaveLength(isVisible ? 1 : 0);
      if (relation === 'anonymous') continue;
      const actions = ['favourite', 'bookmark', 'mute', 'reblog', 'pin'];
      for (const action of isVisible ? [] : actions) {
        expect((await reader.post(`/api/v1/statuses/${id}/${action}`)).status, `${label}: ${action}`).toBe(404);
      }
      const reply = await reader.post(statuses, { status: 'x', in_reply_to_id: id, visibility: 'direct' });
      expect(reply.status, `${label}: reply`).toBe(expected);
    }
    const profile = await reader.get(`/api/v1/accounts/${author.id}/statuses?exclude_reblogs=1`);
    const shown = profile.json.filter(({ id }: { id: string }) => Object.values(ids).includes(id));
    expect(shown.map(({ visibility }: { visibility: string }) => visibility).toSorted(), relation).toEqual(
      seen.toSorted(),
    );
  }
});

test('posts of a suspended author, and their boosts, are hidden from everyone', async () => {
  await using server = await startServer();
  const [author, bob] = [await server.user('author'), await server.user('bob')];
  const id = await post(author, 'x');
  const reblogId = (await bob.post(`/api/v1/statuses/${id}/reblog`)).json.id;
  await bob.post(`/api/v1/statuses/${id}/bookmark`);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', author.id)
    .execute();
  clearCaches(server.app);
  expect((await bob.get(`/api/v1/statuses/${id}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${reblogId}`)).status).toBe(404);
  expect((await bob.get('/api/v1/bookmarks')).json).toEqual([]);
  expect((await bob.get(`/api/v1/accounts/${bob.id}/statuses`)).json).toEqual([]);
});

test('a boost is hidden wherever its original is hidden', async () => {
  await using server = await startServer();
  const [author, booster, viewer] = [
    await server.user('author'),
    await server.user('booster'),
    await server.user('viewer'),
  ];
  const id = await post(author, 'x');
  const reblogId = (await booster.post(`/api/v1/statuses/${id}/reblog`)).json.id;
  const visibleOn = (surface: Surface) => filterVisibleStatuses(server.app, viewer.id, [reblogId], surface);
  expect(await visibleOn('home')).toEqual([reblogId]);
  await viewer.post(`/api/v1/accounts/${author.id}/mute`);
  expect([await visibleOn('home'), await visibleOn('account'), await visibleOn('thread')]).toEqual([[], [], []]);
  expect(await visibleOn('saved')).toEqual([reblogId]);
  await viewer.post(`/api/v1/accounts/${author.id}/unmute`);
  await author.post(`/api/v1/accounts/${viewer.id}/block`);
  expect([await visibleOn('home'), await visibleOn('saved')]).toEqual([[], []]);
});

test('the home timeline omits posts that mention an account muted by the viewer', async () => {
  await using server = await startServer();
  const [author, muted, viewer] = [
    await server.user('author'),
    await server.user('muted'),
    await server.user('viewer'),
  ];
  const id = await post(author, 'hello @muted');
  expect(await filterVisibleStatuses(server.app, viewer.id, [id], 'home')).toEqual([id]);
  await viewer.post(`/api/v1/accounts/${muted.id}/mute`);
  expect(await filterVisibleStatuses(server.app, viewer.id, [id], 'home')).toEqual([]);
  expect(await filterVisibleStatuses(server.app, viewer.id, [id], 'public')).toEqual([id]);
  expect(await filterVisibleStatuses(server.app, author.id, [id], 'home')).toEqual([id]);
});
