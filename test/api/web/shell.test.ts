import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { clientRoutes } from '../../../server/pages/web/client-routes.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer } from '../../server.ts';
import { writable } from '../../writable.ts';
import { ClientFolder } from './client-folder.ts';

const script = '<script type="module" src="/web/assets/main-22bb.js"></script>';

/** A server with a web client, where alice has a post and a collection and is signed in. */
async function startWithClient(settings: Record<string, string> = {}) {
  const folder = new ClientFolder();
  const server = await startServer({ settings: { WEB_CLIENT_DIR: folder.path, ...settings } });
  const alice = await server.user('alice');
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello #birds' });
  const { json: created } = await alice.post('/api/v1/collections', { name: 'Birds', language: 'en' });
  const browser = new Browser(server);
  await browser.signIn('alice');
  const sharedPaths = [
    '/',
    '/@alice',
    '/@alice/with_replies',
    '/@alice/media',
    '/@alice/collections',
    '/@alice/tagged/birds',
    `/@alice/${post.id}`,
    '/tags/birds',
    `/collections/${created.collection.id}`,
  ];
  return {
    server,
    folder,
    browser,
    alice,
    post,
    sharedPaths,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const clientPaths = clientRoutes.map(({ path }) => path.replaceAll(/:(\w+)/g, '1'));

test('a signed-in user gets the client on every path of it, and the simple page on request', async () => {
  await using scene = await startWithClient();
  const { browser, sharedPaths } = scene;
  const shared = [...sharedPaths, '/@someone@remote.test', '/@someone@remote.test/1', '/@unknown'];
  expect(clientPaths.length).toBeGreaterThan(35);
  for (const path of [...shared, ...clientPaths]) {
    await browser.open(path);
    expect([browser.status, browser.path], path).toEqual([200, path]);
    expect(browser.text, path).toContain(script);
  }
  for (const path of sharedPaths) {
    await browser.open(`${path}?view=page`);
    expect(browser.status, path).toBe(200);
    expect(browser.text, path).toContain('<main id="content"');
    expect(browser.text, path).not.toContain(script);
  }
});

test('visitors get the pages, and sign in for what only the client has', async () => {
  await using scene = await startWithClient();
  const { server, browser, sharedPaths } = scene;
  const visitor = new Browser(server);
  for (const path of sharedPaths) {
    await visitor.open(path);
    expect([visitor.status, visitor.path], path).toEqual([200, path]);
    expect(visitor.text, path).toContain('<main id="content"');
  }
  for (const path of clientPaths) {
    const { status, headers } = await server.anonymous.get(path);
    expect([status, headers['location']]).toEqual([303, `/auth/sign_in?return_to=${encodeURIComponent(path)}`]);
  }
  await visitor.open('/notifications?filter=mention');
  await visitor.submit('/auth/sign_in', { email: 'alice', password: 'correct horse battery' });
  expect(visitor.path).toBe('/notifications?filter=mention');
  expect(visitor.text).toContain(script);
  await browser.open('/home');
  expect(browser.text).toContain(script);
});

test('users who may not use the server yet get pages only', async () => {
  await using scene = await startWithClient();
  const { server, sharedPaths } = scene;
  await server.user('carol', { confirmed: false });
  const browser = new Browser(server);
  await browser.signIn('carol');
  for (const path of sharedPaths) {
    await browser.open(path);
    expect(browser.text, path).not.toContain(script);
  }
  await browser.open('/home');
  expect(browser.path).toBe('/auth/setup?return_to=%2Fhome');
});

test('other servers and feed readers get documents and feeds, also with the cookie of a session', async () => {
  await using scene = await startWithClient();
  const { server, browser, sharedPaths } = scene;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const withType = async (path: string, accept: string) =>
    (await server.anonymous.get(path, { headers: { accept, cookie } })).headers['content-type'];
  const activity = 'application/activity+json';
  for (const path of sharedPaths.filter((each) => !/^\/$|with_replies|collections$|tagged|media/.test(each)))
    expect(await withType(path, activity), path).toMatch(/^application\/activity\+json/);
  for (const path of ['/@alice', '/@alice/media', '/tags/birds'])
    expect(await withType(path, 'application/rss+xml'), path).toMatch(/^application\/rss\+xml/);
});

test('without a build of the client everything is as without the client', async () => {
  using folder = new ClientFolder();
  folder.write('.vite/manifest.json', '{ "src/main.tsx": ');
  await using server = await startServer({ settings: { WEB_CLIENT_DIR: folder.path } });
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const expectPages = async () => {
    await browser.open('/');
    expect(browser.text).toContain('<main id="content"');
    await browser.open('/home');
    expect(browser.status).toBe(404);
    for (const path of ['/home', '/web/assets/main-22bb.js', '/sw.js'])
      expect((await server.anonymous.get(path)).status, path).toBe(404);
  };
  await expectPages();
  folder.write('.vite/manifest.json', '{}');
  touch(folder, 1);
  await expectPages();
  folder.build('main-22bb');
  touch(folder, 2);
  await browser.open('/');
  expect(browser.text).toContain(script);
});

/** Makes the manifest newer than any before, whatever the resolution of the times of files. */
function touch(folder: ClientFolder, seconds: number): void {
  const manifest = join(folder.path, '.vite/manifest.json');
  const time = statSync(manifest).mtimeMs / 1_000 + seconds;
  utimesSync(manifest, time, time);
}

test('a new build is used at once', async () => {
  await using scene = await startWithClient();
  const { server, folder, browser } = scene;
  await browser.open('/home');
  expect(browser.text).toContain(script);
  folder.build('main-99ff');
  touch(folder, 1);
  await browser.open('/home');
  expect(browser.text).toContain('src="/web/assets/main-99ff.js"');
  expect((await server.anonymous.get('/web/assets/main-99ff.js')).status).toBe(200);
});

test('the shell names the files of the build and what the client requests first', async () => {
  await using scene = await startWithClient();
  const { server, browser, alice } = scene;
  await browser.open('/home?x="y&z=1');
  const { text } = browser;
  expect(text).toContain('<link rel="stylesheet" href="/web/assets/main-33cc.css" />');
  expect(text).toContain('<link rel="modulepreload" href="/web/assets/api-11aa.js" />');
  expect(text).toContain('<link rel="modulepreload" href="/web/assets/core-66ff.js" />');
  expect(text).not.toMatch(/moderation-55ee|core-77aa/);
  expect(text).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
  const preloads = () => [...browser.text.matchAll(/rel="preload" as="fetch" href="([^"]+)" crossorigin/g)];
  expect(preloads().map(([, href]) => href)).toEqual(['/api/web/session', '/api/v1/timelines/home?limit=20']);
  expect(text).toContain('<html lang="en" dir="ltr" data-theme="auto" data-text-size="normal"');
  expect(text).toContain('<title>fieldfare.test</title>');
  expect(text).toContain('<a href="/?view=page">Open the simple page</a>');
  await browser.open('/tags/birds?x=1');
  expect(preloads().map(([, href]) => href)).toEqual(['/api/web/session']);
  expect(browser.text).toContain('<a href="/tags/birds?x=1&amp;view=page">');

  await transaction(server.app, async ({ db }) => {
    const data = JSON.stringify({ appearance: { theme: 'contrast', textSize: 'huge', motion: '"><script>' } });
    await writable(db)
      .insertInto('web_settings')
      .values({ user_id: alice.userId, data, updated_at: new Date(0) })
      .execute();
    await writable(db).updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute();
  });
  await browser.open('/');
  expect(browser.text).toContain(
    '<html lang="de" dir="ltr" data-theme="contrast" data-text-size="huge" data-density="normal" data-motion="auto">',
  );
  expect(browser.text).toContain('<meta name="theme-color" content="#000000" />');
  expect(browser.text).toContain('<link rel="modulepreload" href="/web/assets/core-77aa.js" />');
});

test('the shell runs only the scripts of this server and connects only to it', async () => {
  await using scene = await startWithClient({ STREAMING_BASE_URL: 'wss://streaming.fieldfare.test' });
  const { browser } = scene;
  await browser.open('/');
  const headers = browser.response?.headers ?? {};
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  });
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => directive.split(/ (.*)/s) as [string, string]),
  );
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob: https: https://fieldfare.test",
    'media-src': "'self' data: blob: https: https://fieldfare.test",
    'font-src': "'self'",
    'connect-src': "'self' wss://fieldfare.test",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'frame-src': 'https:',
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });
});

