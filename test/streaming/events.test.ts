import { expect, test } from 'vitest';
import { requestsMerged } from '../../server/notifications/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { settle, TestEventSource, TestSocket, type ReceivedEvent } from '../streams.ts';

const postBy = async (author: TestUser, status: string, options: object = {}): Promise<{ id: string }> =>
  (await author.post('/api/v1/statuses', { status, ...options })).json as { id: string };

const follow = (follower: TestUser, target: TestUser, options: object = {}) =>
  follower.post(`/api/v1/accounts/${target.id}/follow`, options);

const parse = (event: ReceivedEvent | undefined): { id: string } =>
  JSON.parse(event?.payload ?? 'null') as { id: string };

/** Events without the content of their payloads. */
const summary = (events: readonly ReceivedEvent[]): string[][] =>
  events.map(({ event, payload }) => [
    event,
    payload.startsWith('{') ? (JSON.parse(payload) as { id: string }).id : payload,
  ]);

async function users(server: TestServer, ...names: string[]): Promise<TestUser[]> {
  const made: TestUser[] = [];
  for (const name of names) made.push(await server.user(name));
  return made;
}

test('STR-01: a home stream shows posts, edits and deletions of followed accounts as the API shows them', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = (await users(server, 'alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
  await follow(bob, alice);
  await settle(server);
  const home = await TestSocket.open(server, bob, 'stream=user');
  const other = await TestSocket.open(server, carol, 'stream=user');
  const { id } = await postBy(alice, 'First', { visibility: 'private' });
  const [update] = await home.take();
  expect(update).toMatchObject({ stream: ['user'], event: 'update' });
  expect(parse(update)).toEqual((await bob.get(`/api/v1/statuses/${id}`)).json);
  await alice.put(`/api/v1/statuses/${id}`, { status: 'Second' });
  const [edit] = await home.take();
  expect(edit?.event).toBe('status.update');
  expect(parse(edit)).toEqual((await bob.get(`/api/v1/statuses/${id}`)).json);
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await home.take()).toEqual([{ stream: ['user'], event: 'delete', payload: id }]);
  expect(await other.take()).toEqual([]);
  home.close();
  other.close();
});

test('STR-01: a home stream shows reblogs once, and their end', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = (await users(server, 'alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
  await follow(bob, alice);
  await follow(bob, carol);
  await settle(server);
  const home = await TestSocket.open(server, bob, 'stream=user');
  const { id } = await postBy(await server.user('stranger'), 'Unknown to Bob');
  const reblog = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json as { id: string };
  const [update] = await home.take();
  expect(parse(update)).toEqual((await bob.get(`/api/v1/statuses/${reblog.id}`)).json);
  await carol.post(`/api/v1/statuses/${id}/reblog`);
  expect(await home.take()).toEqual([]);
  await alice.post(`/api/v1/statuses/${id}/unreblog`);
  expect(summary(await home.take())).toEqual([['delete', reblog.id]]);
  home.close();
});

test('STR-01: the deletion of a post also deletes its reblogs in home streams', async () => {
  await using server = await startServer();
  const [alice, bob, author] = (await users(server, 'alice', 'bob', 'author')) as [TestUser, TestUser, TestUser];
  await follow(bob, alice);
  await settle(server);
  const { id } = await postBy(author, 'Short-lived');
  const reblog = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json as { id: string };
  await settle(server);
  const home = await TestSocket.open(server, bob, 'stream=user');
  await author.delete(`/api/v1/statuses/${id}`);
  expect(summary(await home.take())).toEqual([['delete', reblog.id]]);
  home.close();
});

test('STR-01: notifications are streamed in the form of the first API, if the token may read them', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const { id } = await postBy(alice, 'Mine');
  const statuses = await server.withScopes(alice, 'read:statuses');
  const only = await server.withScopes(alice, 'read:notifications');
  const [full, narrow, notifications] = [
    await TestSocket.open(server, alice, 'stream=user'),
    await TestSocket.open(server, statuses, 'stream=user'),
    await TestEventSource.open(server, only, '/user/notification'),
  ];
  await bob.post(`/api/v1/statuses/${id}/favourite`);
  const [event] = await full.take();
  const [stored] = (await alice.get('/api/v1/notifications')).json as { group_key: string }[];
  expect(event).toMatchObject({ stream: ['user'], event: 'notification' });
  expect(parse(event)).toEqual(stored);
  expect(stored?.group_key).toMatch(/^favourite-/);
  expect(await narrow.take()).toEqual([]);
  expect((await notifications.take()).map((received) => parse(received))).toEqual([stored]);
  full.close();
  narrow.close();
  notifications.close();
});

