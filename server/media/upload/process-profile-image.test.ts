import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import sharp, { type Create } from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPngClaiming } from '../../../test/media/pngs.ts';
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
const createImage = (width: number, height: number, colour = '#c04020') =>
  sharp({ create: canvas(width, height, colour) });

/** Creates an animation with frames of different colours. */
async function createAnimation(format: 'gif' | 'webp', frames = 3, side = 40): Promise<Buffer> {
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

async function rejectionMessage(body: Buffer, kind: ProfileImageKind = 'avatar'): Promise<string> {
  try {
    await upload(body, kind);
  } catch (error) {
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 422, details: { details: { [kind]: [{ error: 'ERR_INVALID' }] } } });
    return (error as HttpError).message;
  }
  return 'taken';
}

async function readStored(key: string) {
  const file = await storage.get(key);
  if (file === undefined) throw new Error(`${key} is not stored`);
  return { ...file, ...(await sharp(file.body).metadata()) };
}

async function listStoredFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, 'media'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('MED-04: an avatar is converted to 400 by 400, whatever its shape and format', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const { key, staticKey } = await upload(await createImage(300, 200).toFormat(format).toBuffer());
    expect(staticKey).toBe(key);
    expect(await readStored(key), format).toMatchObject({ width: 400, height: 400 });
  }
});

test('a header is scaled down to the area of 1500 by 500 and keeps its shape, and is never enlarged', async () => {
  const shapes = [
    [3000, 1000, 1500, 500],
    [2000, 2000, 866, 866],
    [600, 200, 600, 200],
    [4000, 10, 4000, 10],
  ] as const;
  for (const [width, height, ...expected] of shapes) {
    const { key } = await upload(await createImage(width, height).png().toBuffer(), 'header');
    const { width: newWidth, height: newHeight } = await readStored(key);
    expect([newWidth, newHeight]).toEqual(expected);
    expect(key).toMatch(/^accounts\/headers\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/);
  }
});

test('MED-04: images are rotated upright and lose their metadata', async () => {
  const body = await createImage(800, 400)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'me' }, IFD3: { GPSLatitude: '50/1 0/1 0/1' } } })
    .toBuffer();
  expect((await sharp(body).metadata()).exif?.length).toBeGreaterThan(0);
  const { key } = await upload(body, 'header');
  const result = await readStored(key);
  expect(result).toMatchObject({ width: 400, height: 800, contentType: 'image/jpeg' });
  for (const kind of ['exif', 'icc', 'iptc', 'xmp', 'orientation'] as const) expect(result[kind]).toBeUndefined();
});

test('animated images stay animated and get a static version', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const { key, staticKey } = await upload(await createAnimation(format, 3, 450));
    expect(staticKey).not.toBe(key);
    expect(await readStored(key)).toMatchObject({ format, pages: 3 });
    const file = await storage.get(key);
    const { pageHeight, width, delay } = await sharp(file?.body, { animated: true }).metadata();
    expect({ pageHeight, width, delay }).toEqual({ pageHeight: 400, width: 400, delay: [100, 100, 100] });
    expect(await readStored(staticKey)).toMatchObject({
      format: format === 'gif' ? 'png' : 'webp',
      width: 400,
      height: 400,
    });
    expect((await readStored(staticKey)).pages ?? 1).toBe(1);
  }
});

