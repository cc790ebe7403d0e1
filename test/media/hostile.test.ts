import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DecoderPool,
  audioVideoDecoders,
  imageDecoders,
  RefusedFile,
} from '../../server/media/decoding/decoder-pool.ts';
import { Network } from '../network.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';
import { createPngClaiming } from './pngs.ts';
import { createVideo } from './videos.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const upload = async (user: TestUser, body: Buffer) =>
  user.post(
    '/api/v2/media',
    await multipart({ file: new File([Uint8Array.from(body)], 'a.png', { type: 'image/png' }) }),
  );

async function listTemporaryFiles(server: TestServer): Promise<string[]> {
  const entries = await readdir(server.app.config.dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Changes the durations of a video: in `mvhd`, `tkhd`, `mdhd` and of each frame. */
function stretchDuration(video: Buffer, factor: number): Buffer {
  const body = Buffer.from(video);
  for (let at = body.indexOf('stts'); at >= 0; at = body.indexOf('stts', at + 4)) {
    const count = body.readUInt32BE(at + 8);
    for (let entry = 0; entry < count; entry += 1) {
      const offset = at + 16 + entry * 8;
      body.writeUInt32BE(body.readUInt32BE(offset) * factor, offset);
    }
  }
  return body;
}

test('MED-04: hostile files are refused immediately and leave no files, and the server keeps running', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const mp4 = await createVideo({ extension: 'mp4', video: 'libx264', audio: 'aac', frameRate: 25 });
  const bad: Record<string, Buffer> = {
    '100,000 by 100,000 pixels': createPngClaiming(100_000, 100_000),
    '2 billion pixels wide': createPngClaiming(0x7fffffff, 1),
    'no pixels': createPngClaiming(0, 0),
    'a bomb of 80 million pixels': createPngClaiming(9_000, 9_000, Buffer.alloc(9_001 * 9_000)),
    'a video of 24 hours': stretchDuration(mp4, 86_400),
    'a video whose index is missing': mp4.subarray(0, Math.floor(mp4.length / 2)),
    'a video that is a playlist': Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
    'a list of files': Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    'only a signature': mp4.subarray(0, 40),
    'a GIF of over 0.9 megapixels': await createVideo({
      extension: 'gif',
      video: 'gif',
      size: '1200x900',
      seconds: 1,
      frameRate: 2,
    }),
    executable: Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(500)]),
    archive: Buffer.from('PK\x03\x04', 'latin1'),
  };
  for (const [name, body] of Object.entries(bad)) {
    const { status, json } = await upload(alice, body);
    expect([status, Object.keys(json)], name).toEqual([422, ['error']]);
  }
  await server.drain();
  expect(await listTemporaryFiles(server)).toEqual([]);
  expect(await server.app.db.selectFrom('media_attachments').select('id').execute()).toEqual([]);
});

test('MED-04: a video that turns out to be broken fails later with 422 and leaves no files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const video = await createVideo({ extension: 'mov', video: 'libx265' });
  const at = video.indexOf('mdat') + 4;
  video.fill(0xff, at, video.indexOf('moov') > at ? video.indexOf('moov') - 4 : video.length);
  const { status, json } = await upload(alice, video);
  expect(status).toBe(202);
  await server.drain();
  const path = `/api/v1/media/${json.id}`;
  const failed = await alice.get(path);
  expect([failed.status, failed.json]).toEqual([422, { error: 'Error processing thumbnail for uploaded media' }]);
  expect((await alice.put(path, { description: 'x' })).status).toBe(422);
  expect((await alice.post('/api/v1/statuses', { media_ids: [json.id] })).status).toBe(422);
  await server.drain();
  expect(await listTemporaryFiles(server)).toEqual([]);
  expect((await alice.delete(path)).status).toBe(200);
});

test('data appended to an image is removed, and the file is served only as an image', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const hidden = '<script>alert("hidden")</script>';
  for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
    const image = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
    const { status, json } = await upload(
      alice,
      Buffer.concat([await image.toFormat(format).toBuffer(), Buffer.from(hidden)]),
    );
    expect(status, format).toBe(200);
    const { rawPayload, headers } = await server.http.inject({ method: 'GET', url: new URL(json.url).pathname });
    expect([rawPayload.includes('script'), headers['content-type']]).toEqual([
      false,
      expect.stringMatching(/^image\//),
    ]);
  }
});

