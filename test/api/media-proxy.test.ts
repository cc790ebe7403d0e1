import { clearCaches } from '../../server/platform/caching/define-cache.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import {
  anonymousMediaViewer,
  buildCachedMedia,
  createImageProxy,
  loadMediaViewer,
  mediaViewerOf,
  presentMedia,
  urlFor,
  type MediaAttachment,
  type MediaUrl,
  type MediaViewer,
  type RemoteMedia,
} from '../../server/media/index.ts';
import { DiskCache } from '../../server/media/proxy/disk-cache.ts';
import { PartialFile } from '../../server/media/proxy/partial-file.ts';
import { transaction } from '../../server/platform/database/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import {
  createOutgoing,
  OutgoingError,
  type Outgoing,
  type OutgoingRequest,
} from '../../server/platform/outgoing/outgoing.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { acceptFollowRequest, blockAccount, followAccount, unfollowAccount } from '../../server/relationships/index.ts';
import { allowDomain, blockDomain } from '../../server/site/index.ts';
import { deleteStatus, storeRemoteStatus, updateRemoteStatus } from '../../server/statuses/index.ts';
import { disableUser, enableUser } from '../../server/moderation/index.ts';
import { startServer, type TestServer } from '../server.ts';

const createPng = (side = 20): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

/** Another server: what is at its addresses, and what was asked for. */
class FakeRemoteHost implements Outgoing {
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  readonly #silent = new Set<() => void>();
  readonly #files: Record<string, Buffer | undefined>;

  constructor(files: Record<string, Buffer>) {
    this.#files = files;
  }

  async request(url: string, { receive, signal }: OutgoingRequest = {}) {
    this.asked.push(url);
    if (url.endsWith('/dead')) throw new OutgoingError('unreachable', 'nobody there');
    const body = this.#files[url];
    // An address with `silent` sends half of its file, if it has one, and falls silent.
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

  /** Ends the requests to silent hosts as a timeout does. */
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

/** The proxy address of a remote image, as a viewer gets it. */
async function proxyUrlOf(server: TestServer, url: string, viewer: MediaViewer = signedIn): Promise<string> {
  return urlFor((await createImageProxy(server.app))(url), viewer);
}

/** The attachments of a public remote post, as signed-in viewers see them. */
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
    text_url: shown(attachment.text_url),
  }));
}

const requestProxy = (server: TestServer, url: string | null, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url ?? '');
  return server.http.inject({ method: 'GET', url: pathname + search, headers });
};

const stripPermission = (url: string | null): string => (url ?? '').replace(/\?.*$/, '');

const image = { url: 'https://a.test/a.png', previewUrl: 'https://a.test/small.png', contentType: 'image/png' };

test('MED-04: files of other servers are fetched once, by the addresses that this server has signed', async () => {
  const elsewhere = new FakeRemoteHost({
    'https://a.test/a.png': await createPng(),
    'https://a.test/small.png': await createPng(5),
  });
  await using server = await startServer({ outgoing: elsewhere });
  const [attachment] = await attach(server, image);
  const { url = null, preview_url: previewUrl = null } = attachment ?? {};
  expect(url).toMatch(/^https:\/\/fieldfare\.test\/media_proxy\/\d+\/original\/[\w-]{24}\?fetch=[\w-]+$/);
  expect(attachment).toMatchObject({ remote_url: image.url, preview_remote_url: image.previewUrl, text_url: null });
  const answers = await Promise.all([requestProxy(server, url), requestProxy(server, url), requestProxy(server, url)]);
  for (const { statusCode, headers, rawPayload } of answers) {
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(rawPayload.equals(await createPng())).toBe(true);
  }
  expect(elsewhere.asked).toEqual(['https://a.test/a.png']);
  expect((await requestProxy(server, previewUrl)).rawPayload.equals(await createPng(5))).toBe(true);
  const part = await requestProxy(server, url, { range: 'bytes=0-3' });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 4]);
  expect((await requestProxy(server, stripPermission(url))).statusCode).toBe(200);
  expect(elsewhere.asked).toHaveLength(2);
});

