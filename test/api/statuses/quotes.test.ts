import { expect, test } from 'vitest';
import { multipart, startServer, walk, type TestServer, type TestUser } from '../../server.ts';
import sharp from 'sharp';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, body: Record<string, unknown>) {
  const response = await user.post(statuses, body);
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return response.json;
}

const quote = (user: TestUser, quoted: { id: string }, body: Record<string, unknown> = {}) =>
  post(user, { status: 'Look', quoted_status_id: quoted.id, ...body });

const loadStatus = async (user: { get: TestUser['get'] }, id: string) => (await user.get(`${statuses}/${id}`)).json;

const listQuoteIds = async (user: { get: TestUser['get'] }, id: string): Promise<string[]> =>
  (await user.get(`${statuses}/${id}/quotes`)).json.map((status: { id: string }) => status.id);

/** Lists all notifications, also those that the default policy filters: private mentions by strangers. */
const listNotifications = async (
  user: TestUser,
): Promise<{ type: string; status: { id: string }; account: { acct: string } }[]> =>
  (await user.get('/api/v1/notifications?include_filtered=true')).json;

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
}

async function createScene(): Promise<Scene> {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  return { server, alice, bob, carol, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('a quoting post embeds the quoted one, one level deep, and the quote is counted', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const second = await quote(s.bob, first);
  expect(second).toMatchObject({
    quotes_count: 0,
    quote: {
      state: 'accepted',
      quoted_status: { id: first.id, content: '<p>First</p>', quote: null, favourited: false },
    },
    quote_approval: { automatic: ['public'], manual: [], current_user: 'automatic' },
  });
  expect(second.content).toMatch(/^<p class="quote-inline">RE: <a href="[^"]+"/);
  expect(second.content).toContain(`href="${first.url}"`);
  const third = await quote(s.carol, second, { status: '' });
  expect(third.quote.quoted_status).toMatchObject({
    id: second.id,
    quote: { state: 'accepted', quoted_status_id: first.id },
  });
  expect(third.quote.quoted_status.quote).not.toHaveProperty('quoted_status');
  expect(await loadStatus(s.alice, first.id)).toMatchObject({ quotes_count: 1, quote: null });
  expect((await loadStatus(s.server.anonymous, third.id)).quote).toMatchObject({
    state: 'accepted',
    quoted_status: { id: second.id },
  });
  await s.alice.post(`${statuses}/${first.id}/favourite`);
  expect((await loadStatus(s.alice, second.id)).quote.quoted_status).toMatchObject({
    favourited: true,
    favourites_count: 1,
  });
  const reblog = (await s.carol.post(`${statuses}/${second.id}/reblog`)).json;
  expect(reblog).toMatchObject({ quote: null, reblog: { quote: { quoted_status: { id: first.id } } } });
  expect(reblog.quote_approval).toEqual(reblog.reblog.quote_approval);
});

test('a quoting post has no preview card, and can have attachments or a poll', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'p.png', { type: 'image/png' });
  const { id } = (await s.bob.post('/api/v2/media', await multipart({ file }))).json;
  expect(await quote(s.bob, first, { status: '', media_ids: [id] })).toMatchObject({
    media_attachments: [{ id }],
    quote: { state: 'accepted' },
  });
  const poll = { options: ['a', 'b'], expires_in: 600 };
  const withPoll = await quote(s.bob, first, { poll, status: 'Which? https://far.test/page' });
  expect(withPoll).toMatchObject({ poll: { options: [{ title: 'a' }, { title: 'b' }] }, quote: { state: 'accepted' } });
  await s.server.drain();
  expect((await loadStatus(s.bob, withPoll.id)).card).toBeNull();
});

test('the inline link is omitted if the text contains the URL of the quoted post', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const { content } = await quote(s.bob, first, { status: `See ${first.url}` });
  expect(content).not.toContain('quote-inline');
});

