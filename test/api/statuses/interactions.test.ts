import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { blockAccount } from '../../../server/relationships/hide/index.ts';
import { favouriteStatus, unfavouriteStatus } from '../../../server/statuses/react/index.ts';
import { startServer, walk, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post(statuses, { status, ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json;
}

const statusOf = async (user: TestUser, path: string) => (await user.post(path)).status;

test('favouriting a status several times, or by the id of a reblog, counts once', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, 'x');
  const wrapper = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json;
  const [first] = await Promise.all([1, 2, 3].map(() => bob.post(`/api/v1/statuses/${id}/favourite`)));
  expect(first?.json).toMatchObject({ id, favourited: true });
  expect((await bob.post(`/api/v1/statuses/${wrapper.id}/favourite`)).json).toMatchObject({
    favourited: true,
    reblog: { id, favourited: true, favourites_count: 1 },
  });
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ favourites_count: 1, favourited: false });
  expect((await bob.post(`/api/v1/statuses/${wrapper.id}/unfavourite`)).json).toMatchObject({ id, favourited: false });
  expect((await bob.post(`/api/v1/statuses/${id}/unfavourite`)).json).toMatchObject({ favourites_count: 0 });
});

test('favouriting or reblogging a status is 403 if the user blocks its author', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, 'x');
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  expect(await statusOf(bob, `/api/v1/statuses/${id}/favourite`)).toBe(403);
  expect(await statusOf(bob, `/api/v1/statuses/${id}/reblog`)).toBe(403);
});

test('STA-14: unfavourite also works for a status that the user can no longer see, which remains 404', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const open = await post(alice, 'open');
  const closed = await post(alice, '@bob closed', { visibility: 'private' });
  const secret = await post(alice, 'secret', { visibility: 'direct' });
  expect(await statusOf(bob, `/api/v1/statuses/${open.id}/unfavourite`)).toBe(200);
  expect(await statusOf(bob, `/api/v1/statuses/${secret.id}/unfavourite`)).toBe(404);
  for (const { id } of [open, closed]) expect(await statusOf(bob, `/api/v1/statuses/${id}/favourite`)).toBe(200);
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  expect((await bob.post(`/api/v1/statuses/${open.id}/unfavourite`)).json).toMatchObject({
    id: open.id,
    favourited: false,
  });
  expect(await statusOf(bob, `/api/v1/statuses/${closed.id}/unfavourite`)).toBe(404);
  for (const { id } of [open, closed]) {
    expect((await alice.get(`/api/v1/statuses/${id}`)).json.favourites_count).toBe(0);
    expect(await statusOf(bob, `/api/v1/statuses/${id}/unfavourite`)).toBe(404);
  }
  expect(await statusOf(bob, '/api/v1/statuses/12345/unfavourite')).toBe(404);
});

test('a remote account can favourite and unfavourite a status', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const uri = 'https://far.test/users/zoe';
  const zoe = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'zoe', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const { id } = await post(alice, 'x');
  for (let twice = 0; twice < 2; twice += 1) await favouriteStatus(server.app, zoe, id);
  expect((await alice.get(`/api/v1/statuses/${id}/favourited_by`)).json).toMatchObject([{ acct: 'zoe@far.test' }]);
  expect(await unfavouriteStatus(server.app, zoe, id)).toBe(true);
  expect(await unfavouriteStatus(server.app, zoe, id)).toBe(false);
  await blockAccount(server.app, alice.id, zoe);
  server.expectUndelivered('far.test');
  await expect(favouriteStatus(server.app, zoe, id)).rejects.toMatchObject({ status: 404 });
});

