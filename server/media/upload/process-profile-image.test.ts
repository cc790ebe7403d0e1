import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import sharp, { type Create } from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../platform/app.ts';
import { parseConfig } from '../../platform/config.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createDiskStorage } from '../../platform/storage/storage-disk.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { loadSharp } from '../decoding/load-sharp.ts';
import { processProfileImage, type ProfileImageKind } from './process-profile-image.ts';
import { deleteStoredFiles } from '../delete-stored-files.ts';

let folder: string;
let storage: Storage;
let app: App;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldfare-images-'));
});
beforeEach(() => {
  storage = createDiskStorage(parseConfig({ DATA_DIR: folder }));
  app = { storage, log: pino({ level: 'silent' }), config: { dataDir: folder } } as unknown as App;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const canvas = (width: number, height: number, background: string): Create => ({
  width,
  height,
  channels: 4,
  background,
});
const picture = (width: number, height: number, colour = '#c04020') => sharp({ create: canvas(width, height, colour) });

/** Frames of different colours. */
async function moving(format: 'gif' | 'webp', frames = 3, side = 40): Promise<Buffer> {
  const colours = Array.from({ length: frames }, (_, index) => `rgb(${(index * 40) % 256}, ${index % 256}, 90)`);
  const images = await Promise.all(
    colours.map((colour) =>
      sharp({ create: canvas(side, side, colour) })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    ),
  );
  return sharp(images, { join: { animated: true } })
    .toFormat(format, { delay: images.map(() => 100) })
    .toBuffer();
}

async function upload(body: Buffer, kind: ProfileImageKind = 'avatar', contentType = 'image/png') {
  const path = join(folder, 'upload');
  await writeFile(path, body);
  return processProfileImage(app, '1' as AccountId, { path, size: body.length, filename: 'me.png', contentType }, kind);
}

async function refusal(body: Buffer, kind: ProfileImageKind = 'avatar'): Promise<string> {
  try {
    await upload(body, kind);
  } catch (error) {
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 422, details: { details: { [kind]: [{ error: 'ERR_INVALID' }] } } });
    return (error as HttpError).message;
  }
  return 'taken';
}

async function stored(key: string) {
  const file = await storage.get(key);
  if (file === undefined) throw new Error(`${key} is not stored`);
  return { ...file, ...(await sharp(file.body).metadata()) };
}

async function filesStored(): Promise<string[]> {
  const entries = await readdir(join(folder, 'media'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
  return Buffer.concat([length, Buffer.from(type), data, sum]);
}

/** A PNG that says it has these sides. */
function claimingPng(width: number, height: number, pixels = Buffer.alloc(100)): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

test('MED-04: an avatar becomes 400 by 400, whatever its shape and format', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const { key, staticKey } = await upload(await picture(300, 200).toFormat(format).toBuffer());
    expect(staticKey).toBe(key);
    expect(await stored(key), format).toMatchObject({ width: 400, height: 400 });
  }
});

test('a header is scaled down to the area of 1500 by 500 and keeps its shape; a small one stays as it is', async () => {
  const shapes = [
    [3000, 1000, 1500, 500],
    [2000, 2000, 866, 866],
    [600, 200, 600, 200],
    [4000, 10, 4000, 10],
  ] as const;
  for (const [width, height, ...expected] of shapes) {
    const { key } = await upload(await picture(width, height).png().toBuffer(), 'header');
    const { width: newWidth, height: newHeight } = await stored(key);
    expect([newWidth, newHeight]).toEqual(expected);
    expect(key).toMatch(/^accounts\/headers\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/);
  }
});

test('MED-04: pictures are turned upright and lose their metadata', async () => {
  const body = await picture(800, 400)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'me' }, IFD3: { GPSLatitude: '50/1 0/1 0/1' } } })
    .toBuffer();
  expect((await sharp(body).metadata()).exif?.length).toBeGreaterThan(0);
  const { key } = await upload(body, 'header');
  const result = await stored(key);
  expect(result).toMatchObject({ width: 400, height: 800, contentType: 'image/jpeg' });
  for (const kind of ['exif', 'icc', 'iptc', 'xmp', 'orientation'] as const) expect(result[kind]).toBeUndefined();
});

test('moving pictures keep moving and get a still version', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const { key, staticKey } = await upload(await moving(format, 3, 450));
    expect(staticKey).not.toBe(key);
    expect(await stored(key)).toMatchObject({ format, pages: 3 });
    const file = await storage.get(key);
    const { pageHeight, width, delay } = await sharp(file?.body, { animated: true }).metadata();
    expect({ pageHeight, width, delay }).toEqual({ pageHeight: 400, width: 400, delay: [100, 100, 100] });
    expect(await stored(staticKey)).toMatchObject({
      format: format === 'gif' ? 'png' : 'webp',
      width: 400,
      height: 400,
    });
    expect((await stored(staticKey)).pages ?? 1).toBe(1);
  }
});

