import { clearCaches } from '../../server/platform/caching/define-cache.ts';
import { expect, test } from 'vitest';
import type { StatusId } from '../../server/platform/ids.ts';
import { filterVisibleStatuses, type Surface } from '../../server/statuses/index.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const answer = await user.post(statuses, { status, ...more });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json.id as StatusId;
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

/** An author, and everybody in each relation to it. */
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

test('each relation sees of each visibility the same by every way in', async () => {
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
      const may = seen.includes(visibility);
      const label = `${relation}, ${visibility}`;
      const expected = may ? 200 : 404;
      for (const part of ['', '/context', '/history', '/favourited_by', '/reblogged_by']) {
        expect((await reader.get(`/api/v1/statuses/${id}${part}`)).status, `${label}${part}`).toBe(expected);
      }
      expect((await reader.get(`/api/v1/statuses?id[]=${id}`)).json, label).toHaveLength(may ? 1 : 0);
      if (relation === 'anonymous') continue;
      const deeds = ['favourite', 'bookmark', 'mute', 'reblog', 'pin'];
      for (const deed of may ? [] : deeds) {
        expect((await reader.post(`/api/v1/statuses/${id}/${deed}`)).status, `${label}: ${deed}`).toBe(404);
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

test('nobody is shown what a suspended author wrote or what reblogs it', async () => {
  await using server = await startServer();
  const [author, bob] = [await server.user('author'), await server.user('bob')];
  const id = await post(author, 'x');
  const wrapper = (await bob.post(`/api/v1/statuses/${id}/reblog`)).json.id;
  await bob.post(`/api/v1/statuses/${id}/bookmark`);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', author.id)
    .execute();
  clearCaches(server.app);
  expect((await bob.get(`/api/v1/statuses/${id}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${wrapper}`)).status).toBe(404);
  expect((await bob.get('/api/v1/bookmarks')).json).toEqual([]);
  expect((await bob.get(`/api/v1/accounts/${bob.id}/statuses`)).json).toEqual([]);
});

test('a reblog is hidden where its original would be', async () => {
  await using server = await startServer();
  const [author, booster, viewer] = [
    await server.user('author'),
    await server.user('booster'),
    await server.user('viewer'),
  ];
  const id = await post(author, 'x');
  const wrapper = (await booster.post(`/api/v1/statuses/${id}/reblog`)).json.id;
  const kept = (surface: Surface) => filterVisibleStatuses(server.app, viewer.id, [wrapper], surface);
  expect(await kept('home')).toEqual([wrapper]);
  await viewer.post(`/api/v1/accounts/${author.id}/mute`);
  expect([await kept('home'), await kept('account'), await kept('thread')]).toEqual([[], [], []]);
  expect(await kept('saved')).toEqual([wrapper]);
  await viewer.post(`/api/v1/accounts/${author.id}/unmute`);
  await author.post(`/api/v1/accounts/${viewer.id}/block`);
  expect([await kept('home'), await kept('saved')]).toEqual([[], []]);
});

test('a home leaves out posts that talk to whom its owner mutes', async () => {
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
