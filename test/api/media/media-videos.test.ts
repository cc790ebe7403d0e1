import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { probeAudioVideo, type AudioVideoInfo } from '../../../server/media/decoding/probe-audio-video.ts';
import { createVideo } from '../../media/videos.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const asFile = (body: Buffer): File => new File([Uint8Array.from(body)], 'video', { type: 'application/octet-stream' });

const upload = async (user: TestUser, body: Buffer, fields: Record<string, string | Blob> = {}, version = 2) =>
  user.post(`/api/v${version}/media`, await multipart({ file: asFile(body), ...fields }));

const fetchBytes = (server: TestServer, url: string) =>
  server.http.inject({ method: 'GET', url: new URL(url).pathname });

async function probeVideo(server: TestServer, url: string): Promise<AudioVideoInfo> {
  const folder = await mkdtemp(join(tmpdir(), 'probe-'));
  try {
    await writeFile(join(folder, 'video'), (await fetchBytes(server, url)).rawPayload);
    const info = await probeAudioVideo(join(folder, 'video'));
    if (info === undefined) throw new Error('the video cannot be probed');
    return info;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const createCover = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();

async function listStoredFiles(server: TestServer): Promise<string[]> {
  const list = async (name: string) => {
    const folder = join(server.app.config.dataDir, name);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return [...(await list('media')), ...(await list('tmp'))];
}

test('MED-03: a video is processed by a job: 202, then 206 until it is ready, then 200 with a preview', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const videoFile = await createVideo({
    extension: 'mov',
    video: 'libx265',
    audio: 'aac',
    metadata: { location: '+50.1+007.1/' },
  });
  const first = await upload(alice, videoFile, { description: 'A pattern', focus: '0.1,0.2' });
  expect(first.status).toBe(202);
  expect(first.json).toMatchObject({ type: 'video', url: null, preview_url: null, description: 'A pattern' });
  const path = `/api/v1/media/${first.json.id}`;
  const waiting = await alice.get(path);
  expect([waiting.status, waiting.json.url]).toEqual([206, null]);
  expect((await alice.put(path, { description: 'A better word' })).status).toBe(206);
  await server.drain();
  const ready = await alice.get(path);
  expect(ready.status).toBe(200);
  expect(ready.json).toMatchObject({
    type: 'video',
    description: 'A better word',
    meta: {
      original: { width: 160, height: 90, frame_rate: '10/1', duration: expect.closeTo(1, 0) },
      small: { width: 160, height: 90, size: '160x90' },
      focus: { x: 0.1, y: 0.2 },
      colors: { background: expect.stringMatching(/^#[0-9a-f]{6}$/) },
    },
  });
  expect(ready.json.blurhash).toMatch(/^U/);
  expect(ready.json.meta.original.bitrate).toBeGreaterThan(1_000);
  const info = await probeVideo(server, ready.json.url);
  expect([info.video?.codec, info.audio?.codec]).toEqual(['avc', 'aac']);
  const bytes = (await fetchBytes(server, ready.json.url)).rawPayload;
  expect(bytes.includes('+50.1')).toBe(false);
  expect((await fetchBytes(server, ready.json.preview_url)).headers['content-type']).toBe('image/jpeg');
  expect(await listStoredFiles(server)).toHaveLength(2);
});

test('MED-03: H.264 streams are copied without metadata tags; WebM is converted to MP4', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const metadata = { title: 'my home', location: '+50.1+007.1/' };
  const mp4 = await createVideo({ extension: 'mp4', video: 'libx264', audio: 'aac', metadata });
  const webm = await createVideo({ extension: 'webm', video: 'libvpx-vp9', audio: 'libopus', size: '161x91' });
  for (const [videoFile, size] of [
    [mp4, [160, 90]],
    [webm, [160, 90]],
  ] as const) {
    const { id } = (await upload(alice, videoFile)).json;
    await server.drain();
    const { status, json } = await alice.get(`/api/v1/media/${id}`);
    expect([status, json.type]).toEqual([200, 'video']);
    const info = await probeVideo(server, json.url);
    expect([info.video?.width, info.video?.height, info.video?.codec]).toEqual([...size, 'avc']);
    expect(info.audio?.codec).toBe('aac');
    const bytes = (await fetchBytes(server, json.url)).rawPayload;
    expect([bytes.includes('my home'), bytes.includes('+50.1')]).toEqual([false, false]);
  }
});

/** Sets the rotation of a video to 90° clockwise, as phones do for upright recordings. */
function rotateVideo(videoFile: Buffer): Buffer {
  const body = Buffer.from(videoFile);
  const matrix = body.indexOf('tkhd') + 44;
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries()) {
    body.writeInt32BE(value, matrix + index * 4);
  }
  return body;
}

test('MED-03: a rotated video becomes upright', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const videoFile = await createVideo({ extension: 'mov', video: 'libx265' });
  const pixelsOf = async (body: Buffer, degrees: number) => {
    const { id } = (await upload(alice, body)).json;
    await server.drain();
    const { json } = await alice.get(`/api/v1/media/${id}`);
    const preview = (await fetchBytes(server, json.preview_url)).rawPayload;
    return {
      meta: json.meta,
      pixels: await sharp(preview).rotate(degrees).resize(9, 16, { fit: 'fill' }).raw().toBuffer(),
    };
  };
  const [upright, straight, wrong] = [
    await pixelsOf(rotateVideo(videoFile), 0),
    await pixelsOf(videoFile, 90),
    await pixelsOf(videoFile, 270),
  ];
  expect(upright.meta).toMatchObject({ original: { width: 90, height: 160 }, small: { size: '90x160' } });
  const difference = (one: Buffer, other: Buffer): number =>
    one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
  expect(difference(upright.pixels, straight.pixels)).toBeLessThan(12);
  expect(difference(upright.pixels, wrong.pixels)).toBeGreaterThan(25);
});

test('MED-03: an animated GIF becomes a video without audio', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const gif = await createVideo({ extension: 'gif', video: 'gif', size: '101x51' });
  const response = await upload(alice, gif);
  expect([response.status, response.json.type]).toEqual([202, 'gifv']);
  await server.drain();
  const { json } = await alice.get(`/api/v1/media/${response.json.id}`);
  expect(json).toMatchObject({ type: 'gifv', meta: { original: { width: 100, height: 50 } } });
  const info = await probeVideo(server, json.url);
  expect([info.video?.codec, info.audio]).toEqual(['avc', undefined]);
});

