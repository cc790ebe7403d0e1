import { clearCaches } from '../../../server/platform/write/publish.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import {
  anonymousMediaViewer,
  createImageProxy,
  loadMediaViewer,
  mediaViewerOf,
  urlFor,
  type MediaUrl,
  type MediaViewer,
} from '../../../server/media/proxy/index.ts';
import { buildCachedMedia, presentMedia, type MediaAttachment } from '../../../server/media/index.ts';
import type { RemoteMedia } from '../../../server/media/remote/index.ts';
import { DiskCache } from '../../../server/media/proxy/disk-cache.ts';
import { PartialFile } from '../../../server/media/proxy/partial-file.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import {
  createOutgoing,
  OutgoingError,
  type Outgoing,
  type OutgoingRequest,
} from '../../../server/platform/outgoing/outgoing.ts';
import { parseConfig } from '../../../server/platform/config.ts';
import { acceptFollowRequest, followAccount, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { blockAccount } from '../../../server/relationships/hide/index.ts';
import { allowDomain, blockDomain } from '../../../server/site/domains/index.ts';
import { deleteStatus } from '../../../server/statuses/post/index.ts';
import { storeRemoteStatus, updateRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { disableUser, enableUser } from '../../../server/moderation/index.ts';
import { startServer, type TestServer } from '../../server.ts';

const createPng = (side = 20): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

/** Serves files by URL in place of remote hosts, and records the requests. */
class FakeRemoteHost implements Outgoing {
  readonly requested: string[] = [];
  readonly aborted: string[] = [];
  readonly #silent = new Set<() => void>();
  readonly #files: Record<string, Buffer | undefined>;

  constructor(files: Record<string, Buffer>) {
    this.#files = files;
  }

  async request(url: string, { receive, signal }: OutgoingRequest = {}) {
    this.requested.push(url);
    if (url.endsWith('/dead')) throw new OutgoingError('unreachable', 'connection refused');
    const body = this.#files[url];
    // A URL with `silent` sends the first half of its file, if it has one, and then stalls.
    if (url.includes('silent')) {
      if (body !== undefined) await receive?.(body.subarray(0, body.length / 2));
      await new Promise((_resolve, reject) => {
        this.#silent.add(() => reject(new OutgoingError('timeout', 'too late')));
        signal?.addEventListener('abort', () => {
          this.aborted.push(url);
          reject(new OutgoingError('unreachable', 'aborted', { cause: signal.reason }));
        });
      });
    }
    if (body !== undefined) await receive?.(body);
    return { status: body === undefined ? 404 : 200, headers: {}, body: Buffer.alloc(0), url };
  }

  /** Makes all stalled requests fail with a timeout. */
  timeOut(): void {
    for (const end of this.#silent) end();
  }

  async close(): Promise<void> {}
}

const storeZoe = (server: TestServer): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: 'https://far.test/users/zoe',
      username: 'zoe',
      domain: 'far.test',
      inboxUrl: 'https://far.test/inbox',
    }),
  );

const signedIn = mediaViewerOf({});

/** Returns the proxy URL of a remote image for a viewer. */
async function proxyUrlOf(server: TestServer, url: string, viewer: MediaViewer = signedIn): Promise<string> {
  return urlFor((await createImageProxy(server.app))(url), viewer);
}

/** Stores a public remote post with attachments, and returns them as signed-in viewers see them. */
async function attach(server: TestServer, ...attachments: RemoteMedia[]): Promise<MediaAttachment[]> {
  await storeRemoteStatus(server.app, {
    uri: 'https://far.test/notes/1',
    accountId: await storeZoe(server),
    content: 'look',
    visibility: 'public',
    attachments,
    publishedAt: server.clock.now(),
  });
  const rows = await server.app.db.selectFrom('media_attachments').selectAll().orderBy('id').execute();
  const shown = (url: MediaUrl | null): string | null => url && urlFor(url, signedIn);
  return (await buildCachedMedia(server.app, rows)).map((attachment) => ({
    ...attachment,
    url: shown(attachment.url),
    preview_url: shown(attachment.preview_url),
  }));
}