test('animated images are cropped to a square and not enlarged', async () => {
  const frames = await Promise.all(['red', 'blue'].map((colour) => createImage(90, 60, colour).png().toBuffer()));
  const { key, staticKey } = await upload(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  const { pageHeight, width } = await sharp((await storage.get(key))?.body, { animated: true }).metadata();
  expect([width, pageHeight]).toEqual([60, 60]);
  expect(await readStored(staticKey)).toMatchObject({ width: 400, height: 400 });
});

test('MED-04: an oversized, disguised or broken file is rejected with the name of its field and not stored', async () => {
  const png = await createImage(500, 500).png().toBuffer();
  const jpeg = await sharp(await noise(300))
    .jpeg()
    .toBuffer();
  const before = await listStoredFiles();
  const files: Record<string, Buffer> = {
    'too large': Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a script': Buffer.from('#!/bin/sh\nid'),
    svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'svg without its declaration': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
    tiff: await createImage(9, 9).tiff().toBuffer(),
    empty: Buffer.alloc(0),
    'only a signature': png.subarray(0, 8),
    'half a JPEG': jpeg.subarray(0, jpeg.length / 2),
    'half a PNG': (
      await sharp(await noise(300))
        .png()
        .toBuffer()
    ).subarray(0, 5_000),
    '100,000 by 100,000 pixels': createPngClaiming(100_000, 100_000),
    '2 billion pixels wide': createPngClaiming(0x7fffffff, 1),
    'no pixels': createPngClaiming(0, 0),
    'more than 33 million pixels': createPngClaiming(9_000, 9_000, Buffer.alloc(9_001 * 9_000)),
    'an AVIF image of more than 16 million pixels': await createImage(4_100, 4_100).avif({ effort: 0 }).toBuffer(),
    'a GIF of a thousand frames': await createAnimation('gif', 1_000, 2),
    'a GIF signature before HTML': Buffer.from('GIF89a<script>alert(1)</script>'),
  };
  for (const [name, body] of Object.entries(files)) {
    expect(await rejectionMessage(body), name).toMatch(/^Validation failed: Avatar (must|cannot|has)/);
  }
  expect(await rejectionMessage(Buffer.from('x'), 'header')).toMatch(/^Validation failed: Header /);
  expect(await listStoredFiles()).toEqual(before);
});

test('data appended to an image is removed', async () => {
  const hidden = '<script>alert("hidden")</script>';
  for (const format of ['jpeg', 'png', 'gif'] as const) {
    const body = Buffer.concat([await createImage(9, 9).toFormat(format).toBuffer(), Buffer.from(hidden)]);
    const { key } = await upload(body, 'avatar', 'text/html');
    expect((await storage.get(key))?.body.includes('script'), format).toBe(false);
  }
});

test('the first file is deleted if the second one cannot be stored', async () => {
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
  const before = await listStoredFiles();
  await expect(upload(await createAnimation('gif'))).rejects.toThrow('the disk is full');
  expect(await listStoredFiles()).toEqual(before);
});

test('unused files are deleted, and deleting them again does no harm', async () => {
  const { key, staticKey } = await upload(await createAnimation('gif'));
  await deleteStoredFiles(app, [key, staticKey, null, undefined, key]);
  await deleteStoredFiles(app, [key]);
  expect(await storage.get(key)).toBeUndefined();
  expect(await storage.get(staticKey)).toBeUndefined();
});

test('a damaged image is either decoded or rejected', async () => {
  const originals = [
    await sharp(await noise(30))
      .jpeg()
      .toBuffer(),
    await sharp(await noise(30))
      .png()
      .toBuffer(),
    await createAnimation('gif', 2, 20),
    await createAnimation('webp', 2, 20),
    await createImage(20, 20).avif().toBuffer(),
  ];
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...originals), damage, fc.nat({ max: 40 }), async (original, changes, cut) => {
      const body = Buffer.from(original.subarray(0, original.length - cut));
      for (const [offset, value] of changes) body[offset % body.length] = value;
      await rejectionMessage(body);
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

test('the uploaded file is not deleted', async () => {
  await upload(await createImage(9, 9).png().toBuffer());
  expect((await readFile(join(folder, 'upload'))).length).toBeGreaterThan(0);
});

test('decoders of unsupported formats are disabled', async () => {
  const sharp = await loadSharp();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const body of [svg, await createImage(9, 9).tiff().toBuffer()]) {
    await expect(sharp(body).png().toBuffer()).rejects.toThrow();
  }
});