test('MED-03: audio becomes MP3, with the uploaded thumbnail as its preview', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const thumbnail = new File(
    [
      Uint8Array.from(
        await sharp({ create: { width: 900, height: 900, channels: 3, background: '#0040ff' } })
          .png()
          .toBuffer(),
      ),
    ],
    'cover.png',
  );
  const codecs = {
    wav: 'pcm_s16le',
    flac: 'flac',
    ogg: 'libopus',
    m4a: 'aac',
    aac: 'aac',
    mp3: 'libmp3lame',
    wma: 'wmav2',
  };
  for (const [extension, audio] of Object.entries(codecs)) {
    const response = await upload(alice, await createVideo({ extension, audio }), { thumbnail });
    expect([response.status, response.json.type], extension).toEqual([202, 'audio']);
    await server.drain();
    const { status, json } = await alice.get(`/api/v1/media/${response.json.id}`);
    expect(status, extension).toBe(200);
    expect(json.url, extension).toMatch(/\.mp3$/);
    expect((await probeVideo(server, json.url)).audio?.codec, extension).toBe('mp3');
    expect(json.meta, extension).toMatchObject({
      original: { duration: expect.closeTo(1, 0) },
      small: { width: 480, height: 480 },
      colors: { background: '#0041ff' },
    });
    expect(json.preview_url, extension).toMatch(/-small\.jpg$/);
  }
});