test('moving pictures are cropped to a square and not enlarged', async () => {
  const frames = await Promise.all(['red', 'blue'].map((colour) => picture(90, 60, colour).png().toBuffer()));
  const { key, staticKey } = await upload(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  const { pageHeight, width } = await sharp((await storage.get(key))?.body, { animated: true }).metadata();
  expect([width, pageHeight]).toEqual([60, 60]);
  expect(await stored(staticKey)).toMatchObject({ width: 400, height: 400 });
});

test('MED-04: a file that is too large, disguised or broken is refused by the name of its field, and nothing is stored', async () => {
  const png = await picture(500, 500).png().toBuffer();
  const jpeg = await sharp(await noise(300))
    .jpeg()
    .toBuffer();
  const before = await filesStored();
  const files: Record<string, Buffer> = {
    'too large': Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a script': Buffer.from('#!/bin/sh\nid'),
    svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'svg without its declaration': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
    tiff: await picture(9, 9).tiff().toBuffer(),
    empty: Buffer.alloc(0),
    'only a signature': png.subarray(0, 8),
    'half a JPEG': jpeg.subarray(0, jpeg.length / 2),
    'half a PNG': (
      await sharp(await noise(300))
        .png()
        .toBuffer()
    ).subarray(0, 5_000),
    '100,000 by 100,000 pixels': claimingPng(100_000, 100_000),
    '2 billion pixels wide': claimingPng(0x7fffffff, 1),
    'no pixels': claimingPng(0, 0),
    'more than 33 million pixels': claimingPng(9_000, 9_000, Buffer.alloc(9_001 * 9_000)),
    'an AVIF image of more than 16 million pixels': await picture(4_100, 4_100).avif({ effort: 0 }).toBuffer(),
    'a GIF of a thousand frames': await moving('gif', 1_000, 2),
    'a GIF signature before HTML': Buffer.from('GIF89a<script>alert(1)</script>'),
  };
  for (const [name, body] of Object.entries(files)) {
    expect(await refusal(body), name).toMatch(/^Validation failed: Avatar (must|cannot|has)/);
  }
  expect(await refusal(Buffer.from('x'), 'header')).toMatch(/^Validation failed: Header /);
  expect(await filesStored()).toEqual(before);
});

test('what hides behind a picture is gone when it is stored', async () => {
  const hidden = '<script>alert("hidden")</script>';
  for (const format of ['jpeg', 'png', 'gif'] as const) {
    const body = Buffer.concat([await picture(9, 9).toFormat(format).toBuffer(), Buffer.from(hidden)]);
    const { key } = await upload(body, 'avatar', 'text/html');
    expect((await storage.get(key))?.body.includes('script'), format).toBe(false);
  }
});

test('the first file is gone when the second one cannot be stored', async () => {
  const putFile: Storage['putFile'] = async (key, path, type) => {
    if (key.includes('static')) throw new Error('the disk is full');
    await storage.putFile(key, path, type);
  };
  app = {
    ...app,
    storage: {
      put: (...args) => storage.put(...args),
      putFile,
      copyTo: (...args) => storage.copyTo(...args),
      get: (key) => storage.get(key),
      openStream: (key) => storage.openStream(key),
      delete: (key) => storage.delete(key),
      list: (...args) => storage.list(...args),
      deleteUnfinished: (before) => storage.deleteUnfinished(before),
      url: (key) => key,
    },
  };
  const before = await filesStored();
  await expect(upload(await moving('gif'))).rejects.toThrow('the disk is full');
  expect(await filesStored()).toEqual(before);
});

test('files that were let go of are removed; what is gone already does no harm', async () => {
  const { key, staticKey } = await upload(await moving('gif'));
  await deleteStoredFiles(app, [key, staticKey, null, undefined, key]);
  await deleteStoredFiles(app, [key]);
  expect(await storage.get(key)).toBeUndefined();
  expect(await storage.get(staticKey)).toBeUndefined();
});

test('any damage to a file ends in a picture or in a refusal', async () => {
  const originals = [
    await sharp(await noise(30))
      .jpeg()
      .toBuffer(),
    await sharp(await noise(30))
      .png()
      .toBuffer(),
    await moving('gif', 2, 20),
    await moving('webp', 2, 20),
    await picture(20, 20).avif().toBuffer(),
  ];
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...originals), damage, fc.nat({ max: 40 }), async (original, changes, cut) => {
      const body = Buffer.from(original.subarray(0, original.length - cut));
      for (const [place, value] of changes) body[place % body.length] = value;
      await refusal(body);
    }),
    { numRuns: 60 },
  );
});

async function noise(side: number): Promise<Buffer> {
  return sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
}

test('an upload is read from its file and left there', async () => {
  await upload(await picture(9, 9).png().toBuffer());
  expect((await readFile(join(folder, 'upload'))).length).toBeGreaterThan(0);
});

test('decoders of formats that nobody is to send are shut', async () => {
  const sharp = await loadSharp();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const body of [svg, await picture(9, 9).tiff().toBuffer()]) {
    await expect(sharp(body).png().toBuffer()).rejects.toThrow();
  }
});
