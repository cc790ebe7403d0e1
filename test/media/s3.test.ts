import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { AwsClient } from 'aws4fetch';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPublicBucket, checkStorage } from '../../server/cli/doctor/check-storage.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { moveStoredFiles } from '../../server/media/usage/index.ts';
import { createStorage } from '../../server/platform/storage/create-storage.ts';
import { MovingStorage } from '../../server/platform/storage/moving-storage.ts';
import { backUp, dumpMedia, emptyInstance, instanceOf, restore } from '../ops/backup/backup-scene.ts';
import { multipart, startServer } from '../server.ts';

let folder: string;
let service: S3rver;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 's3-'));
  service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: 'media' }, { name: 'listed' }],
  });
  const { port }: AddressInfo = await service.run();
  settings = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'media',
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a server in front of the service. `refuse`: returns a status to answer with, instead of the service's answer. */
async function startProxy(refuse: (url: URL, method: string) => number | undefined) {
  const server = createServer((incoming, answer) => {
    const [path, method] = [incoming.url ?? '', incoming.method ?? ''];
    const status = refuse(new URL(path, 'http://proxy'), method);
    if (status !== undefined) {
      incoming.resume().on('end', () => answer.writeHead(status).end());
      return;
    }
    const target = new URL(path, settings['S3_ENDPOINT']);
    const outgoing = request(target, { method, headers: incoming.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const createTestStorage = (more: Record<string, string> = {}) =>
  createStorage(parseConfig({ BASE_URL: 'https://fieldfare.test', ...settings, ...more }));

test('a bucket stores, returns and deletes files, whole or in part', async () => {
  const storage = createTestStorage();
  const body = Buffer.from('0123456789');
  await storage.put('videos/a.mp4', body, 'video/mp4');
  expect(await storage.get('videos/a.mp4')).toEqual({ body, contentType: 'video/mp4', size: 10 });
  const part = async (start: number, end: number) => await storage.get('videos/a.mp4', { start, end });
  expect(await part(2, 4)).toEqual({ body: Buffer.from('234'), contentType: 'video/mp4', size: 10 });
  expect((await part(8, 100))?.body.toString()).toBe('89');
  expect(await part(0, -1)).toEqual({ body: Buffer.alloc(0), contentType: 'video/mp4', size: 10 });
  expect((await part(10, 12))?.body.toString()).toBe('');
  await storage.delete('videos/a.mp4');
  await storage.delete('videos/a.mp4');
  expect(await storage.get('videos/a.mp4')).toBeUndefined();
  expect(await storage.get('videos/a.mp4', { start: 0, end: 1 })).toBeUndefined();
});

test('another client of S3 reads what the server stored, and the server what it stored', async () => {
  const storage = createTestStorage();
  const other = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3', region: 'us-east-1' });
  const bucket = `${settings['S3_ENDPOINT']}/media`;
  await storage.put('ways/out/ours.png', Buffer.from('ours'), 'image/png');
  const ours = await other.fetch(`${bucket}/ways/out/ours.png`);
  expect([ours.headers.get('content-type'), await ours.text()]).toEqual(['image/png', 'ours']);
  const listed = await other.fetch(`${bucket}?list-type=2&prefix=ways/`);
  expect(await listed.text()).toContain('<Key>ways/out/ours.png</Key>');

  const headers = { 'content-type': 'image/png' };
  const put = await other.fetch(`${bucket}/ways/out/theirs.png`, { method: 'PUT', headers, body: 'theirs' });
  expect(put.status).toBe(200);
  expect((await storage.get('ways/out/theirs.png'))?.body.toString()).toBe('theirs');
  await other.fetch(`${bucket}/ways/out/ours.png`, { method: 'DELETE' });
  expect(await storage.get('ways/out/ours.png')).toBeUndefined();
  const stranger = new AwsClient({
    accessKeyId: 'S3RVER',
    secretAccessKey: 'wrong',
    service: 's3',
    region: 'us-east-1',
  });
  expect((await stranger.fetch(`${bucket}/ways/out/theirs.png`)).status).toBe(403);
});

test('files are uploaded to and downloaded from a bucket as streams', async () => {
  const storage = createTestStorage();
  const [source, target] = [join(folder, 'source'), join(folder, 'target')];
  await writeFile(source, Buffer.alloc(3_000_000, 7));
  await storage.putFile('sources/b.bin', source, 'application/octet-stream');
  expect(await storage.copyTo('sources/b.bin', target)).toBe(true);
  expect((await readFile(target)).equals(await readFile(source))).toBe(true);
  expect(await storage.copyTo('sources/none.bin', target)).toBe(false);
  expect(await storage.openStream('sources/none.bin')).toBeUndefined();
  const opened = await storage.openStream('sources/b.bin');
  expect(opened?.size).toBe(3_000_000);
  opened?.stream.destroy();
  await expect(storage.put('../a.png', Buffer.from('x'), 'image/png')).rejects.toThrow();
  await expect(storage.put('a.png', Buffer.from('x'), 'text/html')).rejects.toThrow();
});

test('a large file is uploaded in parts, and a part that fails is repeated', async () => {
  const parts: string[] = [];
  await using proxy = await startProxy((url) => {
    const part = url.searchParams.get('partNumber');
    if (part !== null) parts.push(part);
    return part === '2' && parts.filter((one) => one === '2').length === 1 ? 503 : undefined;
  });
  const storage = createTestStorage({ S3_ENDPOINT: proxy.url });
  const [source, target] = [join(folder, 'large'), join(folder, 'large-copy')];
  await writeFile(source, randomBytes(20_000_000));
  await storage.putFile('archives/ab/large.tgz', source, 'application/gzip');
  expect(parts.toSorted()).toEqual(['1', '2', '2', '3']);
  expect(await storage.copyTo('archives/ab/large.tgz', target)).toBe(true);
  expect((await readFile(target)).equals(await readFile(source))).toBe(true);
});

test('nothing is stored if the parts of a file cannot be put together', async () => {
  const requests: string[] = [];
  await using proxy = await startProxy((url, method) => {
    requests.push(method);
    return method === 'POST' && url.searchParams.has('uploadId') ? 503 : undefined;
  });
  const storage = createTestStorage({ S3_ENDPOINT: proxy.url });
  const source = join(folder, 'broken');
  await writeFile(source, randomBytes(9_000_000));
  await expect(storage.putFile('archives/ab/broken.tgz', source, 'application/gzip')).rejects.toThrow();
  expect(await storage.openStream('archives/ab/broken.tgz')).toBeUndefined();
  expect(requests).toContain('DELETE');
});

test('files move from the disk to a bucket and back while a server serves them', async () => {
  await using server = await startServer({ settings: { ...settings, MEDIA_MOVE: 'to-bucket' } });
  const { dataDir } = server.app.config;
  const at = (more: Record<string, string>) =>
    createStorage(parseConfig({ BASE_URL: server.app.config.baseUrl, DATA_DIR: dataDir, ...more }));
  const [disk, bucket] = [at({}), at(settings)];
  const body = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const alice = await server.user('alice');
  const upload = async (): Promise<string> => {
    const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
    const { url } = (await alice.post('/api/v2/media', await multipart({ file }))).json as { url: string };
    return new URL(url).pathname.replace('/media/', '');
  };
  const [oldKey, newKey] = [await upload(), await upload()];
  const sizesOf = async (key: string) => [(await disk.get(key))?.size, (await bucket.get(key))?.size];
  const size = (await bucket.get(newKey))?.size;
  expect(await sizesOf(newKey)).toEqual([undefined, expect.any(Number)]);
  // As if it had been uploaded before the move began.
  await disk.put(oldKey, (await bucket.get(oldKey))?.body ?? Buffer.alloc(0), 'image/png');
  await bucket.delete(oldKey);
  const areServed = async () => {
    const headers = { host: server.app.config.webDomain };
    const answers = [oldKey, newKey].map((key) => server.http.inject({ url: `/media/${key}`, headers }));
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  };
  expect(await areServed()).toEqual([200, 200]);
  expect(await moveStoredFiles(server.app, 'system', { place: 'bucket' })).toEqual({ files: 1, bytes: size });
  expect(await sizesOf(oldKey)).toEqual([undefined, size]);
  expect(await areServed()).toEqual([200, 200]);

  const back = at({ ...settings, MEDIA_MOVE: 'to-disk' });
  if (!(back instanceof MovingStorage)) throw new Error('the storage does not move files');
  await back.moveAll(() => {});
  expect(await sizesOf(newKey)).toEqual([size, undefined]);
  expect(await areServed()).toEqual([200, 200]);
  expect(() => parseConfig({ MEDIA_MOVE: 'to-disk' })).toThrow(/S3_BUCKET must be set/);
  expect(() => parseConfig({ ...settings, MEDIA_MOVE: 'bucket' })).toThrow(/MEDIA_MOVE must be/);
});

test('a wrong secret is reported, and nothing can be read or written', async () => {
  const storage = createTestStorage({ S3_SECRET_ACCESS_KEY: 'wrong' });
  await expect(storage.put('a.png', Buffer.from('x'), 'image/png')).rejects.toThrow(/403/);
  await expect(storage.get('a.png')).rejects.toThrow(/403/);
});

test('files are served from a public address if one is configured, and through the server otherwise', () => {
  expect(createTestStorage().url('a.png')).toBe('https://fieldfare.test/media/a.png');
  expect(createTestStorage({ S3_PUBLIC_URL: 'https://cdn.test/x/' }).url('a.png')).toBe('https://cdn.test/x/a.png');
  expect(() => createTestStorage({ S3_ACCESS_KEY_ID: '' })).toThrow('must be set together');
});

test('doctor reports a bucket that strangers can list, and one that cannot be reached', async () => {
  const check = async (address: string) => {
    const config = parseConfig({ BASE_URL: 'https://fieldfare.test', ...settings, S3_PUBLIC_URL: address });
    const [finding] = await checkPublicBucket({ config });
    return finding;
  };
  expect(await check(`${settings['S3_ENDPOINT']}/listed`)).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('everyone can list the bucket'),
  });
  let listings = 0;
  await using proxy = await startProxy((url) => {
    if (!url.searchParams.has('list-type')) return undefined;
    listings += 1;
    return 403;
  });
  expect(await check(`${proxy.url}/media`)).toMatchObject({ state: 'ok' });
  expect(listings).toBe(1);
  await proxy[Symbol.asyncDispose]();
  expect(await check(`${proxy.url}/media`)).toMatchObject({ state: 'warn' });
  expect(await checkPublicBucket({ config: parseConfig({ ...settings }) })).toEqual([]);
});

test('doctor reports a bucket that refuses its key or does not answer, with the settings to look at', async () => {
  const check = async (changes: Record<string, string>) => {
    const config = parseConfig({ BASE_URL: 'https://fieldfare.test', ...settings, ...changes });
    const [finding] = await checkStorage({ config, storage: createStorage(config) });
    return finding;
  };
  expect(await check({})).toMatchObject({ state: 'ok' });
  const fix = expect.stringContaining('Check S3_ENDPOINT') as string;
  expect(await check({ S3_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('403'),
    fix,
  });
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  expect(await check({ S3_ENDPOINT: `http://127.0.0.1:${port}` })).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('no answer after 10 s'),
    fix,
  });
  silent.closeAllConnections();
  silent.close();
});

test('MED-01: a server with a bucket stores uploads there and serves them', async () => {
  await using server = await startServer({ settings });
  const alice = await server.user('alice');
  const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const { status, json } = await alice.post(
    '/api/v2/media',
    await multipart({ file: new File([Uint8Array.from(body)], 'a.png') }),
  );
  expect(status).toBe(200);
  const image = await server.http.inject({ method: 'GET', url: new URL(json.url).pathname });
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await alice.delete(`/api/v1/media/${json.id}`)).status).toBe(200);
  await server.drain();
  expect((await server.http.inject({ method: 'GET', url: new URL(json.url).pathname })).statusCode).toBe(404);
});

