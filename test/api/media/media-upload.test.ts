import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { claimMedia, releaseMedia, updateAttachedMedia } from '../../../server/media/attach/index.ts';
import { cleanUpFolder } from '../../../server/media/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId, type StatusId } from '../../../server/platform/ids.ts';
import { createHeic } from '../../media/heic.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';
import { writable } from '../../writable.ts';

const solidImage = (width: number, height: number, background = '#345678') =>
  sharp({ create: { width, height, channels: 3, background } });

const asFile = (body: Buffer, name = 'image.png', type = 'image/png'): File =>
  new File([Uint8Array.from(body)], name, { type });

const createPngFile = async (width = 60, height = 40): Promise<File> =>
  asFile(await solidImage(width, height).png().toBuffer());

async function upload(user: TestUser, fields: Record<string, string | Blob>, path = '/api/v2/media') {
  return user.post(path, await multipart(fields));
}

const fetchBytes = (server: TestServer, url: string) =>
  server.http.inject({ method: 'GET', url: new URL(url).pathname });

async function listStoredFiles(server: TestServer): Promise<string[]> {
  const list = async (name: string) => {
    const entries = await readdir(join(server.app.config.dataDir, name), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return [...(await list('media')), ...(await list('tmp'))];
}

/** Posts a plain status and returns its id. */
async function createPost(user: TestUser): Promise<StatusId> {
  return (await user.post('/api/v1/statuses', { status: 'text' })).json.id as StatusId;
}

test('MED-01: an image uploaded as multipart is processed in the request', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await upload(alice, { file: await createPngFile(), description: ' A bird ', focus: '-0.5,0.25' });
  expect(response.status).toBe(200);
  const size = { width: 60, height: 40, size: '60x40', aspect: 1.5 };
  expect(response.json).toMatchObject({
    type: 'image',
    description: 'A bird',
    remote_url: null,
    preview_remote_url: null,
    meta: { original: size, small: size, focus: { x: -0.5, y: 0.25 } },
  });
  expect(response.json.blurhash).toMatch(/^U/);
  for (const url of [response.json.url, response.json.preview_url]) {
    expect((await fetchBytes(server, url)).statusCode, url).toBe(200);
  }
  const again = await alice.get(`/api/v1/media/${response.json.id}`);
  expect([again.status, again.json]).toEqual([200, response.json]);
});

test('MED-01: the response to an upload has what its owner wrote about the same file before', async () => {
  await using server = await startServer();
  const [alice, bert] = [await server.user('alice'), await server.user('bert')];
  const first = await upload(alice, { file: await createPngFile(), description: 'A bird' });
  expect(first.json.earlier_description).toBeNull();
  const second = await upload(alice, { file: await createPngFile() });
  expect(second.json).toMatchObject({ description: null, earlier_description: 'A bird' });
  const { id } = second.json;
  const changed = await alice.put(`/api/v1/media/${id}`, { description: 'A thrush' });
  expect(changed.json).toMatchObject({ description: 'A thrush', earlier_description: 'A bird' });
  // The newest one, also after it was posted and its description edited.
  await alice.post('/api/v1/statuses', { status: 'text', media_ids: [id] });
  expect((await upload(alice, { file: await createPngFile() })).json.earlier_description).toBe('A thrush');
  expect((await upload(alice, { file: await createPngFile(61) })).json.earlier_description).toBeNull();
  expect((await upload(bert, { file: await createPngFile() })).json.earlier_description).toBeNull();
});

test('MED-01: uploads by v1 and as base64 data URIs work the same', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const uri = `data:image/jpeg;base64,${(await solidImage(30, 10).jpeg().toBuffer()).toString('base64')}`;
  const first = await alice.post('/api/v1/media', { file: uri, description: 'one' });
  expect([first.status, first.json.type, first.json.description]).toEqual([200, 'image', 'one']);
  expect(first.headers['deprecation']).toMatch(/^@\d+$/);
  expect((await alice.post('/api/v2/media', { file: uri, focus: '7,-7' })).json.meta.focus).toEqual({ x: 1, y: -1 });
  expect((await upload(alice, { file: await createPngFile(), focus: 'nonsense' })).json.meta.focus).toBeUndefined();
});