const requestProxy = (server: TestServer, url: string | null, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url ?? '');
  return server.http.inject({ method: 'GET', url: pathname + search, headers });
};

const stripPermission = (url: string | null): string => (url ?? '').replace(/\?.*$/, '');

const image = { url: 'https://a.test/a.png', previewUrl: 'https://a.test/small.png', contentType: 'image/png' };

test('MED-04: a remote file is fetched once, through a URL that the server signed', async () => {
  const remoteHost = new FakeRemoteHost({
    'https://a.test/a.png': await createPng(),
    'https://a.test/small.png': await createPng(5),
  });
  await using server = await startServer({ outgoing: remoteHost });
  const [attachment] = await attach(server, image);
  const { url = null, preview_url: previewUrl = null } = attachment ?? {};
  expect(url).toMatch(/^https:\/\/fieldfare\.test\/media_proxy\/\d+\/original\/[\w-]{24}\?fetch=[\w-]+$/);
  expect(attachment).toMatchObject({ remote_url: image.url, preview_remote_url: image.previewUrl, text_url: null });
  const responses = await Promise.all([
    requestProxy(server, url),
    requestProxy(server, url),
    requestProxy(server, url),
  ]);
  for (const { statusCode, headers, rawPayload } of responses) {
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(rawPayload.equals(await createPng())).toBe(true);
  }
  expect(remoteHost.requested).toEqual(['https://a.test/a.png']);
  expect((await requestProxy(server, previewUrl)).rawPayload.equals(await createPng(5))).toBe(true);
  const part = await requestProxy(server, url, { range: 'bytes=0-3' });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 4]);
  expect((await requestProxy(server, stripPermission(url))).statusCode).toBe(200);
  expect(remoteHost.requested).toHaveLength(2);
});

test('without a signed URL nothing is fetched, and the client is redirected to the remote host', async () => {
  const remoteHost = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: remoteHost });
  const [attachment] = await attach(server, image);
  const { id = '', url = null } = attachment ?? {};
  for (const proxyUrl of [stripPermission(url), `${stripPermission(url)}?fetch=${'0'.repeat(36)}`]) {
    const response = await requestProxy(server, proxyUrl);
    expect([response.statusCode, response.headers['location']]).toEqual([302, 'https://a.test/a.png']);
  }
  for (const path of ['1/original', `${id}/other`, 'x/original', 'url/AAAA/aHR0cHM6Ly9ldmlsLnRlc3Q']) {
    const { statusCode } = await requestProxy(server, `https://fieldfare.test/media_proxy/${path}?fetch=x`);
    expect([404, 422], path).toContain(statusCode);
  }
  expect(remoteHost.requested).toEqual([]);
});

test('attachments of anonymous viewers have URLs without a permission to fetch', async () => {
  await using server = await startServer();
  const [attachment] = await attach(server, image);
  const rows = await server.app.db.selectFrom('media_attachments').selectAll().execute();
  const [cached] = await buildCachedMedia(server.app, rows);
  const anonymous = {
    ...attachment,
    url: stripPermission(attachment?.url ?? null),
    preview_url: stripPermission(attachment?.preview_url ?? null),
  };
  expect(await presentMedia(server.app, rows)).toEqual([anonymous]);
  expect(JSON.parse(JSON.stringify(cached))).toEqual(anonymous);
});