test('STR-01: a filtered notification is not streamed, but that accepted requests were merged is', async () => {
  await using server = await startServer();
  const [alice, stranger] = (await users(server, 'alice', 'stranger')) as [TestUser, TestUser];
  const { id } = await postBy(alice, 'Mine');
  await server.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', stranger.id).execute();
  const stream = await TestSocket.open(server, alice, 'stream=user:notification');
  await stranger.post(`/api/v1/statuses/${id}/favourite`);
  expect(await stream.take()).toEqual([]);
  await transaction(server.app, async ({ emit }) => emit(requestsMerged({ accountId: alice.id })));
  expect(summary(await stream.take())).toEqual([['notifications_merged', '1']]);
  stream.close();
});

test('STR-01: an edit reaches the notification streams of mentioned accounts', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const { id } = await postBy(alice, 'Hello @bob');
  await settle(server);
  const stream = await TestSocket.open(server, bob, 'stream=user:notification');
  const user = await TestSocket.open(server, bob, 'stream=user');
  await alice.put(`/api/v1/statuses/${id}`, { status: 'Hello again @bob' });
  expect(summary(await stream.take())).toEqual([['status.update', id]]);
  expect(summary(await user.take())).toEqual([['status.update', id]]);
  stream.close();
  user.close();
});