test('MED-01: an upload by v1 returns once the video is ready', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await upload(alice, await createVideo({ extension: 'gif', video: 'gif' }), {}, 1);
  expect([response.status, response.json.type]).toEqual([200, 'gifv']);
  expect(response.json.url).toMatch(/\.mp4$/);
  server.clock.advance(3_600);
  await server.drain();
  expect((await alice.get(`/api/v1/media/${response.json.id}`)).json).toEqual(response.json);
});

test('a thumbnail that is added later replaces the preview', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await upload(alice, await createVideo({ extension: 'mp4', video: 'libx264' }))).json;
  const path = `/api/v1/media/${id}`;
  expect((await alice.put(path, await multipart({ thumbnail: asFile(await createCover('red')) }))).status).toBe(206);
  await server.drain();
  const before = (await alice.get(path)).json;
  expect(before.meta.small.size).toBe('90x60');
  const after = (await alice.put(path, await multipart({ thumbnail: asFile(await createCover('blue')) }))).json;
  expect(after.preview_url).not.toBe(before.preview_url);
  expect(after.url).toBe(before.url);
  await server.drain();
  expect((await fetchBytes(server, before.preview_url)).statusCode).toBe(404);
  expect(await listStoredFiles(server)).toHaveLength(2);
  const refused = await alice.put(path, await multipart({ thumbnail: asFile(Buffer.from('<svg/>')) }));
  expect(refused.status).toBe(422);
});

test('STA-11: an edit can replace the preview of a posted video, by a form part or a data URI', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await upload(alice, await createVideo({ extension: 'mp4', video: 'libx264' }))).json;
  await server.drain();
  const imageId = (await upload(alice, await createCover('green'))).json.id;
  const status = (await alice.post('/api/v1/statuses', { status: 'Look', media_ids: [id] })).json;
  const path = `/api/v1/statuses/${status.id}`;
  const edit = async (thumbnail: File) =>
    alice.put(
      path,
      await multipart({
        status: 'Look',
        'media_ids[]': id,
        'media_attributes[][id]': id,
        'media_attributes[][thumbnail]': thumbnail,
      }),
    );
  const first = await edit(asFile(await createCover('red')));
  expect(first.status).toBe(200);
  const [before, after] = [status.media_attachments[0], first.json.media_attachments[0]];
  expect([after.url, after.meta.small.size]).toEqual([before.url, '90x60']);
  expect(after.preview_url).not.toBe(before.preview_url);
  expect(first.json.edited_at).not.toBeNull();
  const uri = `data:image/jpeg;base64,${(await createCover('blue')).toString('base64')}`;
  const attributes = [{ id, thumbnail: uri }];
  const second = await alice.put(path, { status: 'Look', media_ids: [id], media_attributes: attributes });
  expect(second.json.media_attachments[0].preview_url).not.toBe(after.preview_url);
  await server.drain();
  for (const replaced of [before, after]) expect((await fetchBytes(server, replaced.preview_url)).statusCode).toBe(404);
  const files = await listStoredFiles(server);

  const refused = await edit(asFile(Buffer.from('<svg/>')));
  expect([refused.status, refused.json.error]).toEqual([422, 'File type of uploaded media could not be verified']);
  const large = await edit(asFile(Buffer.alloc(16_777_217)));
  expect([large.status, large.json.error]).toEqual([422, 'Validation failed: Thumbnail must be smaller than 16 MB']);
  const long = [{ id, thumbnail: uri, description: 'x'.repeat(10_001) }];
  const tooLong = await alice.put(path, { status: 'Look', media_ids: [id], media_attributes: long });
  expect([tooLong.status, tooLong.json.error]).toEqual([
    422,
    'Validation failed: Description is too long (maximum is 10000 characters)',
  ]);
  const forged = { path: '/etc/hostname', size: 10, filename: 'a', contentType: 'image/png' };
  for (const thumbnail of ['text', forged, [uri], 7]) {
    const body = { status: 'Look', media_ids: [id], media_attributes: [{ id, thumbnail }] };
    const response = await alice.put(path, body);
    expect([response.status, response.json.error]).toEqual([
      422,
      expect.stringMatching(/media_attributes.*thumbnail.* is not a file/),
    ]);
  }
  // Thumbnails of images and of other files are ignored.
  const others = [
    { id: imageId, thumbnail: uri },
    { id: 'x', thumbnail: uri },
  ];
  const ignored = await alice.put(path, { status: 'Look', media_ids: [id], media_attributes: others });
  expect([ignored.status, ignored.json.media_attachments[0].preview_url]).toEqual([
    200,
    second.json.media_attachments[0].preview_url,
  ]);
  await server.drain();
  expect(await listStoredFiles(server)).toEqual(files);
});