test('web pages, SVG images and unavailable files are not served, and failures are cached', async () => {
  const remoteHost = new FakeRemoteHost({
    'https://a.test/page': Buffer.from('<html><script>alert(1)</script></html>'),
    'https://a.test/drawing': Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    'https://a.test/note': Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'),
  });
  await using server = await startServer({ outgoing: remoteHost });
  const statuses = { page: 404, drawing: 404, note: 404, none: 302, dead: 302 };
  const names = Object.keys(statuses);
  const attachments = await attach(
    server,
    ...names.map((name) => ({ url: `https://a.test/${name}`, contentType: 'image/png' })),
  );
  for (let round = 0; round < 2; round += 1) {
    for (const [index, expected] of Object.values(statuses).entries()) {
      expect((await requestProxy(server, attachments[index]?.url ?? null)).statusCode, names[index]).toBe(expected);
    }
  }
  expect(remoteHost.requested).toHaveLength(names.length);
  expect(await readdir(join(server.app.config.dataDir, 'cache')).catch(() => [])).toEqual([]);
});

test('an attachment whose URL is on this server causes no request', async () => {
  const remoteHost = new FakeRemoteHost({});
  await using server = await startServer({ outgoing: remoteHost });
  const [attachment] = await attach(server, {
    url: 'https://fieldfare.test/media_proxy/1/original',
    contentType: 'image/png',
  });
  expect((await requestProxy(server, attachment?.url ?? null)).statusCode).toBe(404);
  expect(remoteHost.requested).toEqual([]);
});

test('remote avatars are proxied too, and a forged URL is 404', async () => {
  const url = 'https://a.test/avatar.png';
  const remoteHost = new FakeRemoteHost({ [url]: await createPng() });
  await using server = await startServer({ outgoing: remoteHost });
  const proxyUrl = await proxyUrlOf(server, url);
  const anonymous = await proxyUrlOf(server, url, anonymousMediaViewer);
  expect(anonymous).toBe(stripPermission(proxyUrl));
  expect((await requestProxy(server, anonymous)).headers['location']).toBe(url);
  const forged = proxyUrl.replace(/\/[^/]+\?/, `/${Buffer.from('https://evil.test/').toString('base64url')}?`);
  expect((await requestProxy(server, forged)).statusCode).toBe(404);
  expect(remoteHost.requested).toEqual([]);
  expect((await requestProxy(server, proxyUrl)).statusCode).toBe(200);
  expect((await requestProxy(server, anonymous)).statusCode).toBe(200);
  expect(remoteHost.requested).toEqual([url]);
});

test('with a cache size of 0, files have their remote URLs', async () => {
  const remoteHost = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: remoteHost, settings: { MEDIA_CACHE_SIZE: '0' } });
  const [attachment] = await attach(server, image);
  expect(attachment).toMatchObject({ url: image.url, preview_url: image.previewUrl });
  expect(await proxyUrlOf(server, 'https://a.test/avatar.png')).toBe('https://a.test/avatar.png');
});

test('the cache evicts the least recently used files to stay within its size, also after a restart', async () => {
  await using server = await startServer();
  const folder = join(server.app.config.dataDir, 'cache', 'test');
  const now = server.clock.now();
  const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  const file = async (size: number) => {
    const path = join(server.app.config.dataDir, `${size}.png`);
    await writeFile(path, Buffer.alloc(size));
    return { path, size, extension: 'png', contentType: 'image/png' };
  };
  const cache = new DiskCache(folder, 100);
  for (const name of ['a', 'b', 'c']) await cache.put(name, await file(30), now);
  expect(cache.bytes).toBe(90);
  expect(await cache.find('a', later(10))).toBeDefined();
  await cache.put('d', await file(41), now);
  const listCached = async (someCache: DiskCache, time: Date) => {
    const names: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      if ((await someCache.find(name, time)) !== undefined) names.push(name);
    return names.join('');
  };
  expect(await listCached(cache, later(20))).toBe('ad');
  expect(await cache.put('e', await file(101), now)).toBeUndefined();
  await rm(join(folder, (await cache.find('a', later(21))) ?? ''));
  expect(await cache.find('a', later(22))).toBeUndefined();
  await cache.put('a', await file(30), now);
  const reopened = new DiskCache(folder, 60);
  expect((await listCached(reopened, later(30))).length).toBe(1);
  expect(reopened.bytes).toBeLessThanOrEqual(60);
  expect(
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
  ).toHaveLength(1);
});