test('without a signed address nothing is fetched: the visitor is sent to the other server', async () => {
  const elsewhere = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: elsewhere });
  const [attachment] = await attach(server, image);
  const { id = '', url = null } = attachment ?? {};
  for (const address of [stripPermission(url), `${stripPermission(url)}?fetch=${'0'.repeat(36)}`]) {
    const answer = await requestProxy(server, address);
    expect([answer.statusCode, answer.headers['location']]).toEqual([302, 'https://a.test/a.png']);
  }
  for (const path of ['1/original', `${id}/other`, 'x/original', 'url/AAAA/aHR0cHM6Ly9ldmlsLnRlc3Q']) {
    const { statusCode } = await requestProxy(server, `https://fieldfare.test/media_proxy/${path}?fetch=x`);
    expect([404, 422], path).toContain(statusCode);
  }
  expect(elsewhere.asked).toEqual([]);
});

test('without a signed-in viewer, attachments carry no permission to fetch', async () => {
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

test('pages, drawings and files that cannot be had are not passed on, and not asked for again and again', async () => {
  const elsewhere = new FakeRemoteHost({
    'https://a.test/page': Buffer.from('<html><script>alert(1)</script></html>'),
    'https://a.test/drawing': Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    'https://a.test/note': Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'),
  });
  await using server = await startServer({ outgoing: elsewhere });
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
  expect(elsewhere.asked).toHaveLength(names.length);
  expect(await readdir(join(server.app.config.dataDir, 'cache')).catch(() => [])).toEqual([]);
});

test('a post that names an address of this server has it ask nothing', async () => {
  const elsewhere = new FakeRemoteHost({});
  await using server = await startServer({ outgoing: elsewhere });
  const [attachment] = await attach(server, {
    url: 'https://fieldfare.test/media_proxy/1/original',
    contentType: 'image/png',
  });
  expect((await requestProxy(server, attachment?.url ?? null)).statusCode).toBe(404);
  expect(elsewhere.asked).toEqual([]);
});

test('avatars of other servers take the same way, by addresses that only this server can make', async () => {
  const url = 'https://a.test/avatar.png';
  const elsewhere = new FakeRemoteHost({ [url]: await createPng() });
  await using server = await startServer({ outgoing: elsewhere });
  const address = await proxyUrlOf(server, url);
  const anonymous = await proxyUrlOf(server, url, anonymousMediaViewer);
  expect(anonymous).toBe(stripPermission(address));
  expect((await requestProxy(server, anonymous)).headers['location']).toBe(url);
  const forged = address.replace(/\/[^/]+\?/, `/${Buffer.from('https://evil.test/').toString('base64url')}?`);
  expect((await requestProxy(server, forged)).statusCode).toBe(404);
  expect(elsewhere.asked).toEqual([]);
  expect((await requestProxy(server, address)).statusCode).toBe(200);
  expect((await requestProxy(server, anonymous)).statusCode).toBe(200);
  expect(elsewhere.asked).toEqual([url]);
});

test('a cache of no size keeps and fetches nothing', async () => {
  const elsewhere = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: elsewhere, settings: { MEDIA_CACHE_SIZE: '0' } });
  const [attachment] = await attach(server, image);
  expect(attachment).toMatchObject({ url: image.url, preview_url: image.previewUrl });
  expect(await proxyUrlOf(server, 'https://a.test/avatar.png')).toBe('https://a.test/avatar.png');
});

test('the cache stays within its size: what was used least recently goes, also after a restart', async () => {
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
  const kept = async (some: DiskCache, time: Date) => {
    const names: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) if ((await some.find(name, time)) !== undefined) names.push(name);
    return names.join('');
  };
  expect(await kept(cache, later(20))).toBe('ad');
  expect(await cache.put('e', await file(101), now)).toBeUndefined();
  await rm(join(folder, (await cache.find('a', later(21))) ?? ''));
  expect(await cache.find('a', later(22))).toBeUndefined();
  await cache.put('a', await file(30), now);
  const again = new DiskCache(folder, 60);
  expect((await kept(again, later(30))).length).toBe(1);
  expect(again.bytes).toBeLessThanOrEqual(60);
  expect(
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
  ).toHaveLength(1);
});

