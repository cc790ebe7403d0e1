import { clearCaches } from '../../server/platform/caching/define-cache.ts';
import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../server.ts';

/** A status and its author as they are shown, first from what is cached, then read anew. */
async function countsSeenByBoth(server: TestServer, viewer: TestUser, statusId: string, author: TestUser) {
  const read = async () => ({
    status: (await viewer.get(`/api/v1/statuses/${statusId}`)).json,
    account: (await viewer.get(`/api/v1/accounts/${author.id}`)).json,
    own: (await author.get('/api/v1/accounts/verify_credentials')).json,
  });
  const cached = await read();
  clearCaches(server.app);
  return { cached, fresh: await read() };
}

test('counters of what is cached follow each change, and are what is stored', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = async (user: TestUser, body: object): Promise<{ id: string }> =>
    (await user.post('/api/v1/statuses', { status: 'x', ...body })).json;
  const { id } = await post(alice, {});
  let made = { id: '' };
  const bobDoes = (path: string) => () => bob.post(path);
  const steps: [() => Promise<unknown>, object, object][] = [
    [async () => {}, { favourites_count: 0, replies_count: 0 }, { statuses_count: 1, followers_count: 0 }],
    [bobDoes(`/api/v1/statuses/${id}/favourite`), { favourites_count: 1 }, {}],
    [bobDoes(`/api/v1/statuses/${id}/unfavourite`), { favourites_count: 0 }, {}],
    [bobDoes(`/api/v1/statuses/${id}/reblog`), { reblogs_count: 1 }, {}],
    [bobDoes(`/api/v1/statuses/${id}/unreblog`), { reblogs_count: 0 }, {}],
    [async () => (made = await post(bob, { in_reply_to_id: id })), { replies_count: 1 }, {}],
    [async () => bob.delete(`/api/v1/statuses/${made.id}`), { replies_count: 0 }, {}],
    [async () => (made = await post(bob, { quoted_status_id: id })), { quotes_count: 1 }, {}],
    [async () => bob.delete(`/api/v1/statuses/${made.id}`), { quotes_count: 0 }, {}],
    [bobDoes(`/api/v1/accounts/${alice.id}/follow`), {}, { followers_count: 1 }],
    [async () => alice.post(`/api/v1/accounts/${bob.id}/follow`), {}, { following_count: 1 }],
    [bobDoes(`/api/v1/accounts/${alice.id}/unfollow`), {}, { followers_count: 0 }],
    [async () => (made = await post(alice, {})), {}, { statuses_count: 2 }],
    [async () => alice.delete(`/api/v1/statuses/${made.id}`), {}, { statuses_count: 1 }],
  ];
  for (const [act, status, account] of steps) {
    await countsSeenByBoth(server, bob, id, alice);
    await act();
    const { cached, fresh } = await countsSeenByBoth(server, bob, id, alice);
    expect(cached).toEqual(fresh);
    expect(cached).toMatchObject({ status: { ...status, account }, account, own: account });
  }
});

test('counters that are told late do not replace newer ones', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await alice.post('/api/v1/statuses', { status: 'x' })).json;
  const told: unknown[] = [];
  const isCounters = ([event]: [string, unknown]) => event.endsWith('.counters_changed');
  server.app.bus.subscribe('cache:events', (message) =>
    told.push(...(message as [string, unknown][]).filter(isCounters)),
  );
  await bob.get(`/api/v1/statuses/${id}`);
  await bob.post(`/api/v1/statuses/${id}/favourite`);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const late = told.splice(0);
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
