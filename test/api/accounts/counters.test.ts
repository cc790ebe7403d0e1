import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

/** Returns a status and its author as the API shows them, first from the caches, then from the database. */
async function readCachedAndStored(server: TestServer, viewer: TestUser, statusId: string, author: TestUser) {
  const read = async () => ({
    status: (await viewer.get(`/api/v1/statuses/${statusId}`)).json,
    account: (await viewer.get(`/api/v1/accounts/${author.id}`)).json,
    own: (await author.get('/api/v1/accounts/verify_credentials')).json,
  });
  const cached = await read();
  clearCaches(server.app);
  return { cached, stored: await read() };
}

test('cached counters follow each change and equal the stored ones', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = async (user: TestUser, body: object): Promise<{ id: string }> =>
    (await user.post('/api/v1/statuses', { status: 'x', ...body })).json;
  const { id } = await post(alice, {});
  let created = { id: '' };
  const bobPosts = (path: string) => () => bob.post(path);
  const steps: [() => Promise<unknown>, object, object][] = [
    [async () => {}, { favourites_count: 0, replies_count: 0 }, { statuses_count: 1, followers_count: 0 }],
    [bobPosts(`/api/v1/statuses/${id}/favourite`), { favourites_count: 1 }, {}],
    [bobPosts(`/api/v1/statuses/${id}/unfavourite`), { favourites_count: 0 }, {}],
    [bobPosts(`/api/v1/statuses/${id}/reblog`), { reblogs_count: 1 }, {}],
    [bobPosts(`/api/v1/statuses/${id}/unreblog`), { reblogs_count: 0 }, {}],
    [async () => (created = await post(bob, { in_reply_to_id: id })), { replies_count: 1 }, {}],
    [async () => bob.delete(`/api/v1/statuses/${created.id}`), { replies_count: 0 }, {}],
    [async () => (created = await post(bob, { quoted_status_id: id })), { quotes_count: 1 }, {}],
    [async () => bob.delete(`/api/v1/statuses/${created.id}`), { quotes_count: 0 }, {}],
    [bobPosts(`/api/v1/accounts/${alice.id}/follow`), {}, { followers_count: 1 }],
    [async () => alice.post(`/api/v1/accounts/${bob.id}/follow`), {}, { following_count: 1 }],
    [bobPosts(`/api/v1/accounts/${alice.id}/unfollow`), {}, { followers_count: 0 }],
    [async () => (created = await post(alice, {})), {}, { statuses_count: 2 }],
    [async () => alice.delete(`/api/v1/statuses/${created.id}`), {}, { statuses_count: 1 }],
  ];
  for (const [act, status, account] of steps) {
    await readCachedAndStored(server, bob, id, alice);
    await act();
    const { cached, stored } = await readCachedAndStored(server, bob, id, alice);
    expect(cached).toEqual(stored);
    expect(cached).toMatchObject({ status: { ...status, account }, account, own: account });
  }
});

test('counters that arrive late do not replace newer ones', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await alice.post('/api/v1/statuses', { status: 'x' })).json;
  const published: unknown[] = [];
  const isCounters = ([event]: [string, unknown]) => event.endsWith('.counters_changed');
  server.app.bus.subscribe('cache:events', (message) =>
    published.push(...(message as [string, unknown][]).filter(isCounters)),
  );
  await bob.get(`/api/v1/statuses/${id}`);
  await bob.post(`/api/v1/statuses/${id}/favourite`);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const late = published.splice(0);
  await bob.post(`/api/v1/statuses/${id}/unfavourite`);
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`);
  // The status, its author and the follower.
  expect(late).toHaveLength(3);
  server.app.bus.publish('cache:events', late);
  expect((await bob.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    favourites_count: 0,
    account: { followers_count: 0 },
  });
});