test('a healthy host is served while more silent hosts than any limit hang', async () => {
  const healthy = 'https://healthy.test/a.png';
  const elsewhere = new FakeRemoteHost({ [healthy]: await createPng() });
  await using server = await startServer({ outgoing: elsewhere });
  const silent: Promise<number>[] = [];
  let settled = 0;
  for (let number = 0; number < 1_500; number += 1) {
    const address = await proxyUrlOf(server, `https://silent-${number}.test/a.png`);
    silent.push(
      requestProxy(server, address).then(({ statusCode }) => {
        settled += 1;
        return statusCode;
      }),
    );
  }
  await expect.poll(() => elsewhere.asked.length).toBe(1_500);
  const answer = await requestProxy(server, await proxyUrlOf(server, healthy));
  expect(answer.statusCode).toBe(200);
  // The oldest made room: their viewers are sent to the silent hosts themselves.
  expect(settled).toBeLessThan(600);
  expect(elsewhere.aborted.length).toBeLessThan(600);
  elsewhere.timeOut();
  expect(new Set(await Promise.all(silent))).toEqual(new Set([302]));
});

test('a silent host holds up its own files only, and those no longer than others wait for it', async () => {
  const healthy = 'https://healthy.test/a.png';
  const elsewhere = new FakeRemoteHost({ [healthy]: await createPng() });
  await using server = await startServer({ outgoing: elsewhere });
  const addresses = await Promise.all(
    Array.from({ length: 20 }, (_, number) => proxyUrlOf(server, `https://silent.test/${number}.png`)),
  );
  const answers = addresses.map((address) => requestProxy(server, address));
  await expect.poll(() => elsewhere.asked.length).toBe(3);
  expect((await requestProxy(server, await proxyUrlOf(server, healthy))).statusCode).toBe(200);
  expect(elsewhere.asked).toHaveLength(4);
  for (let asked = 4; asked < 21; asked += 1) {
    elsewhere.timeOut();
    await expect.poll(() => elsewhere.asked.length).toBeGreaterThan(asked);
  }
  elsewhere.timeOut();
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([302]));
});

/** A client on a real port, which can hang up. */
async function openRequest(server: TestServer, address: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  if (!server.http.server.listening) await server.http.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.http.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const { pathname, search } = new URL(address);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: fieldfare.test\r\nconnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  return { socket, answer: once(socket, 'close').then(() => text) };
}

const listTemporaryFiles = (server: TestServer): Promise<string[]> => readdir(join(server.app.config.dataDir, 'tmp'));

test('a fetch ends with the last client that waits for it, and nothing of it stays on the disk', async () => {
  const file = await createPng();
  const elsewhere = new FakeRemoteHost({ 'https://silent.test/a.png': file });
  await using server = await startServer({ outgoing: elsewhere });
  const address = await proxyUrlOf(server, 'https://silent.test/a.png');
  const [first, second] = [await openRequest(server, address), await openRequest(server, address)];
  await expect.poll(() => listTemporaryFiles(server)).toHaveLength(1);
  first.socket.destroy();
  await first.answer;
  expect(elsewhere.aborted).toEqual([]);
  second.socket.destroy();
  await expect.poll(() => elsewhere.aborted).toEqual(['https://silent.test/a.png']);
  await expect.poll(() => listTemporaryFiles(server)).toEqual([]);
  expect(elsewhere.asked).toHaveLength(1);
  // The slot is free, and the file counts as none that failed.
  const others = await Promise.all(
    [1, 2, 3].map(async (number) => openRequest(server, await proxyUrlOf(server, `https://silent.test/${number}`))),
  );
  await expect.poll(() => elsewhere.asked.length).toBe(4);
  const again = await openRequest(server, address);
  elsewhere.timeOut();
  await expect.poll(() => elsewhere.asked.length).toBe(5);
  elsewhere.timeOut();
  for (const { answer } of [...others, again]) expect(await answer).toMatch(/^HTTP\/1\.1 302 /);
  await expect.poll(() => listTemporaryFiles(server)).toEqual([]);
});