test('MED-04: images are converted to web formats, rotated upright, scaled down and stripped of metadata', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const body = await solidImage(4000, 3000)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'me' }, IFD3: { GPSLatitude: '50/1 0/1 0/1' } } })
    .toBuffer();
  const { json } = await upload(alice, { file: asFile(body, 'a.jpg', 'image/jpeg') });
  expect(json.meta.original.height).toBeGreaterThan(json.meta.original.width);
  expect(json.meta.original.width * json.meta.original.height).toBeLessThanOrEqual(8_294_400);
  expect(json.meta.small.width * json.meta.small.height).toBeLessThanOrEqual(230_400);
  for (const [url, size] of [
    [json.url, json.meta.original],
    [json.preview_url, json.meta.small],
  ]) {
    const { rawPayload, headers } = await fetchBytes(server, url);
    const result = await sharp(rawPayload).metadata();
    expect([result.width, result.height]).toEqual([size.width, size.height]);
    expect(headers['content-type']).toBe('image/jpeg');
    for (const kind of ['exif', 'icc', 'iptc', 'xmp', 'orientation'] as const) expect(result[kind]).toBeUndefined();
  }
  const formats = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'jpg', gif: 'png' } as const;
  for (const [format, extension] of Object.entries(formats)) {
    const file = asFile(
      await solidImage(20, 10)
        .toFormat(format as keyof typeof formats)
        .toBuffer(),
      'x',
      'text/html',
    );
    const response = await upload(alice, { file });
    expect([response.status, response.json.type], format).toEqual([200, 'image']);
    expect(response.json.url, format).toMatch(new RegExp(`\\.${extension}$`));
  }
});

test('MED-04: a large opaque photo becomes JPEG; graphics and transparent images keep their format', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const large = async (channels: 3 | 4) => {
    const create = { width: 4_000, height: 2_100, channels, background: { r: 90, g: 90, b: 90, alpha: 0.5 } };
    const grain = await sharp({ create: { ...create, width: 400, height: 210, channels: 3, noise } })
      .png()
      .toBuffer();
    return { flat: sharp({ create }), rich: sharp(grain).resize(4_000, 2_100, { kernel: 'nearest' }) };
  };
  const [{ flat, rich }, { flat: clear }] = [await large(3), await large(4)];
  const files = [
    [await flat.clone().png().toBuffer(), 'png'],
    [await rich.clone().png({ compressionLevel: 0 }).toBuffer(), undefined],
    [await rich.clone().png({ palette: true, colours: 16, compressionLevel: 0 }).toBuffer(), 'jpg'],
    [await rich.clone().webp({ effort: 0 }).toBuffer(), 'jpg'],
    [await clear.webp({ effort: 0 }).toBuffer(), 'webp'],
  ] as const;
  for (const [body, extension] of files) {
    const { status, json } = await upload(alice, { file: asFile(body, 'a', 'image/png') });
    if (extension === undefined) expect(status).toBe(422);
    else expect([status, json.url.split('.').at(-1), json.meta.original.width < 4_000]).toEqual([200, extension, true]);
  }
});

test('MED-04: HEIC photos become upright JPEG images', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const [rotation, size] of [
    [0, '64x48'],
    [1, '48x64'],
  ] as const) {
    const { status, json } = await upload(alice, { file: asFile(await createHeic(rotation), 'a.heic', 'image/heic') });
    expect([status, json.meta.original.size]).toEqual([200, size]);
    const { rawPayload, headers } = await fetchBytes(server, json.url);
    expect(headers['content-type']).toBe('image/jpeg');
    expect((await sharp(rawPayload).stats()).channels.some(({ stdev }) => stdev > 20)).toBe(true);
  }
});

