import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { blockAccount, blockDomain, muteAccount, unmuteAccount } from '../../../server/relationships/hide/index.ts';
import { addMentions } from '../../../server/statuses/post/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { postBy } from '../../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const conversations = '/api/v1/conversations';

interface ConversationJson {
  readonly id: string;
  readonly unread: boolean;
  readonly accounts: { readonly username: string }[];
  readonly last_status: { readonly id: string } | null;
}

/** Lists the conversations of a user: the names of the participants, the last status, whether it is unread. */
async function listConversations(user: TestUser): Promise<[string, string | undefined, boolean][]> {
  const response = await user.get(conversations);
  expect(response.status, response.text).toBe(200);
  return (response.json as ConversationJson[]).map((shown) => [
    shown.accounts.map(({ username }) => username).join(' '),
    shown.last_status?.id,
    shown.unread,
  ]);
}

const postDirect = (user: TestUser, status: string, more: Record<string, unknown> = {}) =>
  postBy(user, { status, visibility: 'direct', ...more });

async function createUsers(server: TestServer) {
  return { alice: await server.user('alice'), bob: await server.user('bob'), carol: await server.user('carol') };
}

test('CNV-01: a direct post starts a conversation, unread for the accounts it mentions and read for its author', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const hello = await postDirect(alice, '@bob hello');
  expect(await listConversations(alice)).toEqual([['bob', hello, false]]);
  expect(await listConversations(bob)).toEqual([['alice', hello, true]]);
  expect(await listConversations(carol)).toEqual([]);
  const reply = await postDirect(bob, '@alice hi', { in_reply_to_id: hello });
  expect(await listConversations(alice)).toEqual([['bob', reply, true]]);
  expect(await listConversations(bob)).toEqual([['alice', reply, false]]);
  await postBy(alice, { status: '@bob in public', visibility: 'public' });
  await postBy(alice, { status: '@bob for followers', visibility: 'private' });
  expect(await listConversations(bob)).toEqual([['alice', reply, false]]);
  const note = await postDirect(carol, 'a note to myself');
  expect(await listConversations(carol)).toEqual([['carol', note, false]]);
  const entity = (await bob.get(conversations)).json[0];
  expect(entity.last_status).toEqual((await bob.get(`/api/v1/statuses/${reply}`)).json);
  expect(entity.accounts).toEqual([(await bob.get(`/api/v1/accounts/${alice.id}`)).json]);
});

test('CNV-01: posts are grouped by thread and participants, the latest first', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const first = await postDirect(alice, '@bob hello');
  const group = await postDirect(bob, '@alice @carol join us', { in_reply_to_id: first });
  const other = await postDirect(alice, '@bob something else');
  expect(await listConversations(alice)).toEqual([
    ['bob', other, false],
    ['bob carol', group, true],
    ['bob', first, false],
  ]);
  expect(await listConversations(carol)).toEqual([['alice bob', group, true]]);
  const back = await postDirect(carol, '@bob @alice yes', { in_reply_to_id: group });
  expect((await listConversations(alice))[0]).toEqual(['bob carol', back, true]);
});

test('CNV-01: marking as read or unread and deleting affect only the user who does it', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const hello = await postDirect(alice, '@bob hello');
  const id = (await bob.get(conversations)).json[0].id as string;
  const read = await bob.post(`${conversations}/${id}/read`);
  expect([read.status, read.json.id, read.json.unread, read.json.last_status.id]).toEqual([200, id, false, hello]);
  expect((await bob.post(`${conversations}/${id}/read`)).json.unread).toBe(false);
  expect(await listConversations(bob)).toEqual([['alice', hello, false]]);
  expect((await bob.post(`${conversations}/${id}/unread`)).json.unread).toBe(true);
  for (const user of [alice, carol]) {
    expect((await user.post(`${conversations}/${id}/read`)).status).toBe(404);
    expect((await user.post(`${conversations}/${id}/unread`)).status).toBe(404);
    expect((await user.delete(`${conversations}/${id}`)).status).toBe(404);
  }
  expect((await bob.post(`${conversations}/12345/read`)).status).toBe(404);
  expect((await bob.delete(`${conversations}/none`)).status).toBe(404);
  const deleted = await bob.delete(`/api/v1/conversations/${id}`);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await bob.delete(`${conversations}/${id}`)).status).toBe(404);
  expect(await listConversations(bob)).toEqual([]);
  expect(await listConversations(alice)).toHaveLength(1);
  expect((await bob.get(`/api/v1/statuses/${hello}`)).status).toBe(200);
  const again = await postDirect(alice, '@bob are you there?', { in_reply_to_id: hello });
  expect(await listConversations(bob)).toEqual([['alice', again, true]]);
});