test('a full disk is a 503 in JSON that says when to come back, and leaves no partial file', async () => {
  const url = 'https://a.test/a.png';
  const elsewhere = new FakeRemoteHost({ [url]: await createPng() });
  await using server = await startServer({ outgoing: elsewhere });
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const address = await proxyUrlOf(server, url);
  for (const broken of [
    vi.spyOn(PartialFile.prototype, 'append').mockRejectedValueOnce(full),
    vi.spyOn(DiskCache.prototype, 'put').mockRejectedValueOnce(full),
  ]) {
    const answer = await requestProxy(server, address, { accept: 'image/png,image/*' });
    broken.mockRestore();
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toEqual({ error: 'The server is temporarily unavailable' });
    expect(await listTemporaryFiles(server).catch(() => [])).toEqual([]);
  }
  // As soon as there is space, the file is fetched.
  expect((await requestProxy(server, address)).statusCode).toBe(200);
});

test('what a process that died had begun to store in the cache is removed', async () => {
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

test('MED-04: apps never meet addresses of other servers for pictures of people, and the anonymous have nothing fetched', async () => {
  const [avatarUrl, headerUrl] = ['https://far.test/zoe.png', 'https://far.test/wide.png'];
  const elsewhere = new FakeRemoteHost({ [avatarUrl]: await createPng(), [headerUrl]: await createPng(30) });
  await using server = await startServer({ outgoing: elsewhere });
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
  expect(elsewhere.asked.filter((url) => url.endsWith('.png'))).toEqual([]);
  const { avatar, header, header_static: still } = (await alice.get(`/api/v1/accounts/${zoe}`)).json;
  expect(still).toBe(header);
  for (const address of [avatar, header]) expect((await requestProxy(server, address)).statusCode).toBe(200);
  expect(elsewhere.asked.filter((url) => url.endsWith('.png'))).toEqual([avatarUrl, headerUrl]);
});

test('requests by id that carry no permission are limited to thirty in ten minutes per address (reference/limits.tsv)', async () => {
  const elsewhere = new FakeRemoteHost({ 'https://a.test/a.png': await createPng() });
  await using server = await startServer({ outgoing: elsewhere, settings: { RATE_LIMITS: 'on' } });
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
  // What was handed out is not limited: a page of posts has dozens of files.
  expect((await requestProxy(server, stripPermission(url))).statusCode).toBe(302);
  expect((await requestProxy(server, url)).statusCode).toBe(200);
  server.clock.advance(600);
  expect((await requestProxy(server, byId)).statusCode).toBe(200);
});

/** A remote author whom alice follows, and the only file of a followers-only post of it, as alice is shown it. */
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
  if (id === undefined || shown?.url == null || shown.preview_url === null) throw new Error('the post has a file');
  return { alice, stranger, zoe, post, id, shown: { ...shown, url: shown.url, preview_url: shown.preview_url } };
}

const createRemoteFiles = async () =>
  new FakeRemoteHost({ [image.url]: await createPng(), [image.previewUrl]: await createPng(5) });

test('a file of a private remote post has an address for each viewer, and none that its number gives away', async () => {
  const elsewhere = await createRemoteFiles();
  await using server = await startServer({ outgoing: elsewhere });
  const { alice, stranger, shown } = await createPrivatePost(server);
  server.expectUndelivered('far.test');
  expect(shown.url).toMatch(new RegExp(`/media_proxy/${shown.id}/original/${alice.id}-\\d+-[\\w-]{24}$`));
  const [row] = await server.app.db.selectFrom('media_attachments').selectAll().execute();
  const [forAll] = await presentMedia(server.app, row === undefined ? [] : [row]);
  const grants = await loadMediaViewer(server.app, stranger.id);
  const ofStranger = `https://fieldfare.test/media_proxy/${shown.id}/original/${grants.grantFor?.(shown.id)}`;
  const forged = [
    forAll?.url ?? null,
    ofStranger,
    `https://fieldfare.test/media_proxy/${shown.id}/original`,
    `https://fieldfare.test/media_proxy/${shown.id}/original?fetch=${row?.proxy_token}`,
    shown.url.replace(`/${alice.id}-`, `/${stranger.id}-`),
    shown.url.replace(/-(\d+)-/, (_match, expires: string) => `-${Number(expires) + 1}-`),
    `${shown.url}x`,
  ];
  const refused = async () => {
    for (const address of forged) expect((await requestProxy(server, address)).statusCode, address ?? '').toBe(404);
  };
  await refused();
  expect(elsewhere.asked.filter((url) => url.endsWith('.png'))).toEqual([]);
  for (const address of [shown.url, shown.preview_url]) {
    const answer = await requestProxy(server, address);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, max-age=86400']);
  }
  // What is in the cache is no less private.
  await refused();
});

test('an address of a private file works for a week at least, and ends with what its viewer may see', async () => {
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

  // The history of an edited post shows its files by the same kind of address.
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

test('files of public posts are no longer served once the post is deleted', async () => {
  await using server = await startServer({ outgoing: await createRemoteFiles() });
  const [attachment] = await attach(server, image);
  expect((await requestProxy(server, attachment?.url ?? null)).headers['cache-control']).toBe('public, max-age=86400');
  const { id } = await server.app.db.selectFrom('statuses').selectAll().executeTakeFirstOrThrow();
  await deleteStatus(server.app, id);
  const byNumber = `https://fieldfare.test/media_proxy/${attachment?.id}/original`;
  for (const address of [attachment?.url ?? null, byNumber])
    expect((await requestProxy(server, address)).statusCode).toBe(404);
});

test('files of a server whose media staff reject are not served, whatever address leads to them', async () => {
  await using server = await startServer({ outgoing: await createRemoteFiles() });
  const [attachment] = await attach(server, image);
  expect((await requestProxy(server, attachment?.url ?? null)).statusCode).toBe(200);
  await blockDomain(server.app, 'system', { domain: 'far.test', severity: 'noop', rejectMedia: true });
  const byNumber = `https://fieldfare.test/media_proxy/${attachment?.id}/original`;
  for (const address of [attachment?.url ?? null, byNumber])
    expect((await requestProxy(server, address)).statusCode).toBe(404);
});

test('in limited federation mode a number shows nothing', async () => {
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

test('a healthy host is served over real connections while 1,500 silent hosts hold theirs', async () => {
  const file = await createPng();
  let connected = 0;
  const hosts = createServer((request, response) => {
    if (request.headers.host?.startsWith('healthy') === true) response.end(file);
    else connected += 1;
  });
  hosts.listen(0, '127.0.0.1');
  await once(hosts, 'listening');
  const { port } = hosts.address() as AddressInfo;
  const outgoing = createOutgoing(parseConfig({ ALLOW_PRIVATE_ADDRESSES: 'on' }), pino({ level: 'silent' }), {
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await using server = await startServer({ outgoing });
  const address = (host: string) => proxyUrlOf(server, `http://${host}.test:${port}/a.png`);
  let settled = 0;
  const silent = Array.from({ length: 1_500 }, async (_, number) => {
    const { statusCode } = await requestProxy(server, await address(`silent-${number}`));
    settled += 1;
    return statusCode;
  });
  await expect.poll(() => connected).toBeGreaterThan(999);
  const answer = await requestProxy(server, await address('healthy'));
  expect([answer.statusCode, answer.rawPayload.equals(file), settled < 1_500]).toEqual([200, true, true]);
  hosts.closeAllConnections();
  hosts.close();
  expect(new Set(await Promise.all(silent))).toEqual(new Set([302]));
});