test('a bucket is listed in pages, and a file that no row references is deleted after a day', async () => {
  const storage = createTestStorage();
  const keys = ['aa/1', 'aa/2', 'ab/1', 'b/1', 'b/2'].map((name) => `listed/${name}.png`);
  for (const key of [...keys, 'other/1.png']) await storage.put(key, Buffer.from('x'), 'image/png');
  const written = new Date('2026-01-02T03:04:05Z');
  for (const key of keys) await utimes(join(folder, 'media', `${key}._S3rver_object`), written, written);
  // The service of this test cannot truncate a page: it returns all remaining files or more.
  const list = async (limit: number, after?: string) => {
    const { files, next } = await storage.list('listed', { after, limit });
    for (const { storedAt } of files) expect(storedAt).toEqual(written);
    return [files.map(({ key }) => key), next];
  };
  expect(await list(10)).toEqual([keys, undefined]);
  expect(await list(5)).toEqual([keys, keys[4]]);
  expect(await list(3, keys[1])).toEqual([keys.slice(2), keys[4]]);
  expect(await list(3, keys[4])).toEqual([[], undefined]);

  await using server = await startServer({ settings });
  await server.app.storage.put('attachments/ab/lost.png', Buffer.from('x'), 'image/png');
  await server.runSchedule('media.clean_up_files');
  expect(await storage.get('attachments/ab/lost.png')).toBeDefined();
  server.clock.advance(90_000);
  await server.runSchedule('media.clean_up_files');
  expect(await storage.get('attachments/ab/lost.png')).toBeUndefined();
});

test('a backup has the media of a bucket, and is restored to a disk or an empty bucket', async () => {
  await using server = await startServer({ settings });
  const { storage } = server.app;
  await storage.put('attachments/ab/small.png', Buffer.from('small'), 'image/png');
  await storage.put('videos/large.mp4', Buffer.alloc(5_000_000, 'large'), 'video/mp4');
  const source = await instanceOf(server);
  const media = await dumpMedia(source);
  expect(Object.keys(media)).toEqual(expect.arrayContaining(['attachments/ab/small.png', 'videos/large.mp4']));
  const path = await backUp(source);
  const disk = await emptyInstance();
  await restore(disk, path);
  expect(await dumpMedia(disk)).toEqual(media);
  const bucket = { ...(await emptyInstance()), storage };
  await expect(restore(bucket, path)).rejects.toThrow('There are media already');
  for (const key of Object.keys(media)) await storage.delete(key);
  await restore(bucket, path);
  expect(await dumpMedia(bucket)).toEqual(media);
});