test('files of a healthy host are served while requests to 1,500 silent hosts hang', async () => {
  const healthy = 'https://healthy.test/a.png';
  const remoteHost = new FakeRemoteHost({ [healthy]: await createPng() });
  await using server = await startServer({ outgoing: remoteHost });
  const silent: Promise<number>[] = [];
  let settled = 0;
  for (let number = 0; number < 1_500; number += 1) {
    const proxyUrl = await proxyUrlOf(server, `https://silent-${number}.test/a.png`);
    silent.push(
      requestProxy(server, proxyUrl).then(({ statusCode }) => {
        settled += 1;
        return statusCode;
      }),
    );
  }
  await expect.poll(() => remoteHost.requested.length).toBe(1_500);
  const response = await requestProxy(server, await proxyUrlOf(server, healthy));
  expect(response.statusCode).toBe(200);
  // The oldest requests were aborted to make room, and their clients redirected to the silent hosts.
  expect(settled).toBeLessThan(600);
  expect(remoteHost.aborted.length).toBeLessThan(600);
  remoteHost.timeOut();
  expect(new Set(await Promise.all(silent))).toEqual(new Set([302]));
});

test('a silent host delays only its own files, three at a time', async () => {
  const healthy = 'https://healthy.test/a.png';
  const remoteHost = new FakeRemoteHost({ [healthy]: await createPng() });
  await using server = await startServer({ outgoing: remoteHost });
  const proxyUrls = await Promise.all(
    Array.from({ length: 20 }, (_, number) => proxyUrlOf(server, `https://silent.test/${number}.png`)),
  );
  const responses = proxyUrls.map((proxyUrl) => requestProxy(server, proxyUrl));
  await expect.poll(() => remoteHost.requested.length).toBe(3);
  expect((await requestProxy(server, await proxyUrlOf(server, healthy))).statusCode).toBe(200);
  expect(remoteHost.requested).toHaveLength(4);
  for (let requested = 4; requested < 21; requested += 1) {
    remoteHost.timeOut();
    await expect.poll(() => remoteHost.requested.length).toBeGreaterThan(requested);
  }
  remoteHost.timeOut();
  expect(new Set((await Promise.all(responses)).map(({ statusCode }) => statusCode))).toEqual(new Set([302]));
});

/** Sends a request over a real connection, which the test can close. */
async function openRequest(
  server: TestServer,
  proxyUrl: string,
): Promise<{ socket: Socket; response: Promise<string> }> {
  if (!server.http.server.listening) await server.http.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.http.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const { pathname, search } = new URL(proxyUrl);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: fieldfare.test\r\nconnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  return { socket, response: once(socket, 'close').then(() => text) };
}

const listTemporaryFiles = (server: TestServer): Promise<string[]> => readdir(join(server.app.config.dataDir, 'tmp'));

test('a fetch is aborted when its last client disconnects, and its temporary file is deleted', async () => {
  const file = await createPng();
  const remoteHost = new FakeRemoteHost({ 'https://silent.test/a.png': file });
  await using server = await startServer({ outgoing: remoteHost });
  const proxyUrl = await proxyUrlOf(server, 'https://silent.test/a.png');
  const [first, second] = [await openRequest(server, proxyUrl), await openRequest(server, proxyUrl)];
  await expect.poll(() => listTemporaryFiles(server)).toHaveLength(1);
  first.socket.destroy();
  await first.response;
  expect(remoteHost.aborted).toEqual([]);
  second.socket.destroy();
  await expect.poll(() => remoteHost.aborted).toEqual(['https://silent.test/a.png']);
  await expect.poll(() => listTemporaryFiles(server)).toEqual([]);
  expect(remoteHost.requested).toHaveLength(1);
  // The slot is free, and the aborted fetch is not cached as a failure.
  const others = await Promise.all(
    [1, 2, 3].map(async (number) => openRequest(server, await proxyUrlOf(server, `https://silent.test/${number}`))),
  );
  await expect.poll(() => remoteHost.requested.length).toBe(4);
  const retry = await openRequest(server, proxyUrl);
  remoteHost.timeOut();
  await expect.poll(() => remoteHost.requested.length).toBe(5);
  remoteHost.timeOut();
  for (const { response } of [...others, retry]) expect(await response).toMatch(/^HTTP\/1\.1 302 /);
  await expect.poll(() => listTemporaryFiles(server)).toEqual([]);
});

