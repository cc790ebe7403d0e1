import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { Network } from '../../network.ts';
import { startServer, walk, type Client, type TestServer, type TestUser } from '../../server.ts';

const trendPaths = ['/api/v1/trends', '/api/v1/trends/tags', '/api/v1/trends/statuses', '/api/v1/trends/links'];
const kinds = ['tags', 'statuses', 'links'] as const;
const adminPath = (kind: string): string => `/api/v1/admin/trends/${kind}`;

const article = (title: string, type = 'article'): string => `<!doctype html><html lang="en"><head>
  <title>${title}</title>
  <meta property="og:title" content="${title}"><meta property="og:description" content="They are back">
  <meta property="og:site_name" content="The News"><meta property="og:type" content="${type}">
  <meta property="og:image" content="/bird.jpg">
  <meta property="article:published_time" content="2025-03-04T05:06:07+01:00"></head><body></body></html>`;

let network: Network;
let server: TestServer;
let crowd: TestUser[];
let author: TestUser;
let staff: TestUser;
let moderator: Client;
let favouriteId: string;

const listOf = async (client: Client, path: string) => (await client.get(path)).json as Record<string, unknown>[];
const valuesOf = async (client: Client, path: string, key: string) =>
  (await listOf(client, path)).map((item) => item[key]);

async function refresh(): Promise<void> {
  await server.drain();
  await server.runSchedule('trend.refresh_trends');
}

/** Ten accounts use two hashtags, share two links, and favourite a post; an eleventh account writes posts. */
beforeAll(async () => {
  network = new Network();
  server = await network.start('a.test');
  network.addHost('news.test', ({ pathname }) => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(
      pathname === '/home' ? article('Home', 'website').replace(/<meta property="article.*?>/, '') : article('Story'),
    ),
  }));
  staff = await server.user('carla', { role: 'admin' });
  moderator = await server.withScopes(staff, 'admin:read admin:write');
  author = await server.user('ada');
  await author.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  favouriteId = (await author.post('/api/v1/statuses', { status: 'Look, a fieldfare', language: 'de' })).json.id;
  const second = (await author.post('/api/v1/statuses', { status: 'Another one' })).json.id;
  const sensitive = (await author.post('/api/v1/statuses', { status: 'Secret', sensitive: true })).json.id;
  const unlisted = (await author.post('/api/v1/statuses', { status: 'Quiet', visibility: 'unlisted' })).json.id;
  crowd = [];
  for (let number = 0; number < 10; number += 1) {
    const user = await server.user(`crowd_${number}`);
    crowd.push(user);
    const visibility = number < 4 ? 'public' : 'unlisted';
    await user.post('/api/v1/statuses', { status: `#Birds https://news.test/story`, language: 'de' });
    await user.post('/api/v1/statuses', { status: '#Owls https://news.test/home', language: 'en' });
    await user.post('/api/v1/statuses', { status: '#rare', visibility });
    await user.post('/api/v1/statuses', { status: '#rare again', visibility });
    for (const id of [favouriteId, sensitive, unlisted]) await user.post(`/api/v1/statuses/${id}/favourite`);
    if (number < 7) await user.post(`/api/v1/statuses/${second}/reblog`);
  }
  await refresh();
});

afterAll(() => network[Symbol.asyncDispose]());

test('TRD-01: nothing trends until staff approve it', async () => {
  for (const path of trendPaths) expect(await listOf(server.anonymous, path), path).toEqual([]);
  expect(await valuesOf(moderator, adminPath('tags'), 'name')).toEqual(expect.arrayContaining(['Birds', 'Owls']));
  expect(await listOf(moderator, adminPath('tags'))).toHaveLength(2);
  expect(await valuesOf(moderator, adminPath('tags'), 'requires_review')).toEqual([true, true]);
  expect(await valuesOf(moderator, adminPath('statuses'), 'content')).toEqual([
    '<p>Look, a fieldfare</p>',
    '<p>Another one</p>',
  ]);
  // Two hashtags, two posts and a link.
  expect((await moderator.get('/api/v1/fieldfare/admin/counts')).json).toMatchObject({ trends: 5 });
});