test('a reblog is a status that wraps the original; reblogging again returns the same one', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, 'x');
  const responses = await Promise.all([1, 2, 3].map(() => bob.post(`/api/v1/statuses/${id}/reblog`)));
  expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
  // A request that lost the race may still see the counters from before.
  const wrapper = (await bob.get(`/api/v1/statuses/${responses[0]?.json.id}`)).json;
  expect(wrapper).toMatchObject({
    account: { id: bob.id, statuses_count: 1 },
    content: '',
    reblogged: true,
    reblog: { id, reblogged: true, reblogs_count: 1, account: { id: alice.id }, reblog: null },
  });
  expect((await bob.post(`/api/v1/statuses/${wrapper.id}/reblog`)).json.id).toBe(wrapper.id);
  expect((await bob.get(`/api/v1/accounts/${bob.id}/statuses`)).json).toMatchObject([{ id: wrapper.id }]);
  expect((await bob.post(`/api/v1/statuses/${id}/unreblog`)).json).toMatchObject({
    id,
    reblogs_count: 0,
    reblogged: false,
  });
  expect(await statusOf(bob, `/api/v1/statuses/${id}/unreblog`)).toBe(200);
  expect((await bob.get(`/api/v1/statuses/${wrapper.id}`)).status).toBe(404);
  const again = (await bob.post(`/api/v1/statuses/${id}/reblog`, { visibility: 'private' })).json;
  expect(again).toMatchObject({ visibility: 'private', reblog: { id, visibility: 'public' } });
  expect((await bob.delete(`/api/v1/statuses/${again.id}`)).status).toBe(200);
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.reblogs_count).toBe(0);
  expect((await bob.post(`/api/v1/statuses/${id}/reblog`, { visibility: 'direct' })).status).toBe(422);
});

test('STA-12: reblogging a private or direct status is 422, or 404 if the user cannot see it', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  for (const visibility of ['private', 'direct']) {
    const { id } = await post(alice, '@bob x', { visibility });
    expect(await statusOf(alice, `/api/v1/statuses/${id}/reblog`)).toBe(422);
    expect(await statusOf(bob, `/api/v1/statuses/${id}/reblog`)).toBe(422);
    expect(await statusOf(carol, `/api/v1/statuses/${id}/reblog`)).toBe(404);
  }
  const { id } = await post(alice, 'x', { visibility: 'unlisted' });
  expect(await statusOf(carol, `/api/v1/statuses/${id}/reblog`)).toBe(200);
});

test('STA-13: unreblog works after the author blocked the user, and returns the status', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, 'x');
  await bob.post(`/api/v1/statuses/${id}/reblog`);
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  const response = await bob.post(`/api/v1/statuses/${id}/unreblog`);
  expect(response.status).toBe(200);
  expect(response.json).toMatchObject({ id, reblogged: false, reblogs_count: 0 });
  expect(await statusOf(bob, `/api/v1/statuses/${id}/unreblog`)).toBe(404);
});

test('STA-15: unbookmark works after the author blocked the user', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await post(alice, 'x');
  expect((await bob.post(`/api/v1/statuses/${id}/bookmark`)).json).toMatchObject({ id, bookmarked: true });
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  const response = await bob.post(`/api/v1/statuses/${id}/unbookmark`);
  expect(response.status).toBe(200);
  expect(response.json).toMatchObject({ id, bookmarked: false });
  expect(await server.app.db.selectFrom('bookmarks').selectAll().execute()).toEqual([]);
});

test('STA-16: bookmarks and favourites are private, and paged in both directions by their own ids', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) ids.push((await post(alice, String(index))).id);
  // The order of the bookmarks differs from that of the posts.
  const order = [3, 0, 6, 1, 5, 2, 4].map((index) => ids[index] as string);
  for (const id of order) {
    server.clock.advance(1);
    await bob.post(`/api/v1/statuses/${id}/bookmark`);
    await bob.post(`/api/v1/statuses/${id}/favourite`);
  }
  for (const list of ['bookmarks', 'favourites']) {
    const walked = await walk(bob, `/api/v1/${list}?limit=2`);
    expect(walked.map(({ id }) => id)).toEqual(order.toReversed());
    const first = await bob.get(`/api/v1/${list}?limit=3`);
    expect(first.links.prev?.searchParams.get('min_id')).toBeDefined();
    expect((await bob.get(first.links.prev?.href ?? '')).json).toEqual([]);
    const second = await bob.get(first.links.next?.href ?? '');
    const back = await bob.get(second.links.prev?.href ?? '');
    expect(back.json.map(({ id }: { id: string }) => id)).toEqual(first.json.map(({ id }: { id: string }) => id));
    expect((await alice.get(`/api/v1/${list}`)).json).toEqual([]);
    expect((await server.anonymous.get(`/api/v1/${list}`)).status).toBe(401);
  }
});