test('a damaged video is either decoded or refused', async () => {
  const originals = [
    await createVideo({ extension: 'mp4', video: 'libx264', audio: 'aac', frameRate: 5 }),
    await createVideo({ extension: 'webm', video: 'libvpx-vp9', audio: 'libopus', frameRate: 5 }),
    await createVideo({ extension: 'mp3', audio: 'libmp3lame' }),
    await createVideo({ extension: 'ogg', audio: 'libopus' }),
    await createVideo({ extension: 'gif', video: 'gif', frameRate: 5 }),
  ];
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...originals), damage, fc.nat({ max: 60 }), async (original, changes, cut) => {
      const body = Buffer.from(original.subarray(0, original.length - cut));
      for (const [offset, value] of changes) body[offset % Math.min(body.length, 2_000)] = value;
      const work = await mkdtemp(join(folder, 'work-'));
      const path = join(folder, `damaged-${(count += 1)}`);
      await writeFile(path, body);
      try {
        await imageDecoders.run<'inspect'>('alice', { name: 'inspect', path });
        await audioVideoDecoders.run<'audio-video'>('alice', {
          name: 'audio-video',
          path,
          folder: work,
          ffmpeg: undefined,
        });
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedFile);
      }
    }),
    { numRuns: 30 },
  );
});

test('MED-04: a WebM on which its reader loops for ever is refused soon, and costs its owner only a turn', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  // A header, and a segment with bytes that are no element.
  const header = '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701000000000003e8';
  const endless = Buffer.concat([Buffer.from(header, 'hex'), Buffer.alloc(100)]);
  const strict = new DecoderPool({
    concurrency: 1,
    limits: { timeoutSeconds: 600, inspectionSeconds: 1, maxMegabytes: 900 },
    priority: 0,
  });
  const path = join(folder, 'endless.webm');
  await writeFile(path, endless);
  await expect(strict.run<'inspect'>('alice', { name: 'inspect', path })).rejects.toThrow(RefusedFile);
  const hostile = [1, 2, 3].map(() => upload(alice, endless));
  const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect((await upload(bob, image)).status).toBe(200);
  expect((await Promise.all(hostile)).map(({ status }) => status)).toEqual([422, 422, 422]);
});

test('a decoder that exceeds its time or memory is killed, and the next task gets a new one', async () => {
  const path = join(folder, 'large.png');
  const image = sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: 'red' } });
  await writeFile(path, await image.png().toBuffer());
  const small = join(folder, 'small.png');
  await writeFile(
    small,
    await sharp({ create: { width: 5, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  const run = (decoders: DecoderPool, file: string) =>
    decoders.run<'image'>('alice', { name: 'image', path: file, folder });
  for (const limits of [
    { timeoutSeconds: 0.05, maxMegabytes: 900 },
    { timeoutSeconds: 20, maxMegabytes: 20 },
  ]) {
    const strict = new DecoderPool({ concurrency: 1, limits, priority: 0 });
    await expect(run(strict, path)).rejects.toThrow(RefusedFile);
    await expect(run(strict, path)).rejects.toThrow(RefusedFile);
  }
  const usual = new DecoderPool({ concurrency: 1, limits: { timeoutSeconds: 20, maxMegabytes: 900 }, priority: 0 });
  expect((await run(usual, small)).original).toMatchObject({ width: 5, height: 4 });
});

test('an uploaded file is never parsed as a post or actor, neither here nor by another server', async () => {
  await using network = new Network();
  const [serverA, serverB] = [await network.start('a.test'), await network.start('b.test')];
  const [alice, bob] = [await serverA.user('alice'), await serverB.user('bob')];
  const actor = JSON.stringify({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: 'https://a.test/media/x.png',
    type: 'Person',
    preferredUsername: 'mallory',
    inbox: 'https://a.test/users/alice/inbox',
  });
  expect((await upload(alice, Buffer.from(actor))).status).toBe(422);
  const image = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
  const { json } = await upload(alice, Buffer.concat([await image.gif().toBuffer(), Buffer.from(actor)]));
  const url = json.url as string;
  // Even if such a document was in the storage, its type would follow from its name.
  await serverA.app.storage.put(new URL(url).pathname.replace('/media/', ''), Buffer.from(actor), 'image/png');
  for (const user of [alice, bob]) {
    const found = await user.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(url)}`);
    expect(found.json).toMatchObject({ accounts: [], statuses: [], hashtags: [] });
  }
  expect(network.requests.map((request) => request.url)).toContain(url);
});