test('a full disk is a 503 in JSON with Retry-After, and leaves no partial file', async () => {
  const url = 'https://a.test/a.png';
  const remoteHost = new FakeRemoteHost({ [url]: await createPng() });
  await using server = await startServer({ outgoing: remoteHost });
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const proxyUrl = await proxyUrlOf(server, url);
  for (const broken of [
    vi.spyOn(PartialFile.prototype, 'append').mockRejectedValueOnce(full),
    vi.spyOn(DiskCache.prototype, 'put').mockRejectedValueOnce(full),
  ]) {
    const response = await requestProxy(server, proxyUrl, { accept: 'image/png,image/*' });
    broken.mockRestore();
    expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.json()).toEqual({ error: 'The server is temporarily unavailable' });
    expect(await listTemporaryFiles(server).catch(() => [])).toEqual([]);
  }
  // Once there is space, the file is fetched.
  expect((await requestProxy(server, proxyUrl)).statusCode).toBe(200);
});

test('unfinished files of a crashed process are deleted from the cache', async () => {
  await using server = await startServer();
  const folder = join(server.app.config.dataDir, 'cache', 'test');
  await mkdir(join(folder, '.unfinished'), { recursive: true });
  for (const name of ['old', 'new']) await writeFile(join(folder, '.unfinished', name), 'half');
  const now = server.clock.now();
  const old = new Date(now.getTime() - 2 * 86_400_000);
  await utimes(join(folder, '.unfinished', 'new'), now, now);
  await utimes(join(folder, '.unfinished', 'old'), old, old);
  await new DiskCache(folder, 100).find('a', server.clock.now());
  expect(await readdir(join(folder, '.unfinished'))).toEqual(['new']);
});

test('MED-04: avatars and headers always have proxy URLs, and those of anonymous viewers fetch nothing', async () => {
  const [avatarUrl, headerUrl] = ['https://far.test/zoe.png', 'https://far.test/wide.png'];
  const remoteHost = new FakeRemoteHost({ [avatarUrl]: await createPng(), [headerUrl]: await createPng(30) });
  await using server = await startServer({ outgoing: remoteHost });
  const alice = await server.user('alice');
  const zoe = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: 'https://far.test/users/zoe',
      username: 'zoe',
      domain: 'far.test',
      inboxUrl: 'https://far.test/inbox',
      avatarUrl,
      headerUrl,
    }),
  );
  const statusId = await storeRemoteStatus(server.app, {
    uri: 'https://far.test/notes/1',
    accountId: zoe,
    content: 'hello <a href="https://fieldfare.test/tags/birds">#birds</a>',
    tags: ['birds'],
    visibility: 'public',
    attachments: [image],
    publishedAt: server.clock.now(),
  });
  await alice.post(`/api/v1/statuses/${statusId}/reblog`);
  await alice.post(`/api/v1/accounts/${zoe}/follow`);
  server.expectUndelivered('far.test');
  await server.drain();
  const paths = [
    `/api/v1/accounts/${zoe}`,
    `/api/v1/accounts/lookup?acct=zoe@far.test`,
    `/api/v1/accounts?id[]=${zoe}`,
    `/api/v1/accounts/${alice.id}/statuses`,
    `/api/v1/statuses/${statusId}`,
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/birds',
    '/api/v2/search?q=zoe@far.test&type=accounts',
  ];
  for (const path of paths) {
    const signedIn = await alice.get(path);
    expect([signedIn.status, signedIn.text], path).toEqual([200, expect.stringContaining('?fetch=')]);
    expect(signedIn.text).not.toMatch(/"(?:avatar|header)(?:_static)?":"https:\/\/far/);
    for (const client of [server.anonymous, await server.appToken()]) {
      const { status, text } = await client.get(path);
      expect([status, text], path).toEqual([200, expect.stringContaining('/media_proxy/')]);
      expect(text, path).not.toContain('?fetch=');
    }
  }
  const page = await server.http.inject({ url: '/@alice', headers: { accept: 'text/html' } });
  expect(page.body).toContain('https://fieldfare.test/media_proxy/url/');
  expect(page.body).not.toContain('?fetch=');
  expect(remoteHost.requested.filter((url) => url.endsWith('.png'))).toEqual([]);
  const { avatar, header, header_static: still } = (await alice.get(`/api/v1/accounts/${zoe}`)).json;
  expect(still).toBe(header);
  for (const proxyUrl of [avatar, header]) expect((await requestProxy(server, proxyUrl)).statusCode).toBe(200);
  expect(remoteHost.requested.filter((url) => url.endsWith('.png'))).toEqual([avatarUrl, headerUrl]);
});