test('TRD-01: only articles trend as links', async () => {
  const links = await listOf(moderator, adminPath('links'));
  expect(links).toMatchObject([{ url: 'https://news.test/story', requires_review: true }]);
  expect(links[0]?.['id']).toBeTypeOf('number');
  expect(links).toMatchObject([{ history: [{ uses: '10', accounts: '10' }, {}, {}, {}, {}, {}, {}] }]);
});

test('TRD-01: staff with the permission are mailed once for each candidate', async () => {
  await server.runSchedule('trend.request_reviews');
  await server.drain();
  const mails = server.outbox.splice(0);
  expect(mails.map(({ to }) => to)).toEqual(['carla@mail.test']);
  for (const text of ['#Birds', '#Owls', 'https://news.test/story', `https://a.test/@ada/${favouriteId}`])
    expect(mails[0]?.text).toContain(text);
  expect(mails[0]?.text).not.toContain('#rare');
  await server.runSchedule('trend.request_reviews');
  await server.drain();
  expect(server.outbox).toEqual([]);
  const [publisher] = await listOf(moderator, `${adminPath('links')}/publishers`);
  expect(publisher).toMatchObject({ domain: 'news.test', trendable: null, requires_review: true });
  expect(publisher?.['requested_review_at']).toBeTypeOf('string');
});

test('the review routes require the scope and the permission; other users get the approved trends', async () => {
  const plain = await server.withScopes(author, 'admin:read admin:write');
  const readOnly = await server.withScopes(staff, 'admin:read');
  for (const kind of kinds) {
    const path = adminPath(kind);
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await staff.get(path)).status).toBe(403);
    expect(await listOf(plain, path)).toEqual([]);
    for (const decision of ['approve', 'reject']) {
      const target = `${path}/1/${decision}`;
      expect((await server.anonymous.post(target)).status).toBe(401);
      expect((await plain.post(target)).status).toBe(403);
      expect((await readOnly.post(target)).status).toBe(403);
      expect((await moderator.post(target)).status, target).toBe(kind === 'links' ? 200 : 404);
      expect((await moderator.post(`${path}/999999/${decision}`)).status).toBe(404);
    }
  }
  for (const path of ['/api/v1/admin/tags', '/api/v1/admin/tags/1', `${adminPath('links')}/publishers`]) {
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await plain.get(path)).status).toBe(403);
    expect((await staff.get(path)).status).toBe(403);
  }
  expect((await moderator.get('/api/v1/admin/tags/1')).status).toBe(404);
  expect((await plain.put('/api/v1/admin/tags/1', { trendable: true })).status).toBe(403);
  expect((await moderator.put('/api/v1/admin/tags/1', { trendable: true })).status).toBe(404);
  for (const decision of ['approve', 'reject']) {
    const path = `${adminPath('links')}/publishers/999/${decision}`;
    expect((await plain.post(path)).status).toBe(403);
    expect((await moderator.post(path)).status).toBe(404);
  }
  // The first link was rejected above.
  expect(await valuesOf(moderator, adminPath('links'), 'requires_review')).toEqual([false]);
});