test('CNV-01: listing requires read:statuses, changing write:conversations, and both a user', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await postDirect(alice, '@bob hello');
  const reader = await server.withScopes(bob, 'read:statuses');
  const writer = await server.withScopes(bob, 'write:conversations');
  const id = (await reader.get(conversations)).json[0].id as string;
  expect((await writer.get(conversations)).status).toBe(403);
  expect((await server.anonymous.get(conversations)).status).toBe(401);
  expect((await (await server.appToken()).get(conversations)).status).toBe(422);
  expect((await reader.post(`${conversations}/${id}/read`)).status).toBe(403);
  expect((await reader.post(`${conversations}/${id}/unread`)).status).toBe(403);
  expect((await reader.delete(`${conversations}/${id}`)).status).toBe(403);
  expect((await writer.post(`${conversations}/${id}/read`)).status).toBe(200);
  expect((await writer.post(`${conversations}/${id}/unread`)).status).toBe(200);
  expect((await writer.delete(`${conversations}/${id}`)).status).toBe(200);
});

test('CNV-01: twenty concurrent replies are all stored, also while the conversation is marked as read', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const first = await postDirect(alice, '@bob @carol go');
  const id = (await alice.get(conversations)).json[0].id as string;
  const handles = ['@alice', '@bob', '@carol'];
  const [marks, ...replies] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => alice.post(`${conversations}/${id}/read`))),
    ...Array.from({ length: 20 }, (_, count) => {
      const author = count % 2 === 0 ? bob : carol;
      const others = handles.filter((name) => name !== `@${author.username}`).join(' ');
      return postDirect(author, `${others} ${count}`, { in_reply_to_id: first });
    }),
  ]);
  for (const mark of marks) expect([mark.status, mark.json.unread]).toEqual([200, false]);
  await server.drain();
  const rows = await server.app.db.selectFrom('account_conversations').selectAll().execute();
  const all = [first, ...replies].toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  expect(rows).toHaveLength(3);
  for (const row of rows) expect([row.status_ids, row.last_status_id]).toEqual([all, all.at(-1)]);
  expect((await listConversations(alice))[0]?.[1]).toBe(all.at(-1));
  const version = rows.find((row) => row.account_id === bob.id)?.lock_version;
  expect(version).toBe(20);
});

test('CNV-01: blocking or muting an account removes its conversations and prevents new ones', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await postDirect(bob, '@alice hello');
  const group = await postDirect(carol, '@alice @bob hello');
  const fromDave = await postDirect(dave, '@alice hello');
  await muteAccount(server.app, alice.id, bob.id, { notifications: false });
  expect(await listConversations(alice)).toEqual([['dave', fromDave, true]]);
  await postDirect(bob, '@alice hello?');
  await postDirect(carol, '@alice @bob hello?', { in_reply_to_id: group });
  expect(await listConversations(alice)).toEqual([['dave', fromDave, true]]);
  expect(await listConversations(carol)).toHaveLength(1);
  await unmuteAccount(server.app, alice.id, bob.id);
  const back = await postDirect(bob, '@alice hello again');
  expect((await listConversations(alice))[0]).toEqual(['bob', back, true]);
  await blockAccount(server.app, alice.id, bob.id);
  expect(await listConversations(alice)).toEqual([['dave', fromDave, true]]);
  expect((await listConversations(bob)).some(([names]) => names === 'alice')).toBe(true);
});

test('CNV-01: deleted posts are removed from a conversation, which is deleted with its last post', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const first = await postDirect(alice, '@bob one');
  const second = await postDirect(alice, '@bob two', { in_reply_to_id: first });
  const third = await postDirect(bob, '@alice three', { in_reply_to_id: second });
  await bob.delete(`/api/v1/statuses/${third}`);
  expect(await listConversations(alice)).toEqual([['bob', second, true]]);
  await alice.delete(`/api/v1/statuses/${first}`);
  expect(await listConversations(bob)).toEqual([['alice', second, false]]);
  await alice.delete(`/api/v1/statuses/${second}`);
  expect(await listConversations(alice)).toEqual([]);
  expect(await listConversations(bob)).toEqual([]);
  expect(await server.app.db.selectFrom('account_conversations').selectAll().execute()).toEqual([]);
});

