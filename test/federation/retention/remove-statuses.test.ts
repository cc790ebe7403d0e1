import { expect, test } from 'vitest';
import { removeOldStatuses } from '../../../server/federation/retention/index.ts';
import { newId, type AccountId, type StatusId } from '../../../server/platform/ids.ts';
import { storeRemotePins, storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { postBy } from '../../feeds.ts';
import { startServer, type TestServer } from '../../server.ts';
import { RemotePosts } from './remote-posts.ts';

const dayMs = 86_400_000;

const storedIds = async ({ app }: TestServer): Promise<string[]> =>
  (await app.db.selectFrom('statuses').select('id').where('local', '=', false).orderBy('id').execute()).map(
    ({ id }) => id,
  );

async function ok(response: Promise<{ status: number; text: string; json: { id: string } }>): Promise<string> {
  const { status, text, json } = await response;
  expect(status, text).toBe(200);
  return json.id;
}

test('old remote posts are removed, except those that a local user or staff needs', async () => {
  await using server = await startServer();
  server.expectUndelivered('far.test');
  const remote = new RemotePosts(server);
  const alice = await server.user('alice', { scopes: 'read write follow admin:read admin:write' });
  const [eve, fay, gus] = [await remote.account('eve'), await remote.account('fay'), await remote.account('gus')];
  const created = server.clock.now();
  await server.db
    .insertInto('follows')
    .values({ id: newId<'row'>(created), account_id: alice.id, target_account_id: gus, created_at: created })
    .execute();
  const doAs = (action: string, id: string, body = {}) => ok(alice.post(`/api/v1/statuses/${id}/${action}`, body));

  const needed: Record<string, StatusId> = {};
  const removable: Record<string, StatusId> = {};
  removable['untouched'] = await remote.post(eve, {
    attachments: [{ url: 'https://far.test/a.png' }],
    tags: ['birds'],
  });
  needed['recent'] = await remote.post(eve, {}, 89);
  needed['for followers only'] = await remote.post(eve, { visibility: 'private' });
  needed['of a followed account'] = await remote.post(gus);
  needed['favourited'] = await remote.post(eve);
  await doAs('favourite', needed['favourited']);
  needed['with a local reaction'] = await remote.post(eve);
  await doAs(`react/${encodeURIComponent('🎉')}`, needed['with a local reaction']);
  needed['bookmarked'] = await remote.post(eve);
  await doAs('bookmark', needed['bookmarked']);
  needed['reblogged here'] = await remote.post(eve);
  await doAs('reblog', needed['reblogged here']);
  needed['reblogged by a followed account'] = await remote.post(eve);
  needed['the reblog of a followed account'] = await remote.reblog(gus, needed['reblogged by a followed account']);
  needed['reblogged lately'] = await remote.post(eve);
  needed['the late reblog'] = await remote.reblog(fay, needed['reblogged lately'], 3);
  removable['reblogged long ago'] = await remote.post(eve);
  removable['the old reblog'] = await remote.reblog(fay, removable['reblogged long ago']);
  needed['the start of a thread with a local reply'] = await remote.post(eve);
  needed['replied to here'] = await remote.post(fay, {
    inReplyToId: needed['the start of a thread with a local reply'],
  });
  await postBy(alice, { status: 'Agreed', in_reply_to_id: needed['replied to here'] });
  needed['replied to lately'] = await remote.post(eve);
  needed['the late reply'] = await remote.post(fay, { inReplyToId: needed['replied to lately'] }, 2);
  needed['mentions a local user'] = await remote.post(eve, { mentions: [{ accountId: alice.id }] });
  needed['pinned'] = await remote.post(fay);
  await storeRemotePins(server.app, fay, [needed['pinned']]);
  needed['with a local vote'] = await remote.post(eve, {
    poll: {
      options: [
        { title: 'a', votes: 0 },
        { title: 'b', votes: 0 },
      ],
      multiple: false,
      expiresAt: undefined,
      votersCount: 0,
    },
  });
  const { json: polled } = await alice.get(`/api/v1/statuses/${needed['with a local vote']}`);
  await ok(alice.post(`/api/v1/polls/${polled.poll.id}/votes`, { choices: [0] }));
  needed['reported'] = await remote.post(eve);
  await ok(alice.post('/api/v1/reports', { account_id: eve, status_ids: [needed['reported']] }));
  needed['filtered'] = await remote.post(eve);
  const filter = await ok(alice.post('/api/v2/filters', { title: 'x', context: ['home'] }));
  await ok(alice.post(`/api/v2/filters/${filter}/statuses`, { status_id: needed['filtered'] }));
  needed['with a favourite that waits for its author'] = await remote.post(eve);
  await server.db
    .insertInto('interaction_requests')
    .values({
      id: newId<'row'>(created) as never,
      kind: 'favourite',
      state: 'pending',
      status_id: needed['with a favourite that waits for its author'],
      author_id: eve,
      account_id: alice.id,
      created_at: created,
    })
    .execute();
  needed['in a draft'] = await remote.post(eve);
  await ok(
    alice.post('/api/v1/fieldfare/drafts', { posts: [{ status: 'Later' }], in_reply_to_id: needed['in a draft'] }),
  );
  needed['in a scheduled post'] = await remote.post(eve);
  const scheduledAt = new Date(server.clock.now().getTime() + dayMs).toISOString();
  await ok(
    alice.post('/api/v1/statuses', {
      status: 'Tomorrow',
      in_reply_to_id: needed['in a scheduled post'],
      scheduled_at: scheduledAt,
    }),
  );
  for (const field of ['inReplyToId', 'quotedStatusId']) {
    const name = `in a held post, ${field}`;
    needed[name] = await remote.post(eve);
    await server.db
      .insertInto('held_posts')
      .values({
        id: newId<'status'>(created) as never,
        account_id: alice.id,
        state: 'pending',
        params: JSON.stringify({ local: { text: 'Wait', [field]: needed[name] } }) as never,
        preview: '{}' as never,
        created_at: created,
      } as never)
      .execute();
  }
  await server.drain();
  const dry = await removeOldStatuses(server.app, 'system', { days: 90, dryRun: true });
  expect(await storedIds(server)).toEqual([...Object.values(needed), ...Object.values(removable)].toSorted(byId));

  const shares: number[] = [];
  const result = await removeOldStatuses(server.app, 'system', { days: 90, progress: (share) => shares.push(share) });
  const left = new Set(await storedIds(server));
  expect(Object.entries(needed).filter(([, id]) => !left.has(id))).toEqual([]);
  expect(Object.entries(removable).filter(([, id]) => left.has(id))).toEqual([]);
  expect(result).toEqual(dry);
  expect(result.removed).toBe(Object.keys(removable).length);
  expect(shares.length).toBeGreaterThan(0);
  expect(await server.app.db.selectFrom('media_attachments').select('id').execute()).toEqual([]);
  expect(await server.app.db.selectFrom('status_tags').select('tag_id').execute()).toEqual([]);
  expect((await alice.get(`/api/v1/statuses/${removable['untouched']}`)).status).toBe(404);
  const log = await server.app.db.selectFrom('audit_log').select(['action', 'staff_id', 'after']).execute();
  expect(log).toMatchObject([{ action: 'status.remove_remote', staff_id: null, after: { clean_followed: false } }]);

  // Without follows, those of followed accounts go too.
  const followed = ['of a followed account', 'reblogged by a followed account', 'the reblog of a followed account'];
  await removeOldStatuses(server.app, 'system', { days: 90, cleanFollowed: true });
  const after = new Set(await storedIds(server));
  expect(Object.keys(needed).filter((name) => !after.has(needed[name] ?? ''))).toEqual(followed);
});

const byId = (a: string, b: string): number => Number(BigInt(a) - BigInt(b));

test('removed posts no longer count as replies, reblogs or feed entries, and can be fetched again', async () => {
  await using server = await startServer();
  server.expectUndelivered('far.test');
  const remote = new RemotePosts(server);
  const alice = await server.user('alice');
  const [eve, fay] = [await remote.account('eve'), await remote.account('fay')];
  const kept = await remote.post(eve);
  await ok(alice.post(`/api/v1/statuses/${kept}/favourite`));
  const reply = await remote.post(fay, { inReplyToId: kept });
  await remote.reblog(fay, kept);
  await server.db
    .insertInto('home_feed')
    .values({ account_id: alice.id, status_id: reply, reblog_of_id: null })
    .execute();
  const counts = async () => {
    const { json } = await alice.get(`/api/v1/statuses/${kept}`);
    return [json.replies_count, json.reblogs_count, json.favourites_count];
  };
  expect(await counts()).toEqual([1, 1, 1]);
  await server.drain();
  expect(await removeOldStatuses(server.app, 'system', { days: 1 })).toEqual({ examined: 3, removed: 2 });
  expect(await counts()).toEqual([0, 0, 1]);
  expect(await server.app.db.selectFrom('home_feed').select('status_id').execute()).toEqual([]);
  expect(
    await storeRemoteStatus(server.app, {
      uri: 'https://far.test/notes/2',
      accountId: fay,
      content: '<p>Again</p>',
      visibility: 'public',
      inReplyToId: kept,
      publishedAt: server.clock.now(),
    }),
  ).toEqual(expect.any(String));
  expect(await counts()).toEqual([1, 0, 1]);
});

test('posts of a profile that someone viewed in the last week stay; later it is read from its server again', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const [eve, fay] = [await remote.account('eve'), await remote.account('fay')];
  const [viewed] = [await remote.post(eve), await remote.post(fay)];
  const recent = await remote.post(eve, {}, 1);
  const readOutbox = (accountId: AccountId, daysAgo: number) =>
    server.db
      .insertInto('outbox_reads')
      .values({ account_id: accountId, started_at: new Date(server.clock.now().getTime() - daysAgo * dayMs) })
      .execute();
  await readOutbox(eve, 6);
  await readOutbox(fay, 8);
  const listRead = async () =>
    (await server.db.selectFrom('outbox_reads').select('account_id').execute()).map((row) => row.account_id);
  expect(await removeOldStatuses(server.app, 'system', { days: 90, dryRun: true })).toMatchObject({ removed: 1 });
  expect(await removeOldStatuses(server.app, 'system', { days: 90 })).toMatchObject({ removed: 1 });
  expect(await storedIds(server)).toEqual([viewed, recent]);
  expect(await listRead()).toEqual([eve]);
  server.clock.advance(2 * 86_400);
  expect(await removeOldStatuses(server.app, 'system', { days: 90 })).toMatchObject({ removed: 1 });
  expect(await storedIds(server)).toEqual([recent]);
  expect(await listRead()).toEqual([]);
});

