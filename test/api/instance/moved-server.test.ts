import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { setUpTotp } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';

const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

const get = (server: TestServer, url: string, headers: Record<string, string> = {}) =>
  server.http.inject({ url, headers: { accept: 'text/html', ...headers } });

const locationOf = async (server: TestServer, url: string): Promise<unknown> =>
  (await get(server, url)).headers['location'];

test('files that Mastodon stored are served at their earlier addresses, as far as their post may be seen', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const postWith = async (id: string, key: string, visibility: string): Promise<unknown> => {
    await server.app.storage.put(key, image, 'image/png');
    await sql`insert into media_attachments (id, account_id, type, file_key, created_at)
      values (${id}::bigint, ${alice.id}::bigint, 'image', ${key}, now())`.execute(server.db);
    const { status, json } = await alice.post('/api/v1/statuses', { status: 'An image', media_ids: [id], visibility });
    expect(status).toBe(200);
    return json['url'];
  };
  const key = 'media_attachments/files/109/300/400/original/IMG_Zoë.PNG';
  const privateKey = 'media_attachments/files/109/300/401/original/0123456789abcdef.png';
  const postUrl = await postWith('109300400', key, 'public');
  await postWith('109300401', privateKey, 'private');
  await sql`insert into media_shortcodes (shortcode, media_id) values ('Wq3k-Short_code', 109300400)`.execute(
    server.db,
  );

  for (const path of ['/system/', '/media/'])
    for (const name of [key, encodeURI(key)]) {
      const { statusCode, headers, rawPayload } = await get(server, path + name);
      expect([statusCode, headers['content-type'], rawPayload.equals(image)]).toEqual([200, 'image/png', true]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'accept-ranges': 'bytes',
      });
    }
  const part = await get(server, `/system/${encodeURI(key)}`, { range: 'bytes=0-3' });
  expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 0-3/${image.length}`]);
  expect((await get(server, `/system/${privateKey}`)).headers['cache-control']).toContain('private');
  await server.app.storage.put('accounts/avatars/109/original/a1.png', image, 'image/png');
  expect((await get(server, '/system/accounts/avatars/109/original/a1.png')).statusCode).toBe(200);
  for (const path of [
    'media_attachments/files/1/original/none.png',
    'cache/media_attachments/files/1/original/none.png',
    '../postgres/PG_VERSION',
    'accounts/avatars/none.png',
  ])
    expect([path, (await get(server, `/system/${path}`)).statusCode]).toEqual([path, 404]);

  for (const path of ['/media/Wq3k-Short_code', '/media/109300400', '/media_attachments/109300400'])
    expect([path, await locationOf(server, path)]).toEqual([path, postUrl]);
  for (const path of ['/media/unknown', '/media_attachments/1', '/media_attachments/109300401'])
    expect([path, (await get(server, path)).statusCode]).toEqual([path, 404]);
});

test('addresses of the web client of Mastodon lead to the pages of this one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const { json: hidden } = await alice.post('/api/v1/statuses', { status: 'Secret', visibility: 'private' });
  const expected: Readonly<Record<string, string>> = {
    '/web/statuses/1': '/statuses/1',
    '/web/timelines/tag/cats': '/tags/cats',
    '/web/getting-started': '/home',
    '/web//evil.test/': '/evil.test',
    '/deck/@alice': '/@alice',
    '/deck//evil.test': '/evil.test',
    '/deck/notifications': '/notifications',
    '/getting-started': '/home',
    [`/statuses/${String(post['id'])}`]: `/@alice/${String(post['id'])}`,
    [`/accounts/${alice.id}`]: '/@alice',
  };
  for (const [path, target] of Object.entries(expected)) {
    const location = String(await locationOf(server, path));
    expect([path, new URL(location, server.app.config.baseUrl).href]).toEqual([
      path,
      new URL(target, server.app.config.baseUrl).href,
    ]);
  }
  for (const path of [`/statuses/${String(hidden['id'])}`, '/statuses/1', '/accounts/1'])
    expect([path, (await get(server, path)).statusCode]).toEqual([path, 404]);
});

test('a user whose second factor was lost in the move learns of it until there is a new one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const lost = async () => (await alice.get('/api/v1/fieldfare/account_security')).json['lost_second_factor'];
  expect(await lost()).toBe(false);
  await sql`update users set lost_second_factor = true where id = ${alice.userId}::bigint`.execute(server.db);
  expect(await lost()).toBe(true);
  const browser = new Browser(server);
  expect(await browser.signIn('alice')).toBe('/settings/two_factor');
  expect(browser.text).toContain('could not be taken over');
  await setUpTotp(server, browser);
  expect(await lost()).toBe(false);
  await browser.open('/settings/two_factor');
  expect(browser.text).not.toContain('could not be taken over');
});