test('requests by id without a permission are limited to 30 per IP address in 10 minutes (reference/limits.tsv)', async () => {
  const remoteHost = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: remoteHost, settings: { RATE_LIMITS: 'on' } });
  const [attachment] = await attach(server, image);
  const { url = null } = attachment ?? {};
  const base = 'https://fieldfare.test/media_proxy';
  const byId = `${base}/${attachment?.id}/original`;
  for (let count = 0; count < 15; count += 1) {
    expect((await requestProxy(server, `${base}/${count + 1}/original`)).statusCode).toBe(404);
    expect((await requestProxy(server, byId)).statusCode).toBe(302);
  }
  const refused = await requestProxy(server, byId);
  expect([refused.statusCode, refused.headers['x-ratelimit-limit']]).toEqual([429, '30']);
  for (const guess of [`${base}/1/small`, `${byId}/1-2-guessed`, `${byId}/guessed`]) {
    expect((await requestProxy(server, guess)).statusCode).toBe(429);
  }
  // URLs from the API are not limited: a page of posts has dozens of files.
  expect((await requestProxy(server, stripPermission(url))).statusCode).toBe(302);
  expect((await requestProxy(server, url)).statusCode).toBe(200);
  server.clock.advance(600);
  expect((await requestProxy(server, byId)).statusCode).toBe(200);
});

/** Stores a followers-only post by a remote author that alice follows. `shown` is its only file, as she sees it. */
async function createPrivatePost(server: TestServer) {
  const [alice, stranger, zoe] = [await server.user('alice'), await server.user('stranger'), await storeZoe(server)];
  await followAccount(server.app, alice.id, zoe);
  await acceptFollowRequest(server.app, zoe, alice.id);
  const post = {
    uri: 'https://far.test/notes/private',
    accountId: zoe,
    content: '<p>for followers</p>',
    visibility: 'private' as const,
    attachments: [image],
    publishedAt: server.clock.now(),
  };
  const id = await storeRemoteStatus(server.app, post);
  await server.drain();
  const attachments = (await alice.get(`/api/v1/statuses/${id}`)).json.media_attachments as MediaAttachment[];
  const [shown] = attachments;
  if (id === undefined || shown?.url == null || shown.preview_url === null) throw new Error('the post has no file');
  return { alice, stranger, zoe, post, id, shown: { ...shown, url: shown.url, preview_url: shown.preview_url } };
}

const createRemoteFiles = async () =>
  new FakeRemoteHost({ [image.url]: await createPng(), [image.previewUrl]: await createPng(5) });

