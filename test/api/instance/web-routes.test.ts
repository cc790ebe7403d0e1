import sharp from 'sharp';
import { expect, test } from 'vitest';
import { changeSiteSettings } from '../../../server/site/index.ts';
import type { MediaId } from '../../../server/platform/ids.ts';
import { Browser } from '../../browser.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const html = { headers: { accept: 'text/html' } };

/** Uploads an image and stores it as a file of another type. */
async function upload(server: TestServer, user: TestUser, type: 'image' | 'video' | 'audio' = 'image') {
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  const { json } = await user.post('/api/v2/media', await multipart({ file, description: 'A wren' }));
  const id = json.id as MediaId;
  await server.db.updateTable('media_attachments').set({ type }).where('id', '=', id).execute();
  return { id, textUrl: json.text_url as string };
}

test('/media/:id redirects to the post with an attachment, for those who may see it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bob');
  const { id, textUrl } = await upload(server, alice);
  expect(textUrl).toBe(`https://fieldfare.test/media/${id}`);
  const path = `/media/${id}`;
  expect((await server.anonymous.get(path)).status).toBe(404);
  const { json } = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [id], visibility: 'private' });
  expect((await server.anonymous.get(path)).status).toBe(404);
  for (const [name, found] of [
    ['bob', path],
    ['alice', new URL(json.url).pathname],
  ] as const) {
    const browser = new Browser(server);
    await browser.signIn(name);
    const last = await browser.open(path);
    expect(last.replace('https://fieldfare.test', '')).toBe(found);
  }
  const open = await upload(server, alice);
  const post = await alice.post('/api/v1/statuses', { status: 'y', media_ids: [open.id] });
  const { status, headers } = await server.anonymous.get(`/media/${open.id}`);
  expect([status, headers['location']]).toEqual([302, post.json.url]);
  await alice.delete(`/api/v1/statuses/${post.json.id}`);
  for (const gone of [`/media/${open.id}`, '/media/1', '/media/abc', '/media/1/player']) {
    expect((await server.anonymous.get(gone)).status, gone).toBe(404);
  }
});

test('/media/:id/player is a page for iframes with a public video or audio file', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const types = ['video', 'audio', 'image'] as const;
  for (const type of types) {
    const { id } = await upload(server, alice, type);
    const { json } = await alice.post('/api/v1/statuses', { status: type, media_ids: [id] });
    const { status, text, headers } = await server.anonymous.get(`/media/${id}/player`);
    const page = (await server.anonymous.get(new URL(json.url).pathname, html)).text;
    const link = `<meta property="twitter:player" content="https://fieldfare.test/media/${id}/player" />`;
    if (type === 'image') {
      expect(status).toBe(404);
      expect(page).not.toContain('twitter:player');
      continue;
    }
    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`<${type}\\s+src="${json.media_attachments[0].url}"\\s+controls`));
    expect(text).toContain('aria-label="A wren"');
    expect(text).not.toMatch(/<script|<form/);
    expect(String(headers['content-security-policy'])).toContain('frame-ancestors *');
    expect(headers['cache-control']).toBe('public, max-age=180');
    expect(page).toContain(link);
  }
  const { id } = await upload(server, alice, 'video');
  await alice.post('/api/v1/statuses', { status: 'secret', media_ids: [id], visibility: 'private' });
  expect((await server.anonymous.get(`/media/${id}/player`)).status).toBe(404);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(`/media/${id}/player`);
  expect(browser.status).toBe(404);
});

test('limited federation hides media pages from anonymous visitors', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const alice = await server.user('alice');
  const { id } = await upload(server, alice, 'video');
  const { json } = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [id] });
  for (const path of [`/media/${id}`, `/media/${id}/player`]) {
    expect((await server.anonymous.get(path)).status, path).toBe(404);
  }
  const browser = new Browser(server);
  await browser.signIn('alice');
  expect(await browser.open(`/media/${id}`)).toBe(json.url);
});

test('/custom.css is the stylesheet of staff, which pages load after their own', async () => {
  await using server = await startServer();
  const link = '<link rel="stylesheet" href="/custom.css" />';
  const load = async () => {
    const { status, text, headers } = await server.anonymous.get('/custom.css');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=180',
    ]);
    return { text, page: (await server.anonymous.get('/about', html)).text };
  };
  const before = await load();
  expect(before.text).toBe('');
  expect(before.page).not.toContain(link);
  const customCss = 'h1::after { content: "</style>" }';
  await changeSiteSettings(server.app, 'system', { customCss });
  const after = await load();
  expect(after.text).toBe(customCss);
  expect(after.page).toMatch(/pages\.css[^>]+><link rel="stylesheet" href="\/custom\.css"/);
  await expect(changeSiteSettings(server.app, 'system', { customCss: 'x'.repeat(100_001) })).rejects.toThrow(
    'Custom CSS is too long',
  );
});

test('addresses of protocol handlers and old servers redirect to the page for interactions', async () => {
  await using server = await startServer();
  const locate = async (path: string) => {
    const { status, headers } = await server.anonymous.get(path);
    return [status, headers['location']];
  };
  const query = '?uri=https%3A%2F%2Ffar.test%2F%40bob';
  expect(await locate(`/.well-known/proxy${query}`)).toEqual([301, `/authorize_interaction${query}`]);
  expect(await locate('/authorize_follow?acct=bob@far.test')).toEqual([
    301,
    '/authorize_interaction?acct=bob@far.test',
  ]);
  expect(await locate('/.well-known/proxy')).toEqual([301, '/authorize_interaction']);
  const link = encodeURIComponent('web+mastodon://follow?uri=acct:bob@far.test');
  expect(await locate(`/intent?uri=${link}`)).toEqual([302, '/authorize_interaction?uri=acct%3Abob%40far.test']);
  for (const path of ['/intent', '/intent?uri=https://far.test', '/intent?uri=web%2Bmastodon://other?uri=x']) {
    expect((await server.anonymous.get(path)).status, path).toBe(404);
  }
  const { protocol_handlers: handlers } = JSON.parse((await server.anonymous.get('/manifest')).text);
  expect(handlers).toEqual([{ protocol: 'web+mastodon', url: '/intent?uri=%s' }]);
});