test('MED-04: a file that is not an image, broken or too large is 422, and leaves no files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const noise = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 9, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
  const bad: Record<string, Buffer> = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    html: Buffer.from('<html><script>alert(1)</script></html>'),
    'a GIF signature before HTML': Buffer.from('GIF89a<script>alert(1)</script>'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
    'half an image': noise.subarray(0, noise.length / 2),
    'over 33 megapixels': await solidImage(8_000, 4_300).png().toBuffer(),
    'more than 16 MB': Buffer.concat([await solidImage(9, 9).png().toBuffer(), Buffer.alloc(16 * 1024 * 1024)]),
  };
  for (const [name, body] of Object.entries(bad)) {
    const response = await upload(alice, { file: asFile(body) });
    expect(response.status, name).toBe(422);
    expect(['error', 'details'], name).toEqual(expect.arrayContaining(Object.keys(response.json)));
  }
  expect((await alice.post('/api/v2/media', {})).status).toBe(422);
  expect((await upload(alice, { file: await createPngFile(), description: 'x'.repeat(10_001) })).status).toBe(422);
  expect((await alice.post('/api/v2/media', { file: 'https://example.org/a.png' })).status).toBe(422);
  expect(await listStoredFiles(server)).toEqual([]);
  expect(await server.app.db.selectFrom('media_attachments').select('id').execute()).toEqual([]);
});

test('MED-01: an unattached file is accessible only to its owner, with the right scope', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json } = await upload(alice, { file: await createPngFile() });
  const path = `/api/v1/media/${json.id}`;
  for (const call of ['get', 'put', 'delete'] as const) {
    expect((await bob[call](path)).status, call).toBe(404);
    expect((await server.anonymous[call](path)).status, call).toBe(401);
    expect((await (await server.withScopes(alice, 'read'))[call](path)).status, call).toBe(403);
  }
  expect((await (await server.withScopes(alice, 'read')).post('/api/v2/media', {})).status).toBe(403);
  expect((await (await server.withScopes(alice, 'write:media')).get(path)).status).toBe(200);
  expect((await alice.get('/api/v1/media/nonsense')).status).toBe(404);
  const statusId = await createPost(alice);
  await transaction(server.app, (tx) =>
    claimMedia(tx, server.app, { accountId: alice.id, statusId, mediaIds: [json.id] }),
  );
  expect((await alice.get(path)).status).toBe(404);
  expect((await alice.put(path, { description: 'late' })).status).toBe(404);
  const refused = await alice.delete(path);
  expect([refused.status, refused.json.error]).toEqual([422, 'Media attachment is currently used by a status']);
});

test('MED-02: the description and focus of an unattached file can be changed', async () => {
  await using server = await startServer({ settings: { MEDIA_DESCRIPTION_LIMIT: '20' } });
  const alice = await server.user('alice');
  const { json } = await upload(alice, { file: await createPngFile(), description: 'first', focus: '0.5,0.5' });
  const path = `/api/v1/media/${json.id}`;
  const second = await alice.put(path, { description: 'second' });
  expect([second.json.description, second.json.meta.focus]).toEqual(['second', { x: 0.5, y: 0.5 }]);
  const third = await alice.put(path, { focus: '0,-1' });
  expect([third.json.description, third.json.meta.focus]).toEqual(['second', { x: 0, y: -1 }]);
  expect((await alice.put(path, { description: '' })).json.description).toBeNull();
  expect((await alice.put(path, { description: '🐦'.repeat(21) })).status).toBe(422);
  expect((await alice.put(path, { description: '🐦'.repeat(20) })).status).toBe(200);
  expect((await server.anonymous.get('/api/v2/instance')).json.configuration.media_attachments.description_limit).toBe(
    20,
  );
});

test('an unattached file can be deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await upload(alice, { file: await createPngFile() });
  const response = await alice.delete(`/api/v1/media/${json.id}`);
  expect([response.status, response.json]).toEqual([200, {}]);
  expect((await alice.delete(`/api/v1/media/${json.id}`)).status).toBe(404);
  await server.drain();
  expect(await listStoredFiles(server)).toEqual([]);
});