test('quoting an unknown, invisible, direct, followers-only, closed or blocked post is 404', async () => {
  await using s = await createScene();
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/follow`);
  const secret = await post(s.alice, { status: 'For friends', visibility: 'private' });
  const direct = await post(s.alice, { status: '@bob hi', visibility: 'direct' });
  const closed = await post(s.alice, { status: 'Mine', quote_approval_policy: 'nobody' });
  const open = await post(s.alice, { status: 'Open' });
  for (const id of ['1', 'x', secret.id, direct.id, closed.id]) {
    const refused = await s.bob.post(statuses, { status: 'x', quoted_status_id: id });
    expect([id, refused.status]).toEqual([id, 404]);
    expect(refused.json.error).toBe('There is no such post to quote');
  }
  expect((await s.carol.post(statuses, { status: 'x', quoted_status_id: secret.id })).status).toBe(404);
  await s.alice.post(`/api/v1/accounts/${s.carol.id}/block`);
  expect((await s.carol.post(statuses, { status: 'x', quoted_status_id: open.id })).status).toBe(404);
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/block`);
  expect((await s.bob.post(statuses, { status: 'x', quoted_status_id: open.id })).status).toBe(404);
  const own = await s.alice.post(statuses, { status: 'x', quoted_status_id: direct.id });
  expect(own.status).toBe(404);
  expect((await s.carol.post(statuses, { status: 'x', quoted_status_id: '' })).json.quote).toBeNull();
});

test('a post whose quote policy was just closed, or that was deleted, cannot be quoted despite a cached copy', async () => {
  await using s = await createScene();
  const { db } = s.server;
  const [closed, deleted, open] = [
    await post(s.alice, { status: 'Closed' }),
    await post(s.alice, { status: 'Gone' }),
    await post(s.alice, { status: 'Open' }),
  ];
  for (const { id } of [closed, deleted, open]) await loadStatus(s.bob, id);
  await db.updateTable('statuses').set({ quote_policy: 0 }).where('id', '=', closed.id).execute();
  await db.updateTable('statuses').set({ deleted_at: new Date() }).where('id', '=', deleted.id).execute();
  const responses = await Promise.all(
    [closed, deleted, open].map(({ id }) => s.bob.post(statuses, { status: 'Look', quoted_status_id: id })),
  );
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 200]);
  expect((await s.bob.get(`/api/v1/accounts/${s.bob.id}/statuses`)).json).toHaveLength(1);
  expect(await db.selectFrom('quotes').select('id').execute()).toHaveLength(1);
});

test('followers can quote posts with the policy followers, authors their own; quoting a boost quotes its post', async () => {
  await using s = await createScene();
  const some = await post(s.alice, { status: 'Some', quote_approval_policy: 'followers' });
  expect(some.quote_approval).toEqual({ automatic: ['followers'], manual: [], current_user: 'automatic' });
  expect((await loadStatus(s.bob, some.id)).quote_approval.current_user).toBe('denied');
  expect((await loadStatus(s.server.anonymous, some.id)).quote_approval.current_user).toBe('denied');
  expect((await s.bob.post(statuses, { status: 'x', quoted_status_id: some.id })).status).toBe(404);
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/follow`);
  expect((await loadStatus(s.bob, some.id)).quote_approval.current_user).toBe('automatic');
  expect((await quote(s.bob, some)).quote.state).toBe('accepted');
  const none = await post(s.alice, { status: 'None', quote_approval_policy: 'nobody' });
  expect(none.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' });
  expect((await quote(s.alice, none)).quote.state).toBe('accepted');
  const reblog = (await s.bob.post(`${statuses}/${some.id}/reblog`)).json;
  expect((await quote(s.bob, reblog)).quote.quoted_status.id).toBe(some.id);
});

test('a quote of an own followers-only post is never public, and only followers see the quoted post', async () => {
  await using s = await createScene();
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/follow`);
  const secret = await post(s.alice, { status: 'For friends', visibility: 'private' });
  expect(secret.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' });
  expect((await quote(s.alice, secret, { visibility: 'public' })).visibility).toBe('private');
  expect((await quote(s.alice, secret, { visibility: 'direct', status: '@carol' })).visibility).toBe('direct');
  await s.server.drain();
  const [direct] = await listNotifications(s.carol);
  expect(direct).toMatchObject({ type: 'mention', status: { quote: { state: 'unauthorized', quoted_status: null } } });
});

test('a direct post that quotes without mentioning the quoted author is 422', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const body = { quoted_status_id: first.id, visibility: 'direct' };
  expect((await s.bob.post(statuses, { ...body, status: '@carol look' })).status).toBe(422);
  expect((await s.bob.post(statuses, { ...body, status: '@alice hm' })).status).toBe(200);
  await s.server.drain();
  expect((await listNotifications(s.alice)).map(({ type }) => type)).toEqual(['mention']);
  const invalid = await s.bob.post(statuses, { status: 'x', quote_approval_policy: 'friends' });
  expect(invalid.status).toBe(422);
});