test('TRD-01: approved hashtags trend, those in the language of the viewer first', async () => {
  const tags = await listOf(moderator, adminPath('tags'));
  for (const { id } of tags) {
    const approved = await moderator.post(`${adminPath('tags')}/${String(id)}/approve`);
    expect(approved.json).toMatchObject({ id, trendable: true, requires_review: false, usable: true, listable: true });
  }
  // The posts are left.
  expect((await moderator.get('/api/v1/fieldfare/admin/counts')).json).toMatchObject({ trends: 2 });
  const german = (path: string) => server.anonymous.get(path, { headers: { 'accept-language': 'de-CH, fr;q=0.5' } });
  const [first, second] = (await german('/api/v1/trends/tags')).json;
  expect([first.name, second.name]).toEqual(['Birds', 'Owls']);
  expect(first.history[0]).toMatchObject({ uses: '10', accounts: '10' });
  expect(first).not.toHaveProperty('trendable');
  expect(await valuesOf(crowd[0] as TestUser, '/api/v1/trends', 'name')).toEqual(['Owls', 'Birds']);
  const page = await german('/api/v1/trends/tags?limit=1');
  expect(page.json).toMatchObject([{ name: 'Birds' }]);
  const next = await server.anonymous.get(page.links.next?.href ?? '', {
    headers: { 'accept-language': 'de' },
  });
  expect(next.json).toMatchObject([{ name: 'Owls' }]);
  expect([next.links.next, next.links.prev?.searchParams.get('offset')]).toEqual([undefined, '0']);
  expect((await german('/api/v1/trends/tags?offset=-3')).json).toHaveLength(2);
  expect((await german('/api/v1/trends/tags?limit=-1')).json).toHaveLength(1);
  const none = await german('/api/v1/trends/tags?limit=0');
  expect([none.json, none.links]).toEqual([[], {}]);
  expect((await german('/api/v1/trends/tags?limit=999999999')).json).toHaveLength(2);
  const rejected = await moderator.post(`${adminPath('tags')}/${first.id}/reject`);
  expect(rejected.json).toMatchObject({ trendable: false, requires_review: false });
  expect(await valuesOf(server.anonymous, '/api/v1/trends/tags', 'name')).toEqual(['Owls']);
  await changeSiteSettings(server.app, 'system', { showTrends: false });
  expect(await listOf(server.anonymous, '/api/v1/trends/tags')).toEqual([]);
  await changeSiteSettings(server.app, 'system', { showTrends: null });
  const deprecated = await server.anonymous.get('/api/v1/trends');
  expect(deprecated.headers['deprecation']).toBe(`@${Date.parse('2022-03-30') / 1000}`);
});

test('TRD-01: approved posts trend, one of each author, except for viewers who do not want to see them', async () => {
  const statuses = await listOf(moderator, adminPath('statuses'));
  for (const { id } of statuses) {
    const { json } = await moderator.post(`${adminPath('statuses')}/${String(id)}/approve`);
    expect(json).toMatchObject({ id, requires_review: false });
  }
  const path = '/api/v1/trends/statuses';
  expect(await valuesOf(server.anonymous, path, 'id')).toEqual([favouriteId]);
  expect((await listOf(server.anonymous, path))[0]).not.toHaveProperty('requires_review');
  const [muting, blocking, blocked] = crowd as [TestUser, TestUser, TestUser];
  await muting.post(`/api/v1/accounts/${author.id}/mute`);
  await blocking.post(`/api/v1/accounts/${author.id}/block`);
  await author.post(`/api/v1/accounts/${blocked.id}/block`);
  await server.drain();
  for (const viewer of [muting, blocking, blocked]) expect(await listOf(viewer, path)).toEqual([]);
  expect(await valuesOf(crowd[3] as TestUser, path, 'favourited')).toEqual([true]);
  const rejected = await moderator.post(`${adminPath('statuses')}/${favouriteId}/reject`);
  expect(rejected.json).toMatchObject({ id: favouriteId, requires_review: false });
  expect(await valuesOf(server.anonymous, path, 'content')).toEqual(['<p>Another one</p>']);
});