test('conversations are deleted with their last post, except muted ones', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const alice = await server.user('alice');
  const eve = await remote.account('eve');
  const conversationUri = 'tag:far.test,2026-01-01:objectId=1:objectType=Conversation';
  const removable = await remote.post(eve, { conversationUri });
  await remote.post(eve, { inReplyToId: removable });
  const muted = await remote.post(eve);
  await ok(alice.post(`/api/v1/statuses/${muted}/mute`));
  const kept = await remote.post(eve);
  await ok(alice.post(`/api/v1/statuses/${kept}/bookmark`));
  const deleted = await postBy(alice, { status: 'Oops' });
  expect((await alice.delete(`/api/v1/statuses/${deleted}`)).status).toBe(200);
  await server.drain();
  const conversationOf = async (id: string) =>
    (
      await server.db
        .selectFrom('statuses')
        .select('conversation_id')
        .where('id', '=', id as StatusId)
        .executeTakeFirstOrThrow()
    ).conversation_id;
  const listConversations = async () =>
    (await server.db.selectFrom('conversations').select('id').execute()).map(({ id }) => id).toSorted();
  const expected = [await conversationOf(muted), await conversationOf(kept), await conversationOf(deleted)].toSorted();
  expect(await listConversations()).toHaveLength(4);

  await server.runSchedule('conversation.clean_up_unused');
  expect(await listConversations()).toHaveLength(4);
  await removeOldStatuses(server.app, 'system', { days: 1 });
  await server.runSchedule('conversation.clean_up_unused');
  expect(await listConversations()).toEqual(expected);

  // The thread begins again under the address of its conversation.
  const again = await remote.post(eve, { conversationUri });
  const twin = await remote.post(eve, { conversationUri });
  expect(await conversationOf(again)).toBe(await conversationOf(twin));
});

test('what users do with a post that is removed at the same time is answered with 404', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const alice = await server.user('alice');
  const eve = await remote.account('eve');
  const id = await remote.post(eve);
  const filter = await ok(alice.post('/api/v2/filters', { title: 'x', context: ['home'] }));
  expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(200);
  await server.drain();
  // Another process has removed it, and this one does not know yet.
  await server.pool.query('delete from statuses where id = $1', [id]);
  const requests = [
    ...['favourite', 'bookmark', 'reblog', `react/${encodeURIComponent('🎉')}`].map(
      (action) => [`/api/v1/statuses/${id}/${action}`, {}] as const,
    ),
    ['/api/v1/statuses', { status: 'Agreed', in_reply_to_id: id }] as const,
    [`/api/v2/filters/${filter}/statuses`, { status_id: id }] as const,
  ];
  const answers: [string, number][] = [];
  for (const [path, body] of requests) answers.push([path, (await alice.post(path, body)).status]);
  expect(answers).toEqual(requests.map(([path]) => [path, 404]));
  await server.drain();
});