test('STA-19: a muted conversation is listed but not marked as unread', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const hello = await postDirect(alice, '@bob hello');
  const id = (await bob.get(conversations)).json[0].id as string;
  await bob.post(`${conversations}/${id}/read`);
  await bob.post(`/api/v1/statuses/${hello}/mute`);
  const more = await postDirect(alice, '@bob more', { in_reply_to_id: hello });
  expect(await listConversations(bob)).toEqual([['alice', more, false]]);
});

/** Stores a remote account. */
async function storeRemoteAuthor(server: TestServer, username: string, domain: string) {
  const uri = `https://${domain}/users/${username}`;
  return transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username, domain, inboxUrl: `${uri}/inbox` }),
  );
}

test('CNV-01, UDB-01: remote accounts take part until their domain is blocked', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const erin = await storeRemoteAuthor(server, 'erin', 'far.test');
  const store = (name: string) =>
    storeRemoteStatus(server.app, {
      uri: `https://far.test/posts/${name}`,
      accountId: erin,
      content: '<p>hello</p>',
      visibility: 'direct',
      mentions: [{ accountId: alice.id }, { accountId: bob.id, silent: true }],
      publishedAt: server.clock.now(),
    });
  const hello = await store('1');
  expect(await listConversations(alice)).toEqual([['erin', hello, true]]);
  expect(await listConversations(bob)).toEqual([]);
  await blockDomain(server.app, alice.id, 'far.test');
  expect(await listConversations(alice)).toEqual([]);
  await store('2');
  expect(await listConversations(alice)).toEqual([]);
});

test('CNV-01: a post moves to the right conversation when an unknown handle in it is resolved', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const hello = await postDirect(alice, '@bob @erin@far.test hello');
  expect(await listConversations(alice)).toEqual([['bob', hello, false]]);
  const erin = await storeRemoteAuthor(server, 'erin', 'far.test');
  await addMentions(server.app, hello as StatusId, [erin]);
  server.expectUndelivered('far.test');
  expect(await listConversations(alice)).toEqual([['bob erin', hello, false]]);
  expect(await listConversations(bob)).toEqual([['alice erin', hello, true]]);
});

test('PAG-05: paging by last status ids returns each conversation once, even while some are added and deleted', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const lastStatusIds: string[] = [];
  for (let count = 0; count < 24; count += 1) lastStatusIds.unshift(await postDirect(alice, `@bob number ${count}`));
  const pagedUp: string[] = [];
  for (let after = '0'; ;) {
    const page = (await bob.get(`${conversations}?limit=7&min_id=${after}`)).json as ConversationJson[];
    if (page[0] === undefined) break;
    pagedUp.unshift(...page.map((shown) => shown.last_status?.id ?? ''));
    after = page[0].last_status?.id ?? '';
  }
  expect(pagedUp).toEqual(lastStatusIds);
  const step = fc.constantFrom('start', 'delete seen', 'delete unseen', 'delete conversation', 'nothing' as const);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 6 }), async (limit, plan) => {
      const before = (await walk(bob, `${conversations}?limit=40`)) as unknown as ConversationJson[];
      const seen: string[] = [];
      const deleted = new Set<string>();
      for (let url: string | undefined = `${conversations}?limit=${limit}`; url !== undefined;) {
        const response = await bob.get(url);
        seen.push(...(response.json as ConversationJson[]).map(({ id }) => id));
        url = response.links.next?.href;
        const next = plan.shift();
        if (next === 'start') lastStatusIds.unshift(await postDirect(alice, '@bob meanwhile'));
        if (next === undefined || next === 'start' || next === 'nothing') continue;
        const target = before.find(({ id }) => !deleted.has(id) && seen.includes(id) === (next === 'delete seen'));
        if (target === undefined) continue;
        deleted.add(target.id);
        if (next === 'delete conversation') await bob.delete(`${conversations}/${target.id}`);
        else await alice.delete(`/api/v1/statuses/${target.last_status?.id}`);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter(({ id }) => !deleted.has(id)).every(({ id }) => seen.includes(id))).toBe(true);
    }),
    { numRuns: 8 },
  );
});

test('a page of conversations takes the same number of queries at any length', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 12; count += 1) await postDirect(alice, `@bob number ${count}`);
  const countQueries = (limit: number) => server.countWarmQueries(() => bob.get(`${conversations}?limit=${limit}`));
  expect(await countQueries(12)).toBe(await countQueries(2));
});