test('ACC-03: the quote policy of a post defaults to the preference of its author', async () => {
  await using s = await createScene();
  await s.alice.patch('/api/v1/accounts/update_credentials', { source: { quote_policy: 'followers' } });
  expect((await post(s.alice, { status: 'a' })).quote_approval.automatic).toEqual(['followers']);
  expect((await post(s.alice, { status: 'b', quote_approval_policy: 'public' })).quote_approval.automatic).toEqual([
    'public',
  ]);
  const preferences = (await s.alice.get('/api/v1/preferences')).json;
  expect(preferences['posting:default:quote_policy']).toBe('followers');
});

test('only the author can change a quote policy; that is not an edit, and accepted quotes stay', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first);
  const path = `${statuses}/${first.id}/interaction_policy`;
  const changed = await s.alice.put(path, { quote_approval_policy: 'nobody' });
  expect(changed).toMatchObject({ status: 200, json: { id: first.id, edited_at: null } });
  expect(changed.json.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' });
  expect((await loadStatus(s.bob, first.id)).quote_approval.current_user).toBe('denied');
  expect((await loadStatus(s.bob, quoting.id)).quote.state).toBe('accepted');
  expect((await s.alice.patch(path, { quote_approval_policy: 'followers' })).json.quote_approval.automatic).toEqual([
    'followers',
  ]);
  expect((await s.alice.put(path)).json.quote_approval.automatic).toEqual(['public']);
  expect((await s.alice.put(path, { quote_approval_policy: 'x' })).status).toBe(422);
  expect((await s.bob.put(path, { quote_approval_policy: 'public' })).status).toBe(403);
  expect((await s.server.anonymous.put(path, {})).status).toBe(401);
  expect((await (await s.server.withScopes(s.alice, 'read')).put(path, {})).status).toBe(403);
  expect((await s.alice.put(`${statuses}/1/interaction_policy`, {})).status).toBe(404);
  const secret = await post(s.alice, { status: 'For friends', visibility: 'private' });
  expect((await s.bob.put(`${statuses}/${secret.id}/interaction_policy`, {})).status).toBe(404);
  const unchanged = await s.alice.put(`${statuses}/${secret.id}/interaction_policy`, {
    quote_approval_policy: 'public',
  });
  expect(unchanged.json.quote_approval.automatic).toEqual([]);
  const reblog = (await s.alice.post(`${statuses}/${first.id}/reblog`)).json;
  expect((await s.alice.put(`${statuses}/${reblog.id}/interaction_policy`, {})).status).toBe(422);
});

test('an edit keeps the quoted post and the quote policy, needs no text, and can change the policy', async () => {
  await using s = await createScene();
  const [first, other] = [await post(s.alice, { status: 'First' }), await post(s.alice, { status: 'Other' })];
  const quoting = await quote(s.bob, first, { quote_approval_policy: 'nobody' });
  const edited = await s.bob.put(`${statuses}/${quoting.id}`, { status: 'Edited', quoted_status_id: other.id });
  expect(edited.json).toMatchObject({ quote: { quoted_status: { id: first.id } }, quote_approval: { automatic: [] } });
  expect(edited.json.content).toContain('class="quote-inline"');
  const history = (await s.bob.get(`${statuses}/${quoting.id}/history`)).json;
  expect(history).toHaveLength(2);
  for (const version of history)
    expect(version.quote).toMatchObject({ state: 'accepted', quoted_status: { id: first.id } });
  expect((await s.bob.get(`${statuses}/${quoting.id}/source`)).json.text).toBe('Edited');
  const blank = await s.bob.put(`${statuses}/${quoting.id}`, { quote_approval_policy: 'public' });
  expect([blank.status, blank.json.quote_approval.automatic]).toEqual([200, ['public']]);
  const before = blank.json.edited_at;
  s.server.clock.advance(60);
  const same = await s.bob.put(`${statuses}/${quoting.id}`, { quote_approval_policy: 'followers' });
  expect(same.json).toMatchObject({ edited_at: before, quote_approval: { automatic: ['followers'] } });
  expect((await s.alice.get(`${statuses}/${first.id}/history`)).json[0]).not.toHaveProperty('quote');
});

