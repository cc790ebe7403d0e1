import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { computeBlurhash } from '../../../server/media/decoding/compute-blurhash.ts';
import { bundledBlurhash, resetSiteImage, setSiteImage } from '../../../server/instance/images/index.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { startServer, type TestServer } from '../../server.ts';

type ImageName = Parameters<typeof setSiteImage>[2];

/** Sets an image from bytes, like the command line does from a file. */
async function setImage(server: TestServer, name: ImageName, body: Buffer, description?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'site-image-'));
  try {
    const path = join(folder, 'image');
    await writeFile(path, body);
    await setSiteImage(server.app, 'system', name, { path, description });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const picture = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 40, g: 90, b: 160, alpha } } });
const opaque = (width: number, height: number): Promise<Buffer> => picture(width, height).jpeg().toBuffer();

const showInstance = async (server: TestServer) => (await server.anonymous.get('/api/v2/instance')).json;

async function storedFiles(server: TestServer): Promise<string[]> {
  const entries = await readdir(join(server.app.config.dataDir, 'media', 'site'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Returns the size and the format of a stored file. */
async function describeFile(server: TestServer, url: string): Promise<[string, number, number]> {
  const response = await server.http.inject({ url: new URL(url).pathname });
  expect(response.statusCode, url).toBe(200);
  const { format, width, height } = await sharp(response.rawPayload).metadata();
  return [format, width, height];
}

test('INS-01: the instance has the bundled thumbnail and icons until staff replace them', async () => {
  await using server = await startServer();
  const { thumbnail, icon } = await showInstance(server);
  const url = 'https://fieldfare.test/thumbnail.png';
  expect(thumbnail).toEqual({
    url,
    blurhash: await computeBlurhash('server/assets/thumbnail.png'),
    versions: { '@1x': url },
    description: 'A fieldfare, the bird, on a branch',
  });
  expect(bundledBlurhash).toBe(thumbnail.blurhash);
  expect(icon).toEqual(
    [192, 512].map((side) => ({ src: `https://fieldfare.test/icon-${side}.png`, size: `${side}x${side}` })),
  );
  await expect(resetSiteImage(server.app, 'system', 'icon')).rejects.toThrow('Record not found');
});

test('INS-01: a thumbnail has two sizes, a blurhash and a description', async () => {
  await using server = await startServer();
  await setImage(server, 'thumbnail', await opaque(900, 900), ' A lake ');
  const { thumbnail } = await showInstance(server);
  const versions = { '@1x': expect.stringMatching(/\.jpg$/), '@2x': expect.stringMatching(/\.jpg$/) };
  expect(thumbnail).toEqual({
    url: thumbnail.versions['@1x'],
    blurhash: expect.stringMatching(/^.{36}$/),
    versions,
    description: 'A lake',
  });
  expect(await describeFile(server, thumbnail.versions['@1x'])).toEqual(['jpeg', 1200, 630]);
  expect(await describeFile(server, thumbnail.versions['@2x'])).toEqual(['jpeg', 2400, 1260]);
  expect((await server.anonymous.get('/api/v1/instance')).json.thumbnail).toBe(thumbnail.url);
  const before = await storedFiles(server);
  await setImage(server, 'thumbnail', await picture(50, 40, 0.5).png().toBuffer());
  const { thumbnail: replaced } = await showInstance(server);
  expect([replaced.description, replaced.url]).toEqual([null, expect.stringMatching(/\.png$/)]);
  expect(await storedFiles(server)).toHaveLength(before.length + 2);
  await resetSiteImage(server.app, 'system', 'thumbnail');
  expect((await showInstance(server)).thumbnail.url).toBe('https://fieldfare.test/thumbnail.png');
});

test('INS-01: an icon has the sizes that systems ask for, also in the web app manifest', async () => {
  await using server = await startServer();
  await setImage(server, 'icon', await opaque(700, 600));
  const { icon } = (await showInstance(server)) as { icon: { src: string; size: string }[] };
  expect(icon.map(({ size }) => size)).toEqual(
    [36, 48, 72, 96, 144, 192, 256, 384, 512].map((side) => `${side}x${side}`),
  );
  for (const { src, size } of icon) {
    const [format, width, height] = await describeFile(server, src);
    expect([format, `${width}x${height}`]).toEqual(['png', size]);
  }
  const manifest = JSON.parse((await server.anonymous.get('/manifest')).text);
  expect(manifest.icons).toHaveLength(9);
});

test('pages show the icon that staff chose, and the usual addresses of icons redirect to it', async () => {
  await using server = await startServer();
  const head = async () => {
    const { text } = await server.anonymous.get('/about');
    const find = (pattern: RegExp) => pattern.exec(text)?.[1];
    return [
      find(/<link rel="icon" href="([^"]*)"/),
      find(/<link rel="apple-touch-icon" href="([^"]*)"/),
      find(/<a class="brand" href="\/"><img src="([^"]*)"/),
    ];
  };
  expect(await head()).toEqual(['/favicon.ico', '/apple-touch-icon.png', '/icon-192.png']);
  await setImage(server, 'icon', await opaque(300, 300));
  const [favicon = '', touch = '', header = ''] = await head();
  expect(await describeFile(server, favicon)).toEqual(['png', 48, 48]);
  expect(await describeFile(server, touch)).toEqual(['png', 192, 192]);
  expect(await describeFile(server, header)).toEqual(['png', 96, 96]);
  for (const [path, url] of [
    ['/favicon.ico', favicon],
    ['/apple-touch-icon.png', touch],
  ] as const) {
    const { status, headers } = await server.anonymous.get(path);
    expect([status, headers['location']]).toEqual([302, url]);
  }
  await resetSiteImage(server.app, 'system', 'icon');
  expect(await head()).toEqual(['/favicon.ico', '/apple-touch-icon.png', '/icon-192.png']);
  expect((await server.anonymous.get('/favicon.ico')).status).toBe(200);
});

