import { expect, test } from 'vitest';
import { resolveUrl } from '../../../server/federation/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import {
  resolveAccountOn,
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  resolveStatusOn,
  twoServers,
  type StatusJson,
} from '../two-servers.ts';

test('FED-02: mentioned accounts receive the post, even a direct one, and even if they were unknown', async () => {
  await using servers = await twoServers();
  const { network, alice, bob } = servers;
  await postStatus(bob, { status: '@alice@a.test a word in private', visibility: 'direct' });
  await network.drain();
  expect(await listNotifications(alice)).toMatchObject([{ type: 'mention', account: { acct: 'bob@b.test' } }]);
  const [{ status } = { status: undefined }] = (await alice.get('/api/v1/notifications?include_filtered=true'))
    .json as {
    status: StatusJson;
  }[];
  expect(status).toMatchObject({ visibility: 'direct', mentions: [{ acct: 'alice' }] });
});

test('FED-02: a reply reaches the author and keeps its place in the thread', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const question = await postStatus(bob, { status: 'Anybody there?' });
  await network.drain();
  const onA = await resolveStatusOn(a, question.uri);
  const reply = await postStatus(alice, { status: '@bob@b.test I am', in_reply_to_id: onA });
  await network.drain();
  const replyOnB = await resolveStatusOn(b, reply.uri);
  expect((await bob.get(`/api/v1/statuses/${replyOnB}`)).json).toMatchObject({ in_reply_to_id: question.id });
  expect((await bob.get(`/api/v1/statuses/${question.id}/context`)).json).toMatchObject({
    descendants: [{ id: replyOnB, account: { acct: 'alice@a.test' } }],
  });
});

test('FED-02: a deleted post is deleted on other servers, and its URI answers 410', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const status = await postStatus(bob, { status: 'A mistake' });
  await network.drain();
  const onA = await resolveStatusOn(a, status.uri);
  await bob.delete(`/api/v1/statuses/${status.id}`);
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${onA}`)).status).toBe(404);
  expect(await homeTimeline(alice)).toEqual([]);
  const response = await b.http.inject({
    url: `/users/bob/statuses/${status.id}`,
    headers: { accept: 'application/activity+json' },
  });
  expect([response.statusCode, response.json<{ type: string }>().type]).toEqual([410, 'Tombstone']);
});

test('FED-02: a deleted post from before its server changed its domain answers 410 at its present addresses', async () => {
  await using servers = await twoServers();
  const { network, b, bob } = servers;
  const status = await postStatus(bob, { status: 'From another time' });
  await network.drain();
  const uri = `https://old.test/users/bob/statuses/${status.id}`;
  await b.db
    .updateTable('statuses')
    .set({ uri })
    .where('id', '=', status.id as StatusId)
    .execute();
  clearCaches(b.app);
  await bob.delete(`/api/v1/statuses/${status.id}`);
  await network.drain();
  const paths = [`/users/bob/statuses/${status.id}`, `/users/bob/statuses/${status.id}/activity`, `/@bob/${status.id}`];
  const askAll = () =>
    Promise.all(paths.map((url) => b.http.inject({ url, headers: { accept: 'application/activity+json' } })));
  for (const { statusCode } of await askAll()) expect(statusCode).toBe(410);
  // Its row is gone.
  await b.db
    .deleteFrom('statuses')
    .where('id', '=', status.id as StatusId)
    .execute();
  for (const { statusCode } of await askAll()) expect(statusCode).toBe(410);
  const tombstones = await b.db.selectFrom('tombstones').select('uri').orderBy('uri').execute();
  expect(tombstones.map((each) => each.uri)).toEqual([status.uri, uri].toSorted());
});

test('FED-02: favourites and boosts reach the author, and so does their Undo', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  await followAcross(servers, b, bob, 'alice@a.test');
  const status = await postStatus(bob, { status: 'Like me' });
  await network.drain();
  const onA = await resolveStatusOn(a, status.uri);
  await alice.post(`/api/v1/statuses/${onA}/favourite`);
  await alice.post(`/api/v1/statuses/${onA}/reblog`);
  await network.drain();
  const seen = async () => (await bob.get(`/api/v1/statuses/${status.id}`)).json as StatusJson;
  expect(await seen()).toMatchObject({ favourites_count: 1, reblogs_count: 1 });
  expect((await listNotifications(bob)).map(({ type }) => type).toSorted()).toEqual(['favourite', 'follow', 'reblog']);
  await alice.post(`/api/v1/statuses/${onA}/unfavourite`);
  await alice.post(`/api/v1/statuses/${onA}/unreblog`);
  await network.drain();
  expect(await seen()).toMatchObject({ favourites_count: 0, reblogs_count: 0 });
});

test('FED-02: a boosted post of a third server is fetched from its origin', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const c = await network.start('c.test');
  const carol = await c.user('carol');
  await followAcross(servers, a, alice, 'bob@b.test');
  const original = await postStatus(carol, { status: 'From the third' });
  const onB = await resolveStatusOn(b, original.uri);
  await bob.post(`/api/v1/statuses/${onB}/reblog`);
  await network.drain();
  expect((await homeTimeline(alice))[0]).toMatchObject({
    account: { acct: 'bob@b.test' },
    reblog: { content: '<p>From the third</p>', account: { acct: 'carol@c.test' } },
  });
  await bob.post(`/api/v1/statuses/${onB}/unreblog`);
  await network.drain();
  expect(await homeTimeline(alice)).toEqual([]);
});

test('FED-01: URLs and URIs of accounts and posts resolve to them', async () => {
  await using servers = await twoServers();
  const { a, bob } = servers;
  const status = await postStatus(bob, { status: 'Find me' });
  const accountId = await resolveAccountOn(a, 'https://b.test/users/bob');
  expect(await resolveAccountOn(a, '@Bob@B.TEST')).toBe(accountId);
  const statusId = await resolveStatusOn(a, status.uri);
  expect(await resolveUrl(a.app, 'https://b.test/users/bob')).toEqual({ accountId });
  expect(await resolveUrl(a.app, `https://b.test/users/bob/statuses/${status.id}`)).toEqual({ statusId });
  expect(await resolveUrl(a.app, 'https://b.test/users/nobody')).toBeUndefined();
  await expect(resolveUrl(a.app, 'https://nowhere.test/@who')).rejects.toMatchObject({ status: 503 });
});

test('FED-01: a post is fetched with its ancestors', async () => {
  await using servers = await twoServers();
  const { a, alice, bob } = servers;
  const first = await postStatus(bob, { status: 'One' });
  const second = await postStatus(bob, { status: 'Two', in_reply_to_id: first.id });
  const third = await postStatus(bob, { status: 'Three', in_reply_to_id: second.id });
  const onA = await resolveStatusOn(a, third.uri);
  const { ancestors } = (await alice.get(`/api/v1/statuses/${onA}/context`)).json as { ancestors: StatusJson[] };
  expect(ancestors.map(({ content }) => content)).toEqual(['<p>One</p>', '<p>Two</p>']);
});