test('a file of a private remote post has a URL for each viewer, and cannot be reached by its id or forged URLs', async () => {
  const remoteHost = await createRemoteFiles();
  await using server = await startServer({ outgoing: remoteHost });
  const { alice, stranger, shown } = await createPrivatePost(server);
  server.expectUndelivered('far.test');
  expect(shown.url).toMatch(new RegExp(`/media_proxy/${shown.id}/original/${alice.id}-\\d+-[\\w-]{24}$`));
  const [row] = await server.app.db.selectFrom('media_attachments').selectAll().execute();
  const [anonymous] = await presentMedia(server.app, row === undefined ? [] : [row]);
  const grants = await loadMediaViewer(server.app, stranger.id);
  const strangerUrl = `https://fieldfare.test/media_proxy/${shown.id}/original/${grants.grantFor?.(shown.id)}`;
  const forged = [
    anonymous?.url ?? null,
    strangerUrl,
    `https://fieldfare.test/media_proxy/${shown.id}/original`,
    `https://fieldfare.test/media_proxy/${shown.id}/original?fetch=${row?.proxy_token}`,
    shown.url.replace(`/${alice.id}-`, `/${stranger.id}-`),
    shown.url.replace(/-(\d+)-/, (_match, expires: string) => `-${Number(expires) + 1}-`),
    `${shown.url}x`,
  ];
  const expectForgedRefused = async () => {
    for (const proxyUrl of forged) expect((await requestProxy(server, proxyUrl)).statusCode, proxyUrl ?? '').toBe(404);
  };
  await expectForgedRefused();
  expect(remoteHost.requested.filter((url) => url.endsWith('.png'))).toEqual([]);
  for (const proxyUrl of [shown.url, shown.preview_url]) {
    const response = await requestProxy(server, proxyUrl);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'private, max-age=86400']);
  }
  // The cached file is as private.
  await expectForgedRefused();
});

test('the URL of a private file works for at least a week, while its viewer may see the post', async () => {
  await using server = await startServer({ outgoing: await createRemoteFiles() });
  const { alice, stranger, zoe, id, post, shown } = await createPrivatePost(server);
  server.expectUndelivered('far.test');
  const status = async (): Promise<number> => (await requestProxy(server, shown.url)).statusCode;
  const urlNow = async () => (await alice.get(`/api/v1/statuses/${id}`)).json.media_attachments[0].url as string;
  server.clock.advance(6 * 86_400);
  expect(await status()).toBe(200);
  server.clock.advance(8 * 86_400);
  expect(await status()).toBe(404);
  const fresh = await urlNow();
  expect((await requestProxy(server, fresh)).statusCode).toBe(200);

  await unfollowAccount(server.app, alice.id, zoe);
  expect((await requestProxy(server, fresh)).statusCode).toBe(404);
  await followAccount(server.app, alice.id, zoe);
  await acceptFollowRequest(server.app, zoe, alice.id);
  expect((await requestProxy(server, fresh)).statusCode).toBe(200);

  await disableUser(server.app, 'system', { accountId: alice.id });
  expect((await requestProxy(server, fresh)).statusCode).toBe(404);
  await enableUser(server.app, 'system', { accountId: alice.id });
  await server.drain();
  const suspend = async (suspended_at: Date | null): Promise<void> => {
    const origin = suspended_at === null ? null : 'local';
    await server.db
      .updateTable('accounts')
      .set({ suspended_at, suspension_origin: origin })
      .where('id', '=', zoe)
      .execute();
    clearCaches(server.app);
  };
  await suspend(server.clock.now());
  expect((await requestProxy(server, fresh)).statusCode).toBe(404);
  await suspend(null);
  expect((await requestProxy(server, fresh)).statusCode).toBe(200);

  // The edit history has the same kind of URLs.
  const updatedAt = server.clock.now();
  await updateRemoteStatus(server.app, { ...post, content: '<p>still for followers</p>', updatedAt });
  const { json: versions } = await alice.get(`/api/v1/statuses/${id}/history`);
  expect(versions).toHaveLength(2);
  for (const version of versions) {
    expect((await requestProxy(server, version.media_attachments[0].url)).statusCode).toBe(200);
  }
  expect((await stranger.get(`/api/v1/statuses/${id}/history`)).status).toBe(404);

  await blockAccount(server.app, zoe, alice.id);
  expect((await requestProxy(server, fresh)).statusCode).toBe(404);
  await deleteStatus(server.app, id);
  expect((await requestProxy(server, fresh)).statusCode).toBe(404);
});