test('STR-02: a changed quote policy and new counts of a poll update a post', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  await follow(bob, alice);
  const { id, poll } = (
    await alice.post('/api/v1/statuses', { status: 'Which?', poll: { options: ['One', 'Two'], expires_in: 604_800 } })
  ).json as { id: string; poll: { id: string } };
  await settle(server);
  const home = await TestSocket.open(server, bob, 'stream=user');
  await alice.put(`/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: 'nobody' });
  expect(summary(await home.take())).toEqual([['status.update', id]]);
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] });
  server.clock.advance(200_000);
  const [update] = await home.take();
  expect(JSON.parse(update?.payload ?? '')).toMatchObject({
    id,
    poll: { votes_count: 1, voted: true, own_votes: [1] },
  });
  home.close();
});

test('STR-02: public streams show public posts by origin and attachments, to whoever may see them', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const names = [
    'public',
    'public:media',
    'public:local',
    'public:local:media',
    'public:remote',
    'public:remote:media',
  ];
  const socket = await TestSocket.open(server, bob);
  for (const name of names) await socket.subscribe(name);
  const streams = async () => (await socket.take()).map(({ stream, event }) => `${stream?.[0]} ${event}`).toSorted();
  const { id } = await postBy(alice, 'Text #birds');
  expect(await streams()).toEqual(['public update', 'public:local update']);
  await alice.put(`/api/v1/statuses/${id}`, { status: 'Other text' });
  expect(await streams()).toEqual(['public status.update', 'public:local status.update']);
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await streams()).toEqual(['public delete', 'public:local delete']);
  for (const visibility of ['unlisted', 'private', 'direct']) await postBy(alice, 'Not public', { visibility });
  const reblogged = await postBy(bob, 'Own');
  expect(await streams()).toEqual(['public update', 'public:local update']);
  await alice.post(`/api/v1/statuses/${reblogged.id}/reblog`);
  await postBy(alice, 'A reply', { in_reply_to_id: reblogged.id });
  expect(await streams()).toEqual([]);
  await bob.post(`/api/v1/accounts/${alice.id}/mute`);
  await postBy(alice, 'To nobody');
  expect(await streams()).toEqual([]);
  socket.close();
  const media = await TestEventSource.open(server, bob, '/public/local?only_media=true');
  await postBy(bob, 'Without attachment');
  expect(await media.take()).toEqual([]);
  media.close();
});

test('STR-02: hashtag streams show public posts with the hashtag, replies too', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const source = await TestEventSource.open(server, bob, '/hashtag?tag=BIRDS');
  const local = await TestEventSource.open(server, bob, '/hashtag/local?tag=birds');
  const first = await postBy(alice, 'About #Birds');
  const reply = await postBy(bob, 'More #birds', { in_reply_to_id: first.id });
  await postBy(alice, 'About #fish');
  await postBy(alice, 'Quiet #birds', { visibility: 'unlisted' });
  for (const stream of [source, local]) {
    // Two posts may arrive in either order.
    expect(summary(await stream.take()).toSorted()).toEqual(
      [
        ['update', first.id],
        ['update', reply.id],
      ].toSorted(),
    );
    stream.close();
  }
});

test('STR-02: a list stream shows the posts of its members by its replies policy', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = (await users(server, 'alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
  await follow(bob, alice);
  const { id: list } = (await bob.post('/api/v1/lists', { title: 'Friends', replies_policy: 'none' })).json as {
    id: string;
  };
  await bob.post(`/api/v1/lists/${list}/accounts`, { account_ids: [alice.id] });
  await settle(server);
  const socket = await TestSocket.open(server, bob);
  await socket.subscribe('list', { list });
  const sse = await TestEventSource.open(server, bob, `/list?list=${list}`);
  const { id } = await postBy(alice, 'Listed');
  const question = await postBy(carol, 'Question');
  await postBy(alice, 'A reply', { in_reply_to_id: question.id });
  expect(await socket.take()).toMatchObject([{ stream: ['list', list], event: 'update' }]);
  expect(summary(await sse.take())).toEqual([['update', id]]);
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await socket.take()).toEqual([{ stream: ['list', list], event: 'delete', payload: id }]);
  socket.close();
  sse.close();
});

test('STR-02: the direct stream shows conversations with their new posts', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const direct = await TestSocket.open(server, bob, 'stream=direct');
  const sse = await TestEventSource.open(server, bob, '/direct');
  await postBy(alice, '@bob secret', { visibility: 'direct' });
  const [conversation] = (await bob.get('/api/v1/conversations')).json as object[];
  const [event] = await direct.take();
  expect(event).toMatchObject({ stream: ['direct'], event: 'conversation' });
  expect(parse(event)).toEqual(conversation);
  expect((await sse.take()).map((received) => parse(received))).toEqual([conversation]);
  direct.close();
  sse.close();
});

test('STR-02: posts in streams name the filters of the reader that they match, and only those', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = (await users(server, 'alice', 'bob', 'carol')) as [TestUser, TestUser, TestUser];
  const streams = [];
  for (const reader of [bob, carol]) streams.push(await TestSocket.open(server, reader, 'stream=user'));
  await bob.post('/api/v2/filters', {
    title: 'Fish',
    context: ['public'],
    filter_action: 'blur',
    keywords_attributes: [{ keyword: 'herring', whole_word: true }],
  });
  for (const [index, stream] of streams.entries()) {
    const expected = index === 0 ? [{ stream: ['user'], event: 'filters_changed', payload: '1' }] : [];
    expect(await stream.take()).toEqual(expected);
    await stream.subscribe('public');
  }
  const { id } = await postBy(alice, 'A herring');
  for (const [index, stream] of streams.entries()) {
    const reader = [bob, carol][index] as TestUser;
    const [update] = await stream.take();
    expect(parse(update)).toEqual((await reader.get(`/api/v1/statuses/${id}`)).json);
    const filtered =
      index === 0 ? [{ filter: { title: 'Fish', filter_action: 'blur' }, keyword_matches: ['herring'] }] : [];
    expect(parse(update)).toMatchObject({ filtered });
    stream.close();
  }
});

test('STR-01: server-sent events carry the public stream, and its remote part without local posts', async () => {
  await using server = await startServer();
  const [alice, bob] = (await users(server, 'alice', 'bob')) as [TestUser, TestUser];
  const all = await TestEventSource.open(server, bob, '/public');
  const remote = await TestEventSource.open(server, bob, '/public/remote');
  const { id } = await postBy(alice, 'Hello everyone');
  expect(summary(await all.take())).toEqual([['update', id]]);
  expect(await remote.take()).toEqual([]);
  all.close();
  remote.close();
});