test('SCH-01: a scheduled post keeps its quoted post and quote policy', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const at = new Date(s.server.clock.now().getTime() + 600_000).toISOString();
  const waiting = await quote(s.bob, first, { status: '', scheduled_at: at, quote_approval_policy: 'nobody' });
  expect(waiting.params).toMatchObject({ quoted_status_id: first.id, quote_approval_policy: 'nobody' });
  const other = await post(s.bob, { status: 'x', scheduled_at: at });
  expect(other.params).toMatchObject({ quoted_status_id: null, quote_approval_policy: 'public' });
  const refused = await s.bob.post(statuses, { status: 'x', scheduled_at: at, quoted_status_id: '1' });
  expect(refused.status).toBe(404);
  const hidden = { status: '@carol', scheduled_at: at, quoted_status_id: first.id, visibility: 'direct' };
  expect((await s.bob.post(statuses, hidden)).status).toBe(422);
  s.server.clock.advance(700);
  await s.server.drain();
  const [posted] = (await s.alice.get(`${statuses}/${first.id}/quotes`)).json;
  expect(posted).toMatchObject({ quote: { quoted_status: { id: first.id } }, quote_approval: { automatic: [] } });
});

test('STA-22: deleting a quoting post returns its text and quote, and no longer counts the quote', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first);
  await s.server.drain();
  const deleted = await s.bob.delete(`${statuses}/${quoting.id}`);
  expect(deleted.json).toMatchObject({ text: 'Look', quote: { quoted_status: { id: first.id } } });
  expect((await loadStatus(s.alice, first.id)).quotes_count).toBe(0);
  expect(await listQuoteIds(s.alice, first.id)).toEqual([]);
  await s.server.drain();
  expect(await listNotifications(s.alice)).toEqual([]);
  expect((await loadStatus(s.alice, first.id)).quotes_count).toBe(0);
});

test('quotes of a deleted post have the state deleted, immediately and after its rows are deleted', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first);
  const outer = await quote(s.carol, quoting);
  await s.alice.delete(`${statuses}/${first.id}`);
  const deletedQuote = { state: 'deleted', quoted_status: null };
  expect((await loadStatus(s.bob, quoting.id)).quote).toEqual(deletedQuote);
  expect((await loadStatus(s.bob, outer.id)).quote.quoted_status.quote).toEqual({
    state: 'deleted',
    quoted_status_id: null,
  });
  await s.server.drain();
  s.server.clock.advance(31 * 86_400);
  await s.server.runSchedule('status.clean_up_deleted');
  await s.server.drain();
  expect((await loadStatus(s.bob, quoting.id)).quote).toEqual(deletedQuote);
});

test('the state of a quote depends on mutes and blocks between viewer and quoted author', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first);
  const outer = await quote(s.bob, quoting);
  const stateFor = async () => {
    const [near, far] = [await loadStatus(s.carol, quoting.id), await loadStatus(s.carol, outer.id)];
    return [near.quote.state, near.quote.quoted_status?.id ?? null, far.quote.quoted_status.quote.state];
  };
  expect(await stateFor()).toEqual(['accepted', first.id, 'accepted']);
  await s.carol.post(`/api/v1/accounts/${s.alice.id}/mute`);
  expect(await stateFor()).toEqual(['muted_account', first.id, 'muted_account']);
  await s.carol.post(`/api/v1/accounts/${s.alice.id}/block`);
  expect(await stateFor()).toEqual(['blocked_account', first.id, 'blocked_account']);
  await s.carol.post(`/api/v1/accounts/${s.alice.id}/unblock`);
  await s.alice.post(`/api/v1/accounts/${s.carol.id}/block`);
  expect(await stateFor()).toEqual(['unauthorized', null, 'unauthorized']);
});

test('the home timeline includes posts that quote an account blocked by the viewer, without the mention', async () => {
  await using s = await createScene();
  await s.carol.post(`/api/v1/accounts/${s.bob.id}/follow`);
  await s.carol.post(`/api/v1/accounts/${s.alice.id}/block`);
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first);
  await s.server.drain();
  const [shown] = (await s.carol.get('/api/v1/timelines/home')).json;
  expect(shown).toMatchObject({ id: quoting.id, mentions: [], quote: { state: 'blocked_account' } });
});