test('TRD-01: approving a website approves its links, unless staff decided about the link itself', async () => {
  const [publisher] = await listOf(moderator, `${adminPath('links')}/publishers`);
  const decide = (decision: string) =>
    moderator.post(`${adminPath('links')}/publishers/${String(publisher?.['id'])}/${decision}`);
  expect((await decide('approve')).json).toMatchObject({
    domain: 'news.test',
    trendable: true,
    requires_review: false,
  });
  // Rejected in a test above.
  expect(await listOf(server.anonymous, '/api/v1/trends/links')).toEqual([]);
  await server.db.updateTable('link_reviews').set({ trendable: null, reviewed_at: null }).execute();
  await refresh();
  const [link] = await listOf(server.anonymous, '/api/v1/trends/links');
  expect(link).toMatchObject({ url: 'https://news.test/story', title: 'Story', type: 'link' });
  expect(link).not.toHaveProperty('id');
  const timeline = await listOf(server.anonymous, '/api/v1/timelines/link?url=https://news.test/story');
  expect(timeline.length).toBeGreaterThanOrEqual(10);
  expect((await decide('reject')).json).toMatchObject({ trendable: false });
  expect(await listOf(server.anonymous, '/api/v1/trends/links')).toEqual([]);
  const [{ id } = {}] = await listOf(moderator, adminPath('links'));
  const approved = await moderator.post(`${adminPath('links')}/${String(id)}/approve`);
  expect(approved.json).toMatchObject({ id, url: 'https://news.test/story', requires_review: false });
  expect(await listOf(server.anonymous, '/api/v1/trends/links')).toHaveLength(1);
});

test('visitors read approved trends as pages, and none if the site shows none', async () => {
  const pageOf = async (path: string) => (await server.anonymous.get(path, { headers: { accept: 'text/html' } })).text;
  expect(await pageOf('/explore')).toContain('Another one');
  expect(await pageOf('/explore')).not.toContain('Look, a fieldfare');
  expect(await pageOf('/explore/tags')).toContain('href="/tags/Owls"');
  expect(await pageOf('/explore/tags')).not.toContain('href="/tags/Birds"');
  expect(await pageOf('/explore/links')).toContain('href="https://news.test/story"');
  await changeSiteSettings(server.app, 'system', { showTrends: false });
  expect(await pageOf('/explore/links')).toContain('No trends now.');
  await changeSiteSettings(server.app, 'system', { showTrends: null });
});

test('staff list all hashtags, and review those that they change', async () => {
  const tags = (await walk(moderator, '/api/v1/admin/tags?limit=2')) as { id: string; name: string }[];
  const names = tags.map(({ name }) => name);
  expect(names).toEqual(['rare', 'Owls', 'Birds']);
  expect(await walk(moderator, `${adminPath('links')}/publishers?limit=1`)).toMatchObject([{ domain: 'news.test' }]);
  const rare = tags[0] as { id: string; name: string };
  const path = `/api/v1/admin/tags/${rare.id}`;
  expect((await moderator.get(path)).json).toMatchObject({ requires_review: true, trendable: false, usable: true });
  const other = await moderator.put(path, { display_name: 'other' });
  expect([other.status, other.json.details]).toEqual([
    422,
    { display_name: [expect.objectContaining({ error: 'ERR_INVALID' })] },
  ]);
  const changed = await moderator.put(path, { display_name: 'RaRe', usable: false, listable: false });
  expect(changed.json).toMatchObject({ name: 'RaRe', usable: false, listable: false, requires_review: false });
  const patched = await moderator.patch(path, { usable: true });
  expect(patched.json).toMatchObject({ name: 'RaRe', usable: true, listable: false });
});

test('TRD-01: a trend decays, and uses older than two days are deleted', async () => {
  server.clock.advance(12 * 3_600);
  await refresh();
  expect(await valuesOf(server.anonymous, '/api/v1/trends/tags', 'name')).toEqual(['Owls']);
  server.clock.advance(16 * 3_600);
  await refresh();
  expect(await listOf(server.anonymous, '/api/v1/trends/tags')).toEqual([]);
  server.clock.advance(48 * 3_600);
  await refresh();
  for (const kind of kinds) expect(await listOf(moderator, adminPath(kind)), kind).toEqual([]);
  expect(await server.db.selectFrom('trend_uses').selectAll().execute()).toEqual([]);
});

test('in limited federation mode, trends are 401 for anonymous viewers', async () => {
  await using limited = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await limited.user('alice');
  for (const path of trendPaths) {
    expect((await limited.anonymous.get(path)).status, path).toBe(401);
    expect((await alice.get(path)).json, path).toEqual([]);
  }
});