test('STA-16: deleted statuses leave no gaps in bookmarks and favourites', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { id } = await post(alice, String(index));
    ids.push(id);
    for (const act of ['bookmark', 'favourite']) await bob.post(`/api/v1/statuses/${id}/${act}`);
  }
  for (const id of ids.slice(2)) await alice.delete(`/api/v1/statuses/${id}`);
  for (const list of ['bookmarks', 'favourites']) {
    const { json } = await bob.get(`/api/v1/${list}?limit=2`);
    expect(json.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]]);
  }
  for (const id of ids.slice(0, 2)) await alice.delete(`/api/v1/statuses/${id}`);
  for (const list of ['bookmarks', 'favourites']) {
    const { json, headers } = await bob.get(`/api/v1/${list}`);
    expect([json, headers['link']]).toEqual([[], undefined]);
  }
});

test('STA-17: a user can pin up to five own statuses, but no reblogs and no direct ones', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const pinned: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { id } = await post(alice, String(index), { visibility: index === 0 ? 'private' : 'public' });
    server.clock.advance(1);
    expect((await alice.post(`/api/v1/statuses/${id}/pin`)).json).toMatchObject({ id, pinned: true });
    expect(await statusOf(alice, `/api/v1/statuses/${id}/pin`)).toBe(200);
    pinned.unshift(id);
  }
  const sixth = await post(alice, 'sixth');
  expect(await statusOf(alice, `/api/v1/statuses/${sixth.id}/pin`)).toBe(422);
  const other = await post(bob, 'other');
  expect(await statusOf(alice, `/api/v1/statuses/${other.id}/pin`)).toBe(422);
  const wrapper = (await alice.post(`/api/v1/statuses/${other.id}/reblog`)).json;
  expect(await statusOf(alice, `/api/v1/statuses/${wrapper.id}/pin`)).toBe(422);
  const direct = await post(alice, 'direct', { visibility: 'direct' });
  expect(await statusOf(alice, `/api/v1/statuses/${direct.id}/pin`)).toBe(422);
  expect(direct).not.toHaveProperty('pinned');
  const list = async (client: { get: TestUser['get'] }) => {
    const response = await client.get(`/api/v1/accounts/${alice.id}/statuses?pinned=true&limit=2`);
    const whole = await client.get(`/api/v1/accounts/${alice.id}/statuses?pinned=1`);
    expect([response.headers['link'], whole.headers['link']], 'PAG-04').toEqual([undefined, undefined]);
    return whole.json.map(({ id }: { id: string }) => id);
  };
  expect(await list(alice)).toEqual(pinned);
  expect(await list(bob)).toEqual(pinned.slice(0, 4));
  expect((await alice.post(`/api/v1/statuses/${pinned[0]}/unpin`)).json.pinned).toBe(false);
  expect(await statusOf(alice, `/api/v1/statuses/${pinned[0]}/unpin`)).toBe(200);
  expect(await statusOf(alice, `/api/v1/statuses/${sixth.id}/pin`)).toBe(200);
});

test('STA-17: concurrent requests cannot pin more than five statuses', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) ids.push((await post(alice, String(index))).id);
  const results = await Promise.all(ids.map((id) => statusOf(alice, `/api/v1/statuses/${id}/pin`)));
  expect(results.toSorted()).toEqual([200, 200, 200, 200, 200, 422, 422, 422]);
});