async function uploadMany(user: TestUser, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await upload(user, { file: await createPngFile() })).json.id);
  return ids;
}

test('STA-06: a status has up to four files of its author, or one video, and each file belongs to one status', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ids = await uploadMany(alice, 5);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  const [one, other] = [await createPost(alice), await createPost(alice)];
  const claim = (statusId: StatusId, mediaIds: string[], accountId = alice.id) =>
    transaction(server.app, (tx) => claimMedia(tx, server.app, { accountId, statusId, mediaIds }));
  await expect(claim(one, ids)).rejects.toMatchObject({ status: 422 });
  await expect(claim(one, ['0', first])).rejects.toMatchObject({ status: 422 });
  await expect(claim(one, ['nonsense'])).rejects.toMatchObject({ status: 422 });
  await expect(claim(one, [first], bob.id)).rejects.toMatchObject({ status: 422 });
  expect((await claim(one, [second, first, second])).map(({ id }) => id)).toEqual([second, first]);
  expect((await claim(one, [first, third])).map(({ id }) => id)).toEqual([first, third]);
  await expect(claim(other, [first])).rejects.toMatchObject({ status: 422 });
  await server.db
    .updateTable('media_attachments')
    .set({ type: 'video' })
    .where('id', '=', fourth as never)
    .execute();
  await expect(claim(one, [first, fourth])).rejects.toMatchObject({ status: 422 });
  expect(await claim(other, [fourth])).toHaveLength(1);
  const [waiting = ''] = ids.slice(4);
  await server.db
    .updateTable('media_attachments')
    .set({ state: 'waiting' })
    .where('id', '=', waiting as never)
    .execute();
  await expect(claim(other, [waiting])).rejects.toMatchObject({ status: 422, message: /not finished processing/ });
  expect(await claim(other, [])).toEqual([]);
});

test('one of several concurrent claims on a file succeeds, and a file can be claimed before its status is stored', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const mediaIds = await uploadMany(alice, 2);
  const [one, other] = [await createPost(alice), await createPost(alice)];
  const results = await Promise.allSettled(
    [one, other, one, other].map((statusId, index) =>
      transaction(server.app, (tx) =>
        claimMedia(tx, server.app, {
          accountId: alice.id,
          statusId,
          mediaIds: index % 2 === 0 ? mediaIds : mediaIds.toReversed(),
        }),
      ),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const [free = ''] = await uploadMany(alice, 1);
  const later = newId<'status'>(server.clock.now());
  await transaction(server.app, async (tx) => {
    await claimMedia(tx, server.app, { accountId: alice.id, statusId: later, mediaIds: [free] });
    await writable(tx.db)
      .insertInto('statuses')
      .columns(['id', 'account_id', 'uri', 'text', 'visibility', 'local', 'conversation_id', 'created_at'] as never)
      .expression((query) =>
        query
          .selectFrom('statuses')
          .select([
            query.val(later).as('id'),
            'account_id',
            query.val('https://x.test/1').as('uri'),
            'text',
            'visibility',
            'local',
            'conversation_id',
            'created_at',
          ] as never)
          .where('id', '=', one),
      )
      .execute();
  });
});

test('STA-22: files of a deleted status are kept for a day; if staff deleted it, they are deleted immediately', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [released = '', deleted = ''] = await uploadMany(alice, 2);
  const [one, other] = [await createPost(alice), await createPost(alice)];
  server.clock.advance(5 * 86_400);
  for (const [statusId, id] of [
    [one, released],
    [other, deleted],
  ] as const) {
    await transaction(server.app, (tx) =>
      claimMedia(tx, server.app, { accountId: alice.id, statusId, mediaIds: [id] }),
    );
  }
  await server.runSchedule('media.clean_up_unattached');
  await transaction(server.app, (tx) => releaseMedia(tx, server.app, [one], { keepForADay: true }));
  await transaction(server.app, (tx) => releaseMedia(tx, server.app, [other], { keepForADay: false }));
  await server.drain();
  expect(await listStoredFiles(server)).toHaveLength(2);
  server.clock.advance(86_000);
  await server.runSchedule('media.clean_up_unattached');
  expect((await alice.get(`/api/v1/media/${released}`)).status).toBe(200);
  server.clock.advance(1_000);
  await server.runSchedule('media.clean_up_unattached');
  await server.drain();
  expect((await alice.get(`/api/v1/media/${released}`)).status).toBe(404);
  expect(await listStoredFiles(server)).toEqual([]);
});