test('files of a public post are 404 once the post is deleted', async () => {
  await using server = await startServer({ outgoing: await createRemoteFiles() });
  const [attachment] = await attach(server, image);
  expect((await requestProxy(server, attachment?.url ?? null)).headers['cache-control']).toBe('public, max-age=86400');
  const { id } = await server.app.db.selectFrom('statuses').selectAll().executeTakeFirstOrThrow();
  await deleteStatus(server.app, id);
  const byId = `https://fieldfare.test/media_proxy/${attachment?.id}/original`;
  for (const proxyUrl of [attachment?.url ?? null, byId])
    expect((await requestProxy(server, proxyUrl)).statusCode).toBe(404);
});

test('files of a domain whose media staff reject are 404 by every URL', async () => {
  await using server = await startServer({ outgoing: await createRemoteFiles() });
  const [attachment] = await attach(server, image);
  expect((await requestProxy(server, attachment?.url ?? null)).statusCode).toBe(200);
  await blockDomain(server.app, 'system', { domain: 'far.test', severity: 'noop', rejectMedia: true });
  const byId = `https://fieldfare.test/media_proxy/${attachment?.id}/original`;
  for (const proxyUrl of [attachment?.url ?? null, byId])
    expect((await requestProxy(server, proxyUrl)).statusCode).toBe(404);
});

test('in limited federation mode, a file is 404 by its id', async () => {
  await using server = await startServer({
    outgoing: await createRemoteFiles(),
    settings: { LIMITED_FEDERATION: 'on' },
  });
  await allowDomain(server.app, 'system', 'far.test');
  const [attachment] = await attach(server, image);
  expect((await requestProxy(server, `https://fieldfare.test/media_proxy/${attachment?.id}/original`)).statusCode).toBe(
    404,
  );
  expect((await requestProxy(server, attachment?.url ?? null)).statusCode).toBe(200);
});

test('files of a healthy host are served over real connections while 1,500 silent hosts keep theirs open', async () => {
  const file = await createPng();
  let connected = 0;
  const hosts = createServer((request, reply) => {
    if (request.headers.host?.startsWith('healthy') === true) reply.end(file);
    else connected += 1;
  });
  hosts.listen(0, '127.0.0.1');
  await once(hosts, 'listening');
  const { port } = hosts.address() as AddressInfo;
  const outgoing = createOutgoing(parseConfig({ ALLOW_PRIVATE_ADDRESSES: 'on' }), pino({ level: 'silent' }), {
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await using server = await startServer({ outgoing });
  const proxyUrlFor = (host: string) => proxyUrlOf(server, `http://${host}.test:${port}/a.png`);
  let settled = 0;
  const silent = Array.from({ length: 1_500 }, async (_, number) => {
    const { statusCode } = await requestProxy(server, await proxyUrlFor(`silent-${number}`));
    settled += 1;
    return statusCode;
  });
  await expect.poll(() => connected).toBeGreaterThan(999);
  const response = await requestProxy(server, await proxyUrlFor('healthy'));
  expect([response.statusCode, response.rawPayload.equals(file), settled < 1_500]).toEqual([200, true, true]);
  hosts.closeAllConnections();
  hosts.close();
  expect(new Set(await Promise.all(silent))).toEqual(new Set([302]));
});