test('NTF-02: the quoted author is notified and sees a followers-only quote; mutes are respected', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quoting = await quote(s.bob, first, { visibility: 'private' });
  await s.server.drain();
  expect(await listNotifications(s.alice)).toMatchObject([
    {
      type: 'quote',
      account: { acct: 'bob' },
      group_key: expect.stringMatching(/^ungrouped-/),
      status: { id: quoting.id },
    },
  ]);
  expect((await s.alice.get('/api/v1/notifications?types[]=quote')).json).toHaveLength(1);
  expect((await s.alice.get('/api/v1/notifications?exclude_types[]=quote')).json).toHaveLength(0);
  expect((await s.carol.get(`${statuses}/${quoting.id}`)).status).toBe(404);
  expect(await listQuoteIds(s.alice, first.id)).toEqual([quoting.id]);
  expect(await listQuoteIds(s.carol, first.id)).toEqual([]);
  await s.alice.post(`/api/v1/accounts/${s.carol.id}/mute`);
  await quote(s.carol, first);
  await quote(s.alice, first);
  await s.server.drain();
  expect(await listNotifications(s.alice)).toHaveLength(1);
});

test('NTF-02: quoting authors are notified of an edit of the quoted post, only of the latest', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const quotes = [await quote(s.bob, first, { status: 'One' }), await quote(s.bob, first, { status: 'Two' })];
  await quote(s.alice, first);
  for (const status of ['Second', 'Third']) {
    s.server.clock.advance(60);
    await s.alice.put(`${statuses}/${first.id}`, { status });
    await s.server.drain();
  }
  // As in Mastodon, each is about the recipient's own quote, which shows the edited post.
  const expected = quotes.map(({ id }) => ({
    type: 'quoted_update',
    account: expect.objectContaining({ acct: 'alice' }),
    status: expect.objectContaining({
      id,
      account: expect.objectContaining({ acct: 'bob' }),
      quote: {
        state: 'accepted',
        quoted_status: expect.objectContaining({ id: first.id, content: '<p>Third</p>' }),
      },
    }),
  }));
  const notifications = await listNotifications(s.bob);
  expect(notifications).toHaveLength(2);
  expect(notifications).toEqual(expect.arrayContaining(expected.map((item) => expect.objectContaining(item))));
  const { notification_groups: groups, statuses: shown } = (await s.bob.get('/api/v2/notifications')).json;
  const quoteIds = quotes.map(({ id }) => id);
  expect(groups.map((group: { status_id: string }) => group.status_id).toSorted()).toEqual(quoteIds);
  expect(shown.map(({ id }: { id: string }) => id).toSorted()).toEqual(quoteIds);
  expect((await listNotifications(s.alice)).map(({ type }) => type)).toEqual(['quote', 'quote']);
  await s.bob.delete(`${statuses}/${quoteIds[0]}`);
  await s.server.drain();
  expect((await listNotifications(s.bob)).map(({ status }) => status.id)).toEqual(quoteIds.slice(1));
});

test('only the quoted author can revoke a quote, which is then hidden and no longer counted', async () => {
  await using s = await createScene();
  const [first, other] = [await post(s.alice, { status: 'First' }), await post(s.alice, { status: 'Other' })];
  const quoting = await quote(s.bob, first);
  const path = `${statuses}/${first.id}/quotes/${quoting.id}/revoke`;
  expect((await s.server.anonymous.post(path)).status).toBe(401);
  expect((await (await s.server.withScopes(s.alice, 'read')).post(path)).status).toBe(403);
  expect((await s.carol.post(path)).status).toBe(403);
  expect((await s.bob.post(path)).status).toBe(403);
  expect((await s.alice.post(`${statuses}/${other.id}/quotes/${quoting.id}/revoke`)).status).toBe(404);
  expect((await s.alice.post(`${statuses}/${first.id}/quotes/${other.id}/revoke`)).status).toBe(404);
  expect((await s.alice.post(`${statuses}/1/quotes/${quoting.id}/revoke`)).status).toBe(404);
  const revoked = await s.alice.post(path);
  expect(revoked).toMatchObject({ status: 200, json: { id: quoting.id } });
  expect(revoked.json.quote).toEqual({ state: 'revoked', quoted_status: null });
  expect((await s.alice.post(path)).json.quote.state).toBe('revoked');
  expect((await loadStatus(s.bob, first.id)).quotes_count).toBe(0);
  expect(await listQuoteIds(s.bob, first.id)).toEqual([]);
  await s.bob.delete(`${statuses}/${quoting.id}`);
  expect((await loadStatus(s.bob, first.id)).quotes_count).toBe(0);
});