test('stored files without a reference are deleted after a day', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await upload(alice, { file: await createPngFile() });
  await alice.patch('/api/v1/accounts/update_credentials', await multipart({ avatar: await createPngFile() }));
  const unreferenced = ['attachments/ab/lost.png', 'accounts/avatars/ab/lost.png', 'accounts/headers/ab/lost.png'];
  for (const key of unreferenced) await server.app.storage.put(key, Buffer.from('x'), 'image/png');
  const all = await listStoredFiles(server);
  const cleanUp = async () => {
    for (const name of ['media.clean_up_files', 'account.clean_up_images']) await server.runSchedule(name);
  };
  await cleanUp();
  expect(await listStoredFiles(server)).toHaveLength(all.length);
  server.clock.advance(90_000);
  await cleanUp();
  expect(await listStoredFiles(server)).toHaveLength(all.length - unreferenced.length);
  for (const key of unreferenced) expect(await server.app.storage.get(key)).toBeUndefined();
  expect((await alice.get(`/api/v1/media/${json.id}`)).status).toBe(200);
});

test('a cleanup run checks a limited number of files, and the next run continues after them', async () => {
  await using server = await startServer();
  const names = ['aa/1', 'aa/2', 'ab/1', 'ab/2', 'ac/1', 'ac/2', 'ac/3'].map((name) => `attachments/${name}.png`);
  for (const key of names) await server.app.storage.put(key, Buffer.from('x'), 'image/png');
  server.clock.advance(90_000);
  const checked: string[] = [];
  const findReferenced = async (_app: unknown, keys: readonly string[]) => {
    checked.push(...keys);
    return new Set(keys.filter((key) => key.endsWith('1.png')));
  };
  const cleanUp = () => cleanUpFolder(server.app, 'attachments', findReferenced, { run: 4, page: 2 });
  expect([await cleanUp(), checked.splice(0)]).toEqual([2, names.slice(0, 4)]);
  expect([await cleanUp(), checked.splice(0)]).toEqual([2, names.slice(4)]);
  expect([await cleanUp(), checked.splice(0)]).toEqual([0, names.filter((name) => name.endsWith('1.png'))]);
});

test('temporary files of crashed processes are deleted after a day', async () => {
  await using server = await startServer();
  const { dataDir } = server.app.config;
  const unfinished = join(dataDir, 'media', '.unfinished');
  for (const folder of [join(dataDir, 'tmp', 'work-1'), unfinished]) await mkdir(folder, { recursive: true });
  await writeFile(join(dataDir, 'tmp', 'part'), 'x');
  await writeFile(join(dataDir, 'tmp', 'work-1', 'original.png'), 'x');
  await writeFile(join(unfinished, 'x'), 'x');
  await server.runSchedule('platform.clean_up_temporary_files');
  expect((await listStoredFiles(server)).length).toBe(3);
  server.clock.advance(90_000);
  await server.runSchedule('platform.clean_up_temporary_files');
  expect(await listStoredFiles(server)).toEqual([]);
  expect(await readdir(join(dataDir, 'tmp'))).toEqual([]);
});

