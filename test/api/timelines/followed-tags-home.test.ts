import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { blockDomain, unblockDomain } from '../../../server/relationships/hide/index.ts';
import { followAccount, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { follow, checkedHomeIds, postBy, reblogBy } from '../../feeds.ts';
import { startServer, type TestServer } from '../../server.ts';

/** Creates alice, who follows bob and the hashtag #birds and has a stored feed. */
async function createUsers(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, bob);
  await alice.post('/api/v1/tags/birds/follow');
  await checkedHomeIds(server, alice);
  return { alice, bob, carol };
}

test('TAG-02, LST-02: a followed hashtag does not add posts by members of an exclusive list to home', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const byCarol = await postBy(carol, 'of a stranger #birds');
  const byBob = await postBy(bob, 'of a friend #birds');
  expect(await checkedHomeIds(server, alice)).toEqual([byBob, byCarol]);
  const { json: list } = await alice.post('/api/v1/lists', { title: 'Friends', exclusive: true });
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] });
  expect(await checkedHomeIds(server, alice)).toEqual([byCarol]);
  await postBy(bob, 'again #birds');
  expect(await checkedHomeIds(server, alice)).toEqual([byCarol]);
});

test('TAG-02: after an unfollow only posts with followed hashtags stay; an edit that adds one adds the post', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await postBy(bob, 'about nothing');
  const tagged = await postBy(bob, 'about #birds');
  await unfollowAccount(server.app, alice.id, bob.id);
  expect(await checkedHomeIds(server, alice)).toEqual([tagged]);
  const edited = await postBy(carol, 'about owls');
  expect(await checkedHomeIds(server, alice)).toEqual([tagged]);
  expect((await carol.put(`/api/v1/statuses/${edited}`, { status: 'about owls #birds' })).status).toBe(200);
  expect(await checkedHomeIds(server, alice)).toEqual([edited, tagged]);
});

test('TAG-02: an edit that removes a followed hashtag removes the post from homes that had it for that hashtag', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await dave.post('/api/v1/tags/owls/follow');
  await checkedHomeIds(server, dave);
  const [byBob, byCarol] = [await postBy(bob, 'one #birds'), await postBy(carol, 'two #birds')];
  expect(await checkedHomeIds(server, alice)).toEqual([byCarol, byBob]);
  for (const [author, id] of [
    [bob, byBob],
    [carol, byCarol],
  ] as const) {
    expect((await author.put(`/api/v1/statuses/${id}`, { status: 'about #owls' })).status).toBe(200);
  }
  expect(await checkedHomeIds(server, alice)).toEqual([byBob]);
  expect(await checkedHomeIds(server, dave)).toEqual([byCarol, byBob]);
  expect(await checkedHomeIds(server, carol)).toEqual([byCarol]);
  const rows = server.app.db.selectFrom('home_feed').select('status_id').where('account_id', '=', alice.id);
  expect((await rows.execute()).map((row) => row.status_id)).toEqual([byBob]);
  expect((await carol.put(`/api/v1/statuses/${byCarol}`, { status: 'about #birds #owls' })).status).toBe(200);
  expect(await checkedHomeIds(server, alice)).toEqual([byCarol, byBob]);
});

test('TAG-02: posts of authors who are merged on read also appear by their hashtags, and only once', async () => {
  await using server = await startServer();
  feedLimits(server.app).mergeThreshold = 0;
  const { alice, bob } = await createUsers(server);
  const dave = await server.user('dave');
  await dave.post('/api/v1/tags/birds/follow');
  await checkedHomeIds(server, dave);
  const plain = await postBy(bob, 'plain');
  const tagged = await postBy(bob, 'tagged #birds');
  expect(await checkedHomeIds(server, alice)).toEqual([tagged, plain]);
  expect(await checkedHomeIds(server, dave)).toEqual([tagged]);
});

test('UDB-01: a domain block removes posts from home, and its removal restores them', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const uri = 'https://far.test/users/erin';
  const erin = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'erin', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const remotePost = await storeRemoteStatus(server.app, {
    uri: `${uri}/1`,
    accountId: erin,
    content: '<p>far #birds</p>',
    visibility: 'public',
    tags: ['birds'],
    publishedAt: server.clock.now(),
  });
  server.clock.advance(1);
  const reblog = await reblogBy(bob, remotePost ?? '');
  server.expectUndelivered('far.test');
  expect(await checkedHomeIds(server, alice)).toEqual([remotePost]);
  await alice.post('/api/v1/tags/birds/unfollow');
  expect(await checkedHomeIds(server, alice)).toEqual([reblog]);
  await blockDomain(server.app, alice.id, 'far.test');
  expect(await checkedHomeIds(server, alice)).toEqual([]);
  const rows = server.app.db.selectFrom('home_feed').select('status_id').where('account_id', '=', alice.id);
  expect(await rows.execute()).toEqual([]);
  await unblockDomain(server.app, alice.id, 'far.test');
  expect(await checkedHomeIds(server, alice)).toEqual([reblog]);
});

test('FOL-03: changing the reblogs or languages of a follow removes posts from home, or restores them', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const german = await postBy(bob, { status: 'guten Morgen zusammen', language: 'de' });
  const english = await postBy(bob, { status: 'good morning everyone', language: 'en' });
  const reblog = await reblogBy(bob, await postBy(carol, { status: 'hello there', language: 'en' }));
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, english, german]);
  await followAccount(server.app, alice.id, bob.id, { reblogs: false });
  expect(await checkedHomeIds(server, alice)).toEqual([english, german]);
  await followAccount(server.app, alice.id, bob.id, { languages: ['de'] });
  expect(await checkedHomeIds(server, alice)).toEqual([german]);
  await followAccount(server.app, alice.id, bob.id, { reblogs: true, languages: [] });
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, english, german]);
});