test('the quotes of a post are paginated, without those that the viewer may not see or hides', async () => {
  await using s = await createScene();
  const first = await post(s.alice, { status: 'First' });
  const all: string[] = [];
  for (let count = 0; count < 5; count += 1) all.unshift((await quote(s.bob, first)).id);
  const path = `${statuses}/${first.id}/quotes`;
  const walked = (await walk(s.alice, `${path}?limit=2`)) as { id: string }[];
  expect(walked.map(({ id }) => id)).toEqual(all);
  const page = await s.alice.get(`${path}?limit=2`);
  expect(page.json.map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 2));
  expect(await listQuoteIds(s.carol, first.id)).toEqual(all);
  await s.carol.post(`/api/v1/accounts/${s.bob.id}/mute`);
  expect(await listQuoteIds(s.carol, first.id)).toEqual([]);
  expect((await s.server.anonymous.get(path)).status).toBe(401);
  expect((await (await s.server.appToken('read')).get(path)).json).toHaveLength(5);
  expect((await (await s.server.withScopes(s.alice, 'write')).get(path)).status).toBe(403);
  expect((await s.alice.get(`${statuses}/1/quotes`)).status).toBe(404);
  await s.alice.post(`/api/v1/accounts/${s.bob.id}/block`);
  expect((await s.bob.get(path)).status).toBe(404);
});

test('the number of queries for a page does not depend on how many of its posts quote', async () => {
  await using s = await createScene();
  const [a, b] = [await s.server.user('a1'), await s.server.user('b1')];
  const plain = await post(s.alice, { status: 'Plain' });
  const first = await quote(s.alice, plain);
  await quote(a, first);
  for (let count = 0; count < 5; count += 1) {
    await quote(b, await quote(s.alice, await post(s.carol, { status: `${count}` })));
  }
  const countQueries = (user: TestUser) =>
    s.server.countQueries(async () => {
      expect((await s.bob.get(`/api/v1/accounts/${user.id}/statuses`)).json).not.toHaveLength(0);
    });
  await countQueries(s.alice);
  await countQueries(b);
  await countQueries(a);
  const warm = await countQueries(s.carol);
  expect(await countQueries(a)).toBe(warm);
  expect(await countQueries(b)).toBe(warm);
});

test('the page of a post shows the quoted post, or that it is not available', async () => {
  await using s = await createScene();
  const html = { headers: { accept: 'text/html' } };
  const pageOf = async ({ url }: { url: string }) =>
    (await s.server.anonymous.get(new URL(url).pathname, html)).text.replaceAll(/\s+/g, ' ');
  const first = await post(s.alice, { status: 'First <b>words</b>', spoiler_text: 'Careful' });
  const quoting = await quote(s.bob, first);
  const outer = await quote(s.carol, quoting);
  const shown = await pageOf(quoting);
  expect(shown).toContain(`<blockquote class="quoted" cite="${first.url}">`);
  expect(shown).toContain('<summary>Careful</summary>');
  expect(shown).toContain('First &lt;b&gt;words&lt;/b&gt;');
  expect((await pageOf(outer)).match(/class="quoted"/g)).toHaveLength(1);
  await s.alice.post(`${statuses}/${first.id}/quotes/${quoting.id}/revoke`);
  const revoked = await pageOf(quoting);
  expect(revoked).toContain('<p class="quoted soft">This post is not available.</p>');
  expect(revoked).not.toContain('Careful');
  await s.bob.delete(`${statuses}/${quoting.id}`);
  expect(await pageOf(outer)).toContain('<p class="quoted soft">This post was deleted.</p>');
  const secret = await post(s.alice, { status: 'For friends', visibility: 'private' });
  const open = await quote(s.alice, first, { status: `And ${secret.url}` });
  expect(await pageOf(open)).not.toContain('For friends');
});
