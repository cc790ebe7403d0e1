import { expect, test } from 'vitest';
import { RemotePosts } from '../federation/retention/remote-posts.ts';
import { recordJobChanges } from '../job-changes.ts';
import { startServer } from '../server.ts';

const statuses = '/api/v1/statuses';
const fanOut = 'feeds: feed.fan_out_status';
const notify = 'notification.create_for_status';
const index = 'search.index_statuses';
const indexLocal = 'search.index_local_statuses';
const card = 'status.refresh_card';
/** Of replies and mentions: their thread may be that of a group, and the name that of one. */
const groups = 'groups.consider_posts';

/** The rows of a post: one for the feeds, one for the search of a remote one, and one for all other reactions. */
function rows(...names: string[]): string[] {
  const others = names.filter((name) => name !== index);
  return [
    ...(others.length === 0 ? [] : [`default: ${others.join(' ')}`]),
    fanOut,
    ...(names.includes(index) ? [`search: ${index}`] : []),
  ];
}

test('a post stores a job only for reactions that it needs', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const takeChanges = await recordJobChanges(server);
  const post = async (fields: object) => {
    await alice.post(statuses, fields);
    const { stored } = await takeChanges();
    await server.drain();
    await takeChanges();
    return stored;
  };
  const { json: byBob } = await bob.post(statuses, { status: 'By Bob' });
  await server.drain();
  await takeChanges();
  expect(await post({ status: 'Plain' })).toEqual(rows(notify, indexLocal));
  expect(await post({ status: 'See https://example.org/page' })).toEqual(rows(card, notify, indexLocal));
  expect(await post({ status: 'To myself', visibility: 'direct' })).toEqual(rows(indexLocal));
  expect(await post({ status: 'A thought', in_reply_to_id: byBob.id })).toEqual(rows(groups, indexLocal));
  expect(await post({ status: '@bob https://fieldfare.test/@bob', in_reply_to_id: byBob.id })).toEqual(
    rows(groups, notify, indexLocal),
  );
  const { json: notifications } = await bob.get('/api/v1/notifications');
  expect(notifications).toMatchObject([{ type: 'mention' }]);
});

test('a received post stores a job only for reactions that it needs', async () => {
  await using server = await startServer();
  const bob = await server.user('bob');
  const posts = new RemotePosts(server);
  const carol = await posts.account('carol');
  const takeChanges = await recordJobChanges(server);
  const receive = async (fields: Parameters<RemotePosts['post']>[1]) => {
    await posts.post(carol, fields, 0);
    return (await takeChanges()).stored;
  };
  expect(await receive({})).toEqual(rows(notify, index));
  expect(await receive({ visibility: 'private', inReplyToUri: 'https://far.test/1' })).toEqual(rows());
  expect(await receive({ visibility: 'unlisted' })).toEqual(rows(notify));
  const mention = { accountId: bob.id };
  expect(await receive({ visibility: 'direct', mentions: [mention] })).toEqual(rows(notify, index));
  const content = '<p><a href="https://elsewhere.test/" rel="nofollow">elsewhere</a></p>';
  expect(await receive({ content })).toEqual(rows(card, notify, index));
  const hashtag = '<p><a href="https://far.test/tags/a" class="mention hashtag" rel="tag">#a</a></p>';
  expect(await receive({ content: hashtag })).toEqual(rows(notify, index));
});

test('a favourite stores a job for a local author only, and for the search of a remote post', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const posts = new RemotePosts(server);
  const far = await posts.post(await posts.account('carol'));
  const { json: near } = await alice.post(statuses, { status: 'Plain' });
  await server.drain();
  const takeChanges = await recordJobChanges(server);
  await bob.post(`${statuses}/${near.id}/favourite`);
  expect((await takeChanges()).stored).toEqual(['default: notification.create_for_favourite']);
  await bob.post(`${statuses}/${near.id}/unfavourite`);
  expect((await takeChanges()).stored).toEqual(['default: notification.delete_for_unfavourite']);
  await bob.post(`${statuses}/${far}/favourite`);
  expect((await takeChanges()).stored).toEqual(['search: search.index_used_status']);
  await bob.post(`${statuses}/${far}/unfavourite`);
  expect((await takeChanges()).stored).toEqual([]);
  server.expectUndelivered('far.test');
});

test('a reblog by a remote account stores a job for its feeds, and for a local author', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posts = new RemotePosts(server);
  const far = await posts.post(await posts.account('carol'));
  const dave = await posts.account('dave');
  const { json: near } = await alice.post(statuses, { status: 'Plain' });
  await server.drain();
  const takeChanges = await recordJobChanges(server);
  await posts.reblog(dave, far, 0);
  expect((await takeChanges()).stored).toEqual([fanOut]);
  await posts.reblog(dave, near.id, 0);
  expect((await takeChanges()).stored).toEqual(['default: notification.create_for_reblog', fanOut]);
  await alice.post(`${statuses}/${far}/reblog`);
  expect((await takeChanges()).stored).toContain('search: search.index_reblogged_status');
  server.expectUndelivered('far.test');
});