test('STA-11: an edit changes the description and focus of attachments of its own status only', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [mine = '', free = ''] = await uploadMany(alice, 2);
  const statusId = await createPost(alice);
  await transaction(server.app, (tx) =>
    claimMedia(tx, server.app, { accountId: alice.id, statusId, mediaIds: [mine] }),
  );
  const change = (changes: Parameters<typeof updateAttachedMedia>[3]) =>
    transaction(server.app, (tx) => updateAttachedMedia(tx, server.app, statusId, changes));
  expect(await change([{ id: mine, description: 'new', focus: '0.1,0.2' }])).toMatchObject([
    { id: mine, description: 'new', meta: { focus: { x: 0.1, y: 0.2 } } },
  ]);
  expect(await change([{ id: mine, description: 'new' }, { id: free, description: 'no' }, { id: 'x' }])).toEqual([]);
  await expect(change([{ id: mine, description: 'x'.repeat(10_001) }])).rejects.toMatchObject({ status: 422 });
});

test('a JSON object that describes a file by its path is not accepted as a file', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await upload(alice, { file: await createPngFile() });
  const [path = ''] = (await listStoredFiles(server)).map((name) => join(server.app.config.dataDir, 'media', name));
  const file = { path, size: 100, filename: 'a.png', contentType: 'image/png' };
  for (const body of [{ file }, { file: [file] }, { file: 7 }]) {
    const response = await alice.post('/api/v2/media', body);
    expect([response.status, response.json.error]).toEqual([422, 'Validation failed: file is not a file']);
  }
  expect((await alice.put(`/api/v1/media/${json.id}`, { thumbnail: file })).status).toBe(422);
  const avatar = await alice.patch('/api/v1/accounts/update_credentials', { avatar: file });
  expect(avatar.status).toBe(422);
});

test('files of public and unlisted posts are cacheable by proxies, and files of deleted posts are 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const fetchCaching = async (url: string): Promise<[number, string]> => {
    const response = await server.http.inject({ url: new URL(url).pathname });
    return [response.statusCode, String(response.headers['cache-control']).split(',')[0] ?? ''];
  };
  const urls: Record<string, { id: string; file: string; preview: string }> = {};
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
    const { json } = await upload(alice, { file: await createPngFile() });
    for (const url of [json.url, json.preview_url]) expect(await fetchCaching(url)).toEqual([200, 'private']);
    const { id } = (await alice.post('/api/v1/statuses', { status: 'look', media_ids: [json.id], visibility })).json;
    urls[visibility] = { id, file: json.url, preview: json.preview_url };
  }
  for (const [visibility, { file, preview }] of Object.entries(urls)) {
    const expected = visibility === 'public' || visibility === 'unlisted' ? 'public' : 'private';
    for (const url of [file, preview]) expect(await fetchCaching(url), visibility).toEqual([200, expected]);
  }
  const set = (suspended_at: Date | null) =>
    server.db.updateTable('accounts').set({ suspended_at }).where('id', '=', alice.id).execute();
  await set(server.clock.now());
  for (const { file } of Object.values(urls)) expect((await fetchCaching(file))[0]).toBe(404);
  await set(null);
  for (const { id, file, preview } of Object.values(urls)) {
    await alice.delete(`/api/v1/statuses/${id}?delete_media=true`);
    for (const url of [file, preview]) expect((await fetchCaching(url))[0]).toBe(404);
  }
  for (const key of ['attachments/%00.png', 'attachments/a%2fb.png', `attachments/${'a'.repeat(900)}.png`]) {
    expect((await server.http.inject({ url: `/media/${key}` })).statusCode).toBe(404);
  }
});

test('a description can have 10,000 characters, counted as Unicode code points', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const maximum = '🐦'.repeat(10_000);
  const { status, json } = await upload(alice, { file: await createPngFile(), description: maximum });
  expect([status, json.description]).toEqual([200, maximum]);
  const changed = await alice.put(`/api/v1/media/${json.id}`, { description: 'x'.repeat(10_000) });
  expect(changed.json.description).toHaveLength(10_000);
  for (const response of [
    await upload(alice, { file: await createPngFile(), description: `${maximum}x` }),
    await alice.put(`/api/v1/media/${json.id}`, { description: `${maximum}x` }),
  ]) {
    expect([response.status, response.json.error]).toEqual([
      422,
      'Validation failed: Description is too long (maximum is 10000 characters)',
    ]);
  }
});
