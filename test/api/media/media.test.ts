import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createLocalAccount } from '../../../server/accounts/lifecycle/index.ts';
import {
  insertRemoteMedia,
  mediaTypeOf,
  prepareRemoteMedia,
  type RemoteMedia,
} from '../../../server/media/remote/index.ts';
import { presentMedia } from '../../../server/media/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { multipart, startServer, type TestServer } from '../../server.ts';

type Injected = { statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer };

const fetchBytes = (server: TestServer, url: string, headers: Record<string, string> = {}): Promise<Injected> =>
  server.http.inject({ method: 'GET', url, headers });

test('stored files are served with immutable caching, and browsers never treat them as pages', async () => {
  await using server = await startServer();
  const body = Buffer.from('<html><script>alert(1)</script>');
  await server.app.storage.put('accounts/avatars/aa.png', body, 'image/png');
  const response = await fetchBytes(server, '/media/accounts/avatars/aa.png', { accept: 'text/html' });
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload).toEqual(body);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  });
  const asActivity = await fetchBytes(server, '/media/accounts/avatars/aa.png', {
    accept: 'application/activity+json',
  });
  expect(asActivity.headers['content-type']).toBe('image/png');
});

test('only images, videos and audio are served from the storage', async () => {
  await using server = await startServer();
  await server.app.storage.put('exports/a.zip', Buffer.from('private'), 'application/zip');
  await server.app.storage.put('exports/a.csv', Buffer.from('private'), 'text/csv');
  const paths = [
    '/media/exports/a.zip',
    '/media/exports/a.csv',
    '/media/none.png',
    '/media/',
    '/media/../../package.json',
    '/media/..%2f..%2fpackage.json',
    '/media/%2e%2e/%2e%2e/secret.png',
    '/media/a%00.png',
    '/media/accounts',
  ];
  for (const path of paths) expect((await fetchBytes(server, path)).statusCode, path).toBe(404);
});

test('range requests return part of a file', async () => {
  await using server = await startServer();
  await server.app.storage.put('videos/a.mp4', Buffer.from('0123456789'), 'video/mp4');
  const part = (range: string): Promise<Injected> => fetchBytes(server, '/media/videos/a.mp4', { range });
  const middle = await part('bytes=2-4');
  expect([middle.statusCode, middle.rawPayload.toString()]).toEqual([206, '234']);
  expect(middle.headers).toMatchObject({
    'content-range': 'bytes 2-4/10',
    'content-length': '3',
    'content-type': 'video/mp4',
  });
  expect((await part('bytes=-2')).rawPayload.toString()).toBe('89');
  expect((await part('bytes=0-1,4-5')).statusCode).toBe(200);
  const outside = await part('bytes=10-');
  expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, 'bytes */10']);
  expect((await fetchBytes(server, '/media/videos/none.mp4', { range: 'bytes=0-' })).statusCode).toBe(404);
});

test('a range response has at most 4 MB, stated in Content-Range', async () => {
  await using server = await startServer();
  const size = 5 * 1024 * 1024;
  await server.app.storage.put('videos/long.mp4', Buffer.alloc(size), 'video/mp4');
  const response = await fetchBytes(server, '/media/videos/long.mp4', { range: 'bytes=0-' });
  expect(response.statusCode).toBe(206);
  expect(response.headers['content-range']).toBe(`bytes 0-${4 * 1024 * 1024 - 1}/${size}`);
});

test('the default images are served to anonymous clients, also in limited federation mode', async () => {
  await using server = await startServer({ settings: { LIMITED_FEDERATION: 'on' } });
  const sizes = {
    '/avatars/original/missing.png': [400, 400],
    '/headers/original/missing.png': [1500, 500],
    '/thumbnail.png': [1200, 630],
    '/icon-192.png': [192, 192],
    '/icon-512.png': [512, 512],
    '/icon-maskable-512.png': [512, 512],
    '/apple-touch-icon.png': [180, 180],
  };
  for (const [path, size] of Object.entries(sizes)) {
    const response = await fetchBytes(server, path);
    expect(response.headers['content-type'], path).toBe('image/png');
    const { width, height } = await sharp(response.rawPayload).metadata();
    expect([width, height], path).toEqual(size);
  }
  const icon = await fetchBytes(server, '/favicon.ico');
  expect(icon.headers['content-type']).toBe('image/vnd.microsoft.icon');
  expect(icon.rawPayload.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 3, 0]));
});

async function presentAttachments(server: TestServer, username: string, attachments: RemoteMedia[]) {
  const accountId = await transaction(server.app, (tx) => createLocalAccount(tx, server.app, { username }));
  const media = prepareRemoteMedia(server.app, accountId, attachments, null);
  await transaction(server.app, (tx) => insertRemoteMedia(tx, media));
  const ids = media.map(({ id }) => id);
  const rows = await server.app.db
    .selectFrom('media_attachments')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy(sql`array_position(${ids}::bigint[], id)`)
    .execute();
  return presentMedia(server.app, rows);
}