test('STA-03: muted is the state of the conversation, and false for the status inside a reblog', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await post(alice, 'root');
  const reply = await post(bob, 'reply', { in_reply_to_id: root.id });
  expect((await alice.post(`/api/v1/statuses/${reply.id}/mute`)).json).toMatchObject({ id: reply.id, muted: true });
  expect((await alice.get(`/api/v1/statuses/${root.id}`)).json.muted).toBe(true);
  expect((await bob.get(`/api/v1/statuses/${root.id}`)).json.muted).toBe(false);
  const wrapper = (await bob.post(`/api/v1/statuses/${root.id}/reblog`)).json;
  expect((await alice.get(`/api/v1/statuses/${wrapper.id}`)).json.reblog.muted).toBe(false);
  expect((await alice.post(`/api/v1/statuses/${root.id}/unmute`)).json.muted).toBe(false);
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.muted).toBe(false);
});

test('STA-19: a status without a conversation cannot be muted or unmuted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, 'x');
  await server.db.updateTable('statuses').set({ conversation_id: null }).where('id', '=', id).execute();
  clearCaches(server.app);
  expect(await statusOf(alice, `/api/v1/statuses/${id}/mute`)).toBe(422);
  expect(await statusOf(alice, `/api/v1/statuses/${id}/unmute`)).toBe(422);
  expect(await statusOf(alice, '/api/v1/statuses/12345/mute')).toBe(404);
});

test('STA-18: favourited_by and reblogged_by are paged, without muted, blocked and blocking accounts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, 'x');
  const fans: TestUser[] = [];
  for (let index = 0; index < 6; index += 1) {
    const fan = await server.user(`fan${index}`);
    fans.unshift(fan);
    server.clock.advance(1);
    await fan.post(`/api/v1/statuses/${id}/favourite`);
    await fan.post(`/api/v1/statuses/${id}/reblog`, { visibility: index === 0 ? 'private' : 'public' });
  }
  const [blocked, muted, blocking] = fans as [TestUser, TestUser, TestUser];
  for (const [list, all] of [
    ['favourited_by', fans],
    ['reblogged_by', fans.slice(0, 5)],
  ] as const) {
    const walked = await walk(server.anonymous, `/api/v1/statuses/${id}/${list}?limit=2`);
    expect(walked.map((account) => account.id)).toEqual(all.map((fan) => fan.id));
  }
  await alice.post(`/api/v1/accounts/${blocked.id}/block`);
  await alice.post(`/api/v1/accounts/${muted.id}/mute`);
  await blocking.post(`/api/v1/accounts/${alice.id}/block`);
  expect((await alice.get(`/api/v1/statuses/${id}/favourited_by`)).json).toHaveLength(3);
  expect((await alice.get(`/api/v1/statuses/${id}/reblogged_by`)).json).toHaveLength(2);
  expect((await blocked.get(`/api/v1/statuses/${id}/reblogged_by`)).status).toBe(404);
  const secret = await post(alice, 'x', { visibility: 'direct' });
  expect((await server.anonymous.get(`/api/v1/statuses/${secret.id}/favourited_by`)).status).toBe(404);
});

test('each status action requires its scope', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, 'x');
  const reader = await server.withScopes(alice, 'read');
  const verbs = [
    'favourite',
    'unfavourite',
    'reblog',
    'unreblog',
    'bookmark',
    'unbookmark',
    'pin',
    'unpin',
    'mute',
    'unmute',
  ];
  for (const verb of verbs) {
    expect(await statusOf(reader, `/api/v1/statuses/${id}/${verb}`), verb).toBe(403);
    expect((await server.anonymous.post(`/api/v1/statuses/${id}/${verb}`)).status, verb).toBe(401);
  }
  expect((await reader.post(statuses, { status: 'x' })).status).toBe(403);
  expect((await reader.delete(`/api/v1/statuses/${id}`)).status).toBe(403);
  const bookmarker = await server.withScopes(alice, 'write:bookmarks');
  expect(await statusOf(bookmarker, `/api/v1/statuses/${id}/bookmark`)).toBe(200);
  expect(await statusOf(bookmarker, `/api/v1/statuses/${id}/favourite`)).toBe(403);
});