test('without a transcoder, formats that browsers play are accepted and others are 422', async () => {
  await using server = await startServer({ settings: { FFMPEG: 'none' } });
  const alice = await server.user('alice');
  const accepted = {
    mp4: await createVideo({
      extension: 'mp4',
      video: 'libx264',
      audio: 'aac',
      metadata: { location: '+50.1+007.1/' },
    }),
    webm: await createVideo({ extension: 'webm', video: 'libvpx-vp9', audio: 'libopus' }),
    mp3: await createVideo({ extension: 'mp3', audio: 'libmp3lame' }),
    ogg: await createVideo({ extension: 'ogg', audio: 'libopus' }),
    gif: await createVideo({ extension: 'gif', video: 'gif' }),
  };
  for (const [extension, body] of Object.entries(accepted)) {
    const { id } = (await upload(alice, body)).json;
    await server.drain();
    const { status, json } = await alice.get(`/api/v1/media/${id}`);
    expect([status, json.url.split('.').at(-1)], extension).toEqual([200, extension]);
    expect(json.type, extension).toBe({ mp3: 'audio', ogg: 'audio', gif: 'image' }[extension] ?? 'video');
    expect((await fetchBytes(server, json.url)).rawPayload.includes('+50.1')).toBe(false);
  }
  const { id } = (await upload(alice, await createVideo({ extension: 'mov', video: 'libx265' }))).json;
  await server.drain();
  expect((await alice.get(`/api/v1/media/${id}`)).status).toBe(422);
});

/** Path of the ffmpeg program. Without one, the tests above cover the same with the library. */
const ffmpegPath = process.env['FFMPEG'] ?? 'ffmpeg';
const hasFfmpeg = spawnSync(ffmpegPath, ['-version']).status === 0;

test.skipIf(!hasFfmpeg)('MED-03: an installed ffmpeg converts the same formats', async () => {
  await using server = await startServer({ settings: { FFMPEG: ffmpegPath } });
  const alice = await server.user('alice');
  const videos = {
    video: await createVideo({ extension: 'mov', video: 'libx265', audio: 'aac', metadata: { title: 'my home' } }),
    gifv: await createVideo({ extension: 'gif', video: 'gif', size: '101x51' }),
    audio: await createVideo({ extension: 'wma', audio: 'wmav2' }),
  };
  for (const [type, videoFile] of Object.entries(videos)) {
    const { id } = (await upload(alice, videoFile)).json;
    await server.drain();
    const { status, json } = await alice.get(`/api/v1/media/${id}`);
    expect([status, json.type], type).toEqual([200, type]);
    const { video, audio } = await probeVideo(server, json.url);
    expect([video?.codec, audio?.codec], type).toEqual(
      { video: ['avc', 'aac'], gifv: ['avc', undefined], audio: [undefined, 'mp3'] }[type],
    );
    expect(json.preview_url === null, type).toBe(type === 'audio');
    expect((await fetchBytes(server, json.url)).rawPayload.includes('my home')).toBe(false);
  }
});

test('a video that is deleted before it is processed leaves no files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await upload(alice, await createVideo({ extension: 'gif', video: 'gif' }))).json;
  expect((await alice.delete(`/api/v1/media/${id}`)).status).toBe(200);
  await server.drain();
  expect(await listStoredFiles(server)).toEqual([]);
});