test('attachments of remote posts have their remote URLs and metadata', async () => {
  await using server = await startServer({ settings: { MEDIA_CACHE_SIZE: '0' } });
  const [image, video] = await presentAttachments(server, 'alice', [
    {
      type: 'image',
      url: 'https://remote.test/a.png',
      previewUrl: 'https://remote.test/small.png',
      description: ' A bird ',
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      focus: { x: -0.5, y: 1 },
      width: 1200,
      height: 800,
      contentType: 'image/png',
    },
    { url: 'https://remote.test/b.mp4', contentType: 'video/mp4', width: 640, height: 360, duration: 12.5 },
  ]);
  const size = { width: 1200, height: 800, size: '1200x800', aspect: 1.5 };
  expect(image).toMatchObject({
    type: 'image',
    url: 'https://remote.test/a.png',
    remote_url: 'https://remote.test/a.png',
    preview_url: 'https://remote.test/small.png',
    preview_remote_url: 'https://remote.test/small.png',
    text_url: null,
    description: 'A bird',
    blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
    meta: { original: size, small: size, focus: { x: -0.5, y: 1 } },
  });
  expect(video).toMatchObject({
    type: 'video',
    url: 'https://remote.test/b.mp4',
    preview_url: null,
    meta: { original: { width: 640, height: 360, duration: 12.5 } },
  });
});

test('metadata of remote attachments is validated: URLs, texts, sizes and their number', async () => {
  await using server = await startServer();
  const url = 'https://remote.test/a';
  const sanitized = await presentAttachments(server, 'bob', [
    { url: 'javascript:alert(1)' },
    { url: 'data:image/png;base64,AAAA' },
    { url: `https://remote.test/${'a'.repeat(3_000)}` },
    { url, description: '🐦'.repeat(11_000) },
    { url, description: 'a\0b\ud800c', previewUrl: 'file:///etc/passwd' },
    { url, blurhash: '<script>', focus: { x: 2, y: 0 }, width: -1, height: 4, duration: Number.NaN },
    { url, width: 1.5, height: 4, contentType: '"><b>' },
  ]);
  expect(sanitized).toHaveLength(4);
  expect([...(sanitized[0]?.description ?? '')]).toHaveLength(10_000);
  expect(sanitized[1]).toMatchObject({ description: 'ab\ufffdc', preview_url: null });
  expect(sanitized[2]).toMatchObject({ type: 'unknown', blurhash: null, meta: null });
  expect(sanitized[3]).toMatchObject({ type: 'unknown', meta: null });
  expect(
    await presentAttachments(
      server,
      'dave',
      Array.from({ length: 40 }, () => ({ url })),
    ),
  ).toHaveLength(16);
  expect(await presentAttachments(server, 'carol', [])).toEqual([]);
});

test('the type of an attachment is derived from its content type', () => {
  const types = ['image/webp', 'VIDEO/mp4', 'audio/ogg; codecs=opus', 'text/html', '', null].map(mediaTypeOf);
  expect(types).toEqual(['image', 'video', 'audio', 'unknown', 'unknown', 'unknown']);
});

test('a local attachment has local URLs; text_url is the page of its post', async () => {
  await using server = await startServer();
  const [row] = await server.db
    .insertInto('media_attachments')
    .values({ id: '1', type: 'image', file_key: 'a/b.png', preview_key: 'a/c.png', created_at: new Date() } as never)
    .returningAll()
    .execute();
  expect(await presentMedia(server.app, row === undefined ? [] : [row])).toMatchObject([
    {
      url: 'https://fieldfare.test/media/a/b.png',
      preview_url: 'https://fieldfare.test/media/a/c.png',
      text_url: 'https://fieldfare.test/media/1',
      remote_url: null,
      meta: null,
    },
  ]);
});

const listStoredFiles = async (server: TestServer): Promise<string[]> => {
  const folder = join(server.app.config.dataDir, 'media');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

const createPng = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

const path = '/api/v1/accounts/update_credentials';

test('ACC-04: avatar and header are accepted as multipart or data URIs, and replace the previous images', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const avatar = new File([Uint8Array.from(await createPng(90, 60))], 'me.png', { type: 'image/png' });
  const first = await alice.patch(path, await multipart({ avatar }));
  expect(first.status).toBe(200);
  expect(first.json.avatar).toMatch(/^https:\/\/fieldfare\.test\/media\/accounts\/avatars\//);
  const { width, height } = await sharp(
    (await fetchBytes(server, new URL(first.json.avatar).pathname)).rawPayload,
  ).metadata();
  expect([width, height]).toEqual([400, 400]);
  const uri = `data:image/png;base64,${(await createPng(30, 10)).toString('base64')}`;
  const second = await alice.patch(path, { avatar: uri, header: uri });
  expect(second.json.avatar).not.toBe(first.json.avatar);
  expect(second.json.header).toMatch(/\/media\/accounts\/headers\//);
  await server.drain();
  expect((await fetchBytes(server, new URL(first.json.avatar).pathname)).statusCode).toBe(404);
  expect((await fetchBytes(server, new URL(second.json.avatar).pathname)).statusCode).toBe(200);
});

test('MED-04: a disguised, broken or oversized image is a 422 that names its field, and leaves no files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const good = new File([Uint8Array.from(await createPng(9, 9))], 'me.png', { type: 'image/png' });
  const bad = {
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    HTML: Buffer.from('<html><script>alert(1)</script></html>'),
    'half an image': (await createPng(600, 600)).subarray(0, 200),
    'more than 8 MB': Buffer.concat([await createPng(9, 9), Buffer.alloc(8 * 1024 * 1024)]),
  };
  for (const [name, body] of Object.entries(bad)) {
    const header = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
    const response = await alice.patch(path, await multipart({ avatar: good, header }));
    expect(response.status, name).toBe(422);
    expect(response.json.error, name).toMatch(/^Validation failed: Header /);
    expect(response.json.details.header, name).toMatchObject([{ error: 'ERR_INVALID' }]);
  }
  await server.drain();
  expect(await listStoredFiles(server)).toEqual([]);
  expect(await readdir(join(server.app.config.dataDir, 'tmp'))).toEqual([]);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.avatar).toMatch(
    /\/avatars\/original\/missing\.png$/,
  );
});