test('replaced images stay served for a week, because caches name them', async () => {
  await using server = await startServer();
  await setImage(server, 'icon', await opaque(64, 64));
  const icons = (await showInstance(server)).icon as { src: string }[];
  const statusOf = async (url = '') => (await server.http.inject({ url: new URL(url).pathname })).statusCode;
  server.clock.advance(30 * 86_400);
  await setImage(server, 'icon', await opaque(32, 32));
  const replacing = (await showInstance(server)).icon as { src: string }[];
  await resetSiteImage(server.app, 'system', 'icon');
  for (const [days, expected] of [
    [0, 200],
    [6, 200],
    [1, 404],
  ] as const) {
    server.clock.advance(days * 86_400);
    await server.runSchedule('instance.clean_up_images');
    expect([await statusOf(icons[0]?.src), await statusOf(replacing[0]?.src)]).toEqual([expected, expected]);
  }
  expect(await storedFiles(server)).toEqual([]);
});

test('an image that cannot be used is refused, and leaves no file', async () => {
  await using server = await startServer();
  const gif = await picture(30, 30).gif().toBuffer();
  await expect(setImage(server, 'icon', gif)).rejects.toThrow('must be a JPEG, PNG, WebP, AVIF or HEIC image');
  await expect(setImage(server, 'icon', Buffer.from('<svg/>'))).rejects.toThrow('Validation failed: Image');
  await expect(setImage(server, 'icon', (await opaque(99, 99)).subarray(0, 200))).rejects.toThrow('Validation failed');
  await expect(setImage(server, 'icon', Buffer.alloc(16_777_217))).rejects.toThrow('must not be larger than 16 MB');
  await expect(setImage(server, 'thumbnail', await opaque(9, 9), 'x'.repeat(151))).rejects.toThrow(
    'Description is too long',
  );
  expect(await storedFiles(server)).toEqual([]);
});

test('files of the site that are not in use are deleted after a day', async () => {
  await using server = await startServer();
  await setImage(server, 'icon', await opaque(64, 64));
  const stored = await storedFiles(server);
  await server.app.storage.put('site/icon/left-over.png', Buffer.from('x'), 'image/png');
  await changeSiteSettings(server.app, 'system', { title: 'The Nest' });
  server.clock.advance(2 * 86_400);
  await server.runSchedule('instance.clean_up_images');
  expect((await storedFiles(server)).toSorted()).toEqual(stored.toSorted());
});
