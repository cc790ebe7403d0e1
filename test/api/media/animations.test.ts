import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { formatPngChunk, listPngChunks, pngSignature } from '../../../server/media/decoding/png-chunks.ts';
import { createVideo } from '../../media/videos.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const ffmpegPath = process.env['FFMPEG'] ?? 'ffmpeg';
const hasFfmpeg = spawnSync(ffmpegPath, ['-version']).status === 0;
/** With the program, if it is installed, and with the library. */
const transcoders = ['/no-such-program', ...(hasFfmpeg ? [ffmpegPath] : [])];

const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'];
const [width, height] = [64, 48];

const frames = (count: number): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      sharp({ create: { width, height, channels: 3, background: colours[at % 4] ?? '' } })
        .png()
        .toBuffer(),
    ),
  );

async function joined(count: number) {
  const images = await frames(count);
  return count === 1 ? sharp(images[0]) : sharp(images, { join: { animated: true } });
}

async function createPng(delays: readonly number[]): Promise<Buffer> {
  const uint32 = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
    return bytes;
  };
  let sequence = 0;
  const chunks = (await frames(delays.length)).flatMap((png, at) => {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(delays[at] ?? 0, 0);
    delay.writeUInt16BE(1_000, 2);
    const control = { type: 'fcTL', data: Buffer.concat([uint32(sequence++, width, height, 0, 0), delay]) };
    const data = Buffer.concat(listPngChunks(png).flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
    const image = at === 0 ? { type: 'IDAT', data } : { type: 'fdAT', data: Buffer.concat([uint32(sequence++), data]) };
    const header = listPngChunks(png).filter(({ type }) => type === 'IHDR');
    return at === 0 ? [...header, { type: 'acTL', data: uint32(delays.length, 0) }, control, image] : [control, image];
  });
  return Buffer.concat([pngSignature, ...[...chunks, { type: 'IEND', data: Buffer.alloc(0) }].map(formatPngChunk)]);
}

const creators = {
  gif: async (delays: number[]) => (await joined(delays.length)).gif({ delay: delays, loop: 3 }).toBuffer(),
  webp: async (delays: number[]) => (await joined(delays.length)).webp({ delay: delays }).toBuffer(),
  png: createPng,
};

async function upload(server: TestServer, user: TestUser, body: Buffer) {
  const file = new File([Uint8Array.from(body)], 'a', { type: 'application/octet-stream' });
  const { json, status, text } = await user.post('/api/v2/media', await multipart({ file }));
  if (status >= 400) return { status, json, text };
  await server.drain();
  return user.get(`/api/v1/media/${json.id}`);
}

const fetchBytes = async (server: TestServer, url: string): Promise<Buffer> =>
  (await server.http.inject({ method: 'GET', url: new URL(url).pathname })).rawPayload;

for (const transcoder of transcoders) {
  test.each(['gif', 'webp', 'png'] as const)(
    `MED-03: an animated %s becomes a video that shows each frame as long, also the last one (${transcoder})`,
    async (format) => {
      await using server = await startServer({ settings: { FFMPEG: transcoder } });
      const alice = await server.user('alice');
      // Browsers show a frame of 10 ms for 100 ms.
      for (const [delays, seconds, rate] of [
        [[100, 300, 1000, 2000], 3.4, '10/1'],
        [[1000, 1000], 2, '1/1'],
        [[40, 40, 40, 40], 0.16, '25/1'],
        [[10, 10, 2000], 2.2, '10/1'],
        [[20, 50, 70, 500], 0.64, '50/1'],
      ] as const) {
        const { json } = await upload(server, alice, await creators[format]([...delays]));
        expect(json, delays.join()).toMatchObject({
          type: 'gifv',
          url: expect.stringMatching(/\.mp4$/),
          meta: { original: { width, height, duration: expect.closeTo(seconds, 2), frame_rate: rate } },
        });
        const preview = await sharp(await fetchBytes(server, json.preview_url)).stats();
        const [red, green, blue] = preview.channels.map(({ mean }) => mean);
        expect(
          [red, green, blue].map((mean) => Math.round((mean ?? 0) / 128)),
          delays.join(),
        ).toEqual([2, 0, 0]);
      }
    },
  );

  test(`MED-03: a video whose pixels are not square has the shape in which it is shown (${transcoder})`, async () => {
    await using server = await startServer({ settings: { FFMPEG: transcoder } });
    const alice = await server.user('alice');
    for (const [recipe, shown] of [
      [{ extension: 'mp4', video: 'libx264' }, [320, 90]],
      [{ extension: 'mov', video: 'libx265' }, [320, 90]],
      [{ extension: 'webm', video: 'libvpx-vp9' }, [320, 90]],
    ] as const) {
      const { json } = await upload(server, alice, await createVideo({ ...recipe, pixelAspect: '2/1' }));
      const { original, small } = json.meta;
      expect([original.width, original.height, small.width / small.height], recipe.extension).toEqual([
        ...shown,
        expect.closeTo(320 / 90, 1),
      ]);
    }
  });
}

test('MED-01: a GIF, WebP or PNG of one frame is an image', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const format of ['gif', 'webp', 'png'] as const) {
    const { json } = await upload(server, alice, await creators[format]([100]));
    expect([json.type, json.meta.original.width], format).toEqual(['image', width]);
  }
});

test('MED-01: an animation with very large frames is refused, with its size', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const large = await Promise.all(
    colours.slice(0, 2).map((background) =>
      sharp({ create: { width: 1_200, height: 1_000, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const webp = await sharp(large, { join: { animated: true } })
    .webp()
    .toBuffer();
  const { status, json } = await upload(server, alice, webp);
  expect([status, json.error]).toEqual([422, '1200x1000 animated images are not supported']);
});

test('MED-03: without a transcoder, an animated GIF or WebP stays one, and a PNG is refused', async () => {
  await using server = await startServer({ settings: { FFMPEG: 'none' } });
  const alice = await server.user('alice');
  for (const format of ['gif', 'webp'] as const) {
    const { json } = await upload(server, alice, await creators[format]([100, 300, 2000]));
    expect([json.type, json.url.split('.').at(-1)]).toEqual(['image', format]);
    const { pages, delay } = await sharp(await fetchBytes(server, json.url), { animated: true }).metadata();
    expect([pages, delay]).toEqual([3, [100, 300, 2000]]);
  }
  expect((await upload(server, alice, await createPng([100, 100]))).status).toBe(422);
});
