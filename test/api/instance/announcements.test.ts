import { afterAll, beforeAll, expect, test } from 'vitest';
import { presentAnnouncementToAll, presentReactionUpdate } from '../../../server/announcements/index.ts';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { deleteEmoji } from '../../../server/emojis/manage/index.ts';
import { addTestEmoji } from '../../emoji-files.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const list = '/api/v1/announcements';
const admin = '/api/v1/fieldfare/admin/announcements';
const path = (id: string, action: string): string => `${list}/${id}/${action}`;
const reaction = (id: string, name: string): string => path(id, `reactions/${encodeURIComponent(name)}`);

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let owner: TestUser;

beforeAll(async () => {
  server = await startServer();
  alice = await server.user('alice');
  bob = await server.user('bob');
  owner = await server.user('olga', { role: 'owner', scopes: 'read write admin:read admin:write' });
});
afterAll(() => server[Symbol.asyncDispose]());

const inHours = (hours: number): string => new Date(server.clock.now().getTime() + hours * 3_600_000).toISOString();

async function announce(body: object) {
  const response = await owner.post(admin, body);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

async function findFor(user: TestUser, id: string, query = '?with_dismissed=true') {
  return (await user.get(list + query)).json.find((each: { id: string }) => each.id === id);
}

test('ANN-02: an announcement has its mentions, tags, emojis, linked posts and times', async () => {
  await addTestEmoji(server, 'bird');
  const post = (await bob.post('/api/v1/statuses', { status: 'News' })).json;
  const secret = (await bob.post('/api/v1/statuses', { status: 'Secret', visibility: 'private' })).json;
  const { id } = await announce({ text: `Ask @bob <b> #Help :bird: ${post.url} ${secret.url}` });
  const found = await findFor(alice, id);
  expect(found).toEqual({
    id,
    content: expect.stringContaining('&lt;b&gt;'),
    starts_at: null,
    ends_at: null,
    all_day: false,
    published_at: expect.any(String),
    updated_at: expect.any(String),
    read: false,
    mentions: [{ id: bob.id, username: 'bob', acct: 'bob', url: 'https://fieldfare.test/@bob' }],
    statuses: [expect.objectContaining({ id: post.id, content: '<p>News</p>', favourited: false })],
    tags: [{ name: 'help', url: 'https://fieldfare.test/tags/help' }],
    emojis: [expect.objectContaining({ shortcode: 'bird' })],
    reactions: [],
  });
  const shared = JSON.parse((await presentAnnouncementToAll(server.app, id))?.text ?? '');
  const { read: _, ...common } = found;
  expect({ ...shared, statuses: [] }).toEqual({ ...common, statuses: [] });
  await bob.delete(`/api/v1/statuses/${post.id}`);
  expect((await findFor(alice, id)).statuses).toEqual([]);
});

test('ANN-02: any token of a user lists announcements; others are refused', async () => {
  const reader = await server.withScopes(alice, 'write:media');
  expect((await reader.get(list)).status).toBe(200);
  expect((await server.anonymous.get(list)).status).toBe(401);
  expect((await (await server.appToken()).get(list)).status).toBe(422);
});

test('ANN-01: an announcement is visible from its start to its end, published once', async () => {
  const { id, published } = await announce({ text: 'Maintenance', starts_at: inHours(2), ends_at: inHours(4) });
  expect([published, await findFor(alice, id)]).toEqual([false, undefined]);
  expect((await alice.post(path(id, 'dismiss'))).status).toBe(404);
  expect((await alice.put(reaction(id, '👍'))).status).toBe(404);
  server.clock.advance(2 * 3_600);
  await server.drain();
  const shown = await findFor(alice, id);
  expect(shown.published_at).toBe(server.clock.now().toISOString());
  await server.drain();
  server.clock.advance(2 * 3_600);
  // Even before the job runs.
  expect(await findFor(alice, id)).toBeUndefined();
  await server.drain();
  expect((await owner.get(`${admin}/${id}`)).json).toMatchObject({ published: false, draft: false });
  expect((await owner.post(`${admin}/${id}/publish`)).status).toBe(422);
});

test('ANN-01: moving the start ahead withdraws an announcement until then', async () => {
  const { id } = await announce({ text: 'Party', scheduled_at: inHours(1) });
  expect((await owner.post(`${admin}/${id}/publish`)).json).toMatchObject({ published: true, scheduled_at: null });
  expect((await owner.put(`${admin}/${id}`, { starts_at: inHours(3) })).json.published).toBe(false);
  expect((await owner.put(`${admin}/${id}`, { text: 'Big party', starts_at: '' })).json).toMatchObject({
    text: 'Big party',
    published: true,
    starts_at: null,
  });
  expect((await findFor(alice, id)).content).toBe('<p>Big party</p>');
  expect((await owner.post(`${admin}/${id}/unpublish`)).json).toMatchObject({ published: false, draft: true });
  expect(await findFor(alice, id)).toBeUndefined();
  server.clock.advance(4 * 3_600);
  await server.drain();
  expect(await findFor(alice, id)).toBeUndefined();
  expect((await owner.post(`${admin}/${id}/publish`)).json.published).toBe(true);
});

test('ANN-01: all_day needs a time range, and times must be valid', async () => {
  const days = { starts_at: inHours(0).slice(0, 10), ends_at: inHours(24).slice(0, 10), all_day: true };
  expect(await announce({ text: 'Two days', ...days })).toMatchObject({ all_day: true, published: true });
  const refusals: [object, string][] = [
    [{}, "Validation failed: Text can't be blank"],
    [{ text: ' ' }, "Validation failed: Text can't be blank"],
    [{ text: 'x'.repeat(10_001) }, 'Validation failed: Text is too long (maximum is 10000 characters)'],
    [{ text: 'x', all_day: true }, 'Validation failed: All day needs a start and an end'],
    [{ text: 'x', all_day: true, starts_at: inHours(1) }, 'Validation failed: All day needs a start and an end'],
    [{ text: 'x', starts_at: inHours(2), ends_at: inHours(1) }, 'Validation failed: Ends at must be after the start'],
    [{ text: 'x', ends_at: inHours(-1) }, 'Validation failed: Ends at must be in the future'],
    [{ text: 'x', starts_at: 'tomorrow' }, 'Invalid date supplied'],
    [{ text: 'x', starts_at: '2026-13-01' }, 'Invalid date supplied'],
  ];
  for (const [body, error] of refusals) {
    const response = await owner.post(admin, body);
    expect([response.status, response.json.error]).toEqual([422, error]);
  }
});

test('ANN-02: a dismissed announcement is listed only with with_dismissed', async () => {
  const { id } = await announce({ text: 'Read me' });
  for (let times = 0; times < 2; times += 1) expect((await alice.post(path(id, 'dismiss'))).json).toEqual({});
  expect(await findFor(alice, id, '')).toBeUndefined();
  expect((await findFor(alice, id)).read).toBe(true);
  expect((await findFor(bob, id, '')).read).toBe(false);
  expect((await alice.post(path('1', 'dismiss'))).status).toBe(404);
  expect((await server.anonymous.post(path(id, 'dismiss'))).status).toBe(401);
  expect((await (await server.withScopes(alice, 'write:favourites')).post(path(id, 'dismiss'))).status).toBe(403);
});

test('ANN-02: users react with emojis, at most eight different ones', async () => {
  await addTestEmoji(server, 'tree');
  const { id } = await announce({ text: 'Hooray' });
  expect((await alice.put(reaction(id, '❤'))).json).toEqual({});
  expect((await bob.put(reaction(id, '❤️'))).status).toBe(200);
  server.clock.advance(1);
  expect((await bob.put(reaction(id, 'tree'))).status).toBe(200);
  const file = expect.stringMatching(/^https:.*\.png$/);
  expect((await findFor(alice, id)).reactions).toEqual([
    { name: '❤️', count: 2, me: true },
    { name: 'tree', count: 1, me: false, url: file, static_url: file },
  ]);
  expect(await presentReactionUpdate(server.app, id, 'tree')).toEqual({
    name: 'tree',
    count: 1,
    announcement_id: id,
    url: file,
    static_url: file,
  });
  const again = await alice.put(reaction(id, '❤️'));
  expect([again.status, again.json.error]).toEqual([422, 'Validation failed: Name has already been taken']);
  for (const name of ['thumbsup', '👍👍', '1']) expect((await alice.put(reaction(id, name))).status, name).toBe(422);
  for (const name of ['1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣'])
    expect((await alice.put(reaction(id, name))).status).toBe(200);
  const ninth = await alice.put(reaction(id, '9️⃣'));
  expect([ninth.status, ninth.json.error]).toEqual([422, 'Validation failed: Limit of different reactions reached']);
  expect((await alice.put(reaction(id, 'tree'))).status).toBe(200);
  expect((await alice.delete(reaction(id, '❤️'))).json).toEqual({});
  expect((await alice.delete(reaction(id, '❤️'))).status).toBe(404);
  expect((await bob.delete(reaction(id, '❤'))).status).toBe(200);
  expect(await presentReactionUpdate(server.app, id, '❤️')).toEqual({ name: '❤️', count: 0, announcement_id: id });
  expect((await server.anonymous.put(reaction(id, '👍'))).status).toBe(401);
  expect((await server.anonymous.delete(reaction(id, '👍'))).status).toBe(401);
  const stranger = await server.withScopes(alice, 'read write:accounts');
  expect((await stranger.put(reaction(id, '👍'))).status).toBe(403);
  expect((await stranger.delete(reaction(id, '👍'))).status).toBe(403);
  await deleteEmoji(server.app, 'system', { shortcode: 'tree' });
  const names = (await findFor(bob, id)).reactions.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣']);
});

test('ANN-02: simultaneous reactions are counted, and respect the limit', async () => {
  const { id } = await announce({ text: 'Rush' });
  const names = ['🍏', '🍐', '🍊', '🍋', '🍌', '🍉', '🍇', '🍓', '🍒', '🍑'];
  const results = await Promise.all(names.map(async (name) => (await alice.put(reaction(id, name))).status));
  expect(results.filter((status) => status === 200)).toHaveLength(8);
  const taken = names.filter((_, index) => results[index] === 200);
  await Promise.all(taken.map((name) => bob.put(reaction(id, name))));
  const { reactions } = await findFor(alice, id);
  expect(reactions.map(({ count }: { count: number }) => count)).toEqual(taken.map(() => 2));
});

test('ANN-02: a deleted account no longer counts, and a deleted announcement sends no reaction updates', async () => {
  const carol = await server.user('carol');
  const { id } = await announce({ text: 'Bye' });
  await carol.put(reaction(id, '👋'));
  await alice.put(reaction(id, '👋'));
  await carol.put(reaction(id, '😢'));
  await carol.post(path(id, 'dismiss'));
  await deleteAccount(server.app, carol.id);
  await server.drain();
  expect((await findFor(alice, id)).reactions).toEqual([{ name: '👋', count: 1, me: true }]);
  const published: string[] = [];
  const unsubscribe = server.app.bus.subscribe('cache:events', (message) => published.push(JSON.stringify(message)));
  expect((await owner.delete(`${admin}/${id}`)).json).toEqual({});
  unsubscribe();
  expect(published.join()).toContain('announcement.unpublished');
  expect(published.join()).not.toContain('reactions_changed');
  expect(await presentReactionUpdate(server.app, id, '👋')).toBeUndefined();
  expect(await presentAnnouncementToAll(server.app, id)).toBeUndefined();
  expect(await findFor(alice, id)).toBeUndefined();
  expect((await alice.put(reaction(id, '👋'))).status).toBe(404);
  const { rows } = await server.pool.query('select 1 from announcement_reactions where account_id = $1', [carol.id]);
  expect(rows).toEqual([]);
});

test('staff with the permission manage announcements, to the end of the list', async () => {
  const draft = await announce({ text: 'Draft', published: false });
  expect(draft).toMatchObject({ published: false, draft: true, published_at: null, text: 'Draft' });
  expect(await findFor(alice, draft.id)).toBeUndefined();
  const all = await walk(owner, `${admin}?limit=3`);
  const { rows } = await server.pool.query('select id::text from announcements order by id desc');
  expect(all.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  const calls: ['get' | 'post' | 'put' | 'delete', string][] = [
    ['get', admin],
    ['post', admin],
    ['get', `${admin}/${draft.id}`],
    ['put', `${admin}/${draft.id}`],
    ['post', `${admin}/${draft.id}/publish`],
    ['post', `${admin}/${draft.id}/unpublish`],
    ['delete', `${admin}/${draft.id}`],
  ];
  const user = await server.withScopes(alice, 'read write admin:read admin:write');
  const unscoped = await server.withScopes(owner, 'read write');
  for (const [method, url] of calls) {
    const callers = [server.anonymous, user, unscoped];
    const statuses = await Promise.all(callers.map(async (caller) => (await caller[method](url)).status));
    expect([method, url, ...statuses]).toEqual([method, url, 401, 403, 403]);
    if (url !== admin) expect((await owner[method](url.replace(draft.id, '1'))).status, `${method} ${url}`).toBe(404);
  }
});