/** Requests a file of the client without cookies, and returns the bytes as they are sent. */
async function getFile(server: TestServer, url: string, encoding?: string) {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const response = await server.http.inject({ method: 'GET', url, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

test('files of the client never expire in caches, and are compressed as the browser accepts', async () => {
  await using scene = await startWithClient();
  const { server } = scene;
  const plain = await getFile(server, '/web/assets/main-22bb.js');
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  const brotli = await getFile(server, '/web/assets/main-22bb.js', 'gzip, deflate, br, zstd');
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  const gzip = await getFile(server, '/web/assets/main-22bb.js', 'gzip, br;q=0');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
  const uncompressed = await getFile(server, '/web/assets/api-11aa.js', 'br, gzip');
  expect([uncompressed.headers['content-encoding'], String(uncompressed.bytes)]).toEqual([
    undefined,
    'export const api = 1;',
  ]);
  expect((await getFile(server, '/web/assets/main-33cc.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  expect((await getFile(server, '/web/assets/icons-44dd.svg')).headers['content-type']).toBe('image/svg+xml');
});

test('the service worker may control every page, and is never outdated', async () => {
  await using scene = await startWithClient();
  const { status, headers, bytes } = await getFile(scene.server, '/sw.js');
  expect([status, String(bytes)]).toEqual([200, 'self.skipWaiting();']);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'service-worker-allowed': '/',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  });
});

test('nothing but the files of the client can be read', async () => {
  await using scene = await startWithClient();
  const { server, folder } = scene;
  const outside = `${folder.path.split('/').at(-1)}.txt`;
  for (const path of [
    '/web/',
    '/web/assets',
    '/web/assets/',
    '/web/assets/unknown.js',
    '/web/sw.js',
    '/web/assets/notes.txt',
    '/web/assets/main-22bb.js.br',
    '/web/.vite/manifest.json',
    '/web/assets/../.vite/manifest.json',
    '/web/assets/%2e%2e/.vite/manifest.json',
    '/web/assets/..%2f.vite%2fmanifest.json',
    `/web/assets/..%2f..%2f${outside}`,
    '/web/assets//main-22bb.js',
    '/web/assets/..%5c..%5cx.js',
  ])
    // Outside of the assets, these are addresses of another client, which redirect to a page.
    expect([302, 404], path).toContain((await getFile(server, path)).status);
});
