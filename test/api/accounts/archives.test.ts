import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cleanUpArchives } from '../../../server/account-data/clean-up.ts';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { WorkerLoop } from '../../../server/platform/work/worker-loop.ts';
import { newId } from '../../../server/platform/ids.ts';
import { storeWebSettings } from '../../../server/users/settings/index.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const archives = '/api/v1/fieldfare/archives';
const week = 7 * 86_400;

const createPng = async (): Promise<File> => {
  const body = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#396' } })
    .png()
    .toBuffer();
  return new File([new Uint8Array(body)], 'bird.png', { type: 'image/png' });
};

const upload = async (user: TestUser): Promise<string> =>
  (await user.post('/api/v2/media', await multipart({ file: await createPng() }))).json.id;

const post = async (user: TestUser, status: string, more: object = {}) =>
  (await user.post('/api/v1/statuses', { status, ...more })).json;

/** Requests an archive, lets it be built and returns it. */
async function request(server: TestServer, user: TestUser) {
  const { status, text, json } = await user.post(archives);
  expect(status, text).toBe(200);
  await server.drain();
  const { json: list } = await user.get(archives);
  return list.find(({ id }: { id: string }) => id === json.id);
}

async function keyOf(server: TestServer, id: string): Promise<string> {
  const { rows } = await server.pool.query('select storage_key from archives where id = $1', [id]);
  return rows[0].storage_key;
}

/** Returns the files of the stored archive by name. */
async function read(server: TestServer, id: string): Promise<Map<string, Buffer>> {
  const file = await server.app.storage.get(await keyOf(server, id));
  const entries = await unpackTar(gunzipSync(file?.body ?? Buffer.alloc(0)));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
}

const parse = (files: Map<string, Buffer>, name: string) => JSON.parse(String(files.get(name)));

async function storedArchives(server: TestServer): Promise<string[]> {
  const folder = join(server.app.config.dataDir, 'media', 'archives');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('an archive has all own posts, boosts, files, favourites and bookmarks, and nothing of others', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const theirs = await post(bob, 'of bob');
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) await post(alice, visibility, { visibility });
  await post(alice, 'with a bird', { media_ids: [await upload(alice)] });
  for (const action of ['favourite', 'bookmark', 'reblog']) await alice.post(`/api/v1/statuses/${theirs.id}/${action}`);
  const data = { columns: [{ id: 'a', source: 'home' }] };
  await storeWebSettings(server.app, alice.userId, { data, version: undefined });
  const identity = { issuer: 'https://id.test', subject: 'person-1', email: null, last_used_at: null };
  const created = new Date('2026-01-02T03:04:05.000Z');
  await server.db
    .insertInto('identities')
    .values({
      ...identity,
      id: newId<'identity'>(created),
      user_id: alice.userId,
      created_at: created,
      granted_role_id: null,
    })
    .execute();
  const archive = await request(server, alice);
  expect(archive).toMatchObject({ state: 'ready', posts_written: 6, posts_total: 6, problem: null });
  expect(server.outbox).toMatchObject([
    {
      to: 'alice@mail.test',
      subject: 'Your archive on fieldfare.test is ready',
      text: expect.stringContaining('/preferences/data'),
    },
  ]);

  const files = await read(server, archive.id);
  const outbox = parse(files, 'outbox.json');
  expect(outbox).toMatchObject({ type: 'OrderedCollection', totalItems: 6 });
  expect(outbox.orderedItems.map(({ type }: { type: string }) => type)).toEqual([
    ...Array<string>(5).fill('Create'),
    'Announce',
  ]);
  expect(outbox.orderedItems[3].object.content).toContain('direct');
  expect(outbox.orderedItems[5].object).toBe(theirs.uri);
  const { url } = outbox.orderedItems[4].object.attachment[0];
  expect(url).toMatch(/^media_attachments\//);
  const stored = await server.app.storage.get(url.slice('media_attachments/'.length));
  expect(files.get(url)).toEqual(stored?.body);
  expect(parse(files, 'likes.json').orderedItems).toEqual([theirs.uri]);
  expect(parse(files, 'bookmarks.json').orderedItems).toEqual([theirs.uri]);
  expect(parse(files, 'web_settings.json')).toEqual(data);
  expect(parse(files, 'linked_sign_ins.json')).toEqual([{ ...identity, created_at: created.toISOString() }]);
  expect(parse(files, 'actor.json')).toMatchObject({ preferredUsername: 'alice', outbox: 'outbox.json' });
  expect(files.has('missing_files.json')).toBe(false);

  const download = await alice.get(`${archives}/${archive.id}/file`);
  expect(download.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(archive.size),
    'cache-control': 'private, no-store',
  });
  expect((await server.anonymous.get(`/media/${await keyOf(server, archive.id)}`)).status).toBe(404);
});

test('only its owner with the scope read downloads an archive, and with the scope write deletes it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = await request(server, alice);
  const file = `${archives}/${id}/file`;
  expect((await server.anonymous.get(file)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'write')).get(file)).status).toBe(403);
  expect((await bob.get(file)).status).toBe(404);
  expect((await bob.delete(`${archives}/${id}`)).status).toBe(404);
  expect((await (await server.withScopes(alice, 'read')).delete(`${archives}/${id}`)).status).toBe(403);
  expect((await bob.get(archives)).json).toEqual([]);
  expect((await alice.get(file)).status).toBe(200);
  expect((await alice.delete(`${archives}/${id}`)).status).toBe(200);
  await server.drain();
  expect((await alice.get(file)).status).toBe(404);
  expect(await storedArchives(server)).toEqual([]);
});

test('an archive can be requested once in 7 days, even if it was deleted, and expires after 7 days', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: first } = await alice.post(archives);
  expect((await alice.post(archives)).status).toBe(409);
  await alice.delete(`${archives}/${first.id}`);
  await server.drain();
  expect(await storedArchives(server)).toEqual([]);
  const early = await alice.post(archives);
  expect(early.status).toBe(429);
  expect(early.json).toMatchObject({
    error: expect.stringContaining('once in 7 days'),
    next_request_at: first.next_request_at,
  });
  server.clock.advance(week);
  const second = await request(server, alice);
  expect(second.state).toBe('ready');
  server.clock.advance(week);
  expect((await alice.get(`${archives}/${second.id}/file`)).status).toBe(404);
  await cleanUpArchives.run(server.app);
  await server.drain();
  expect((await alice.get(archives)).json[0].state).toBe('expired');
  expect(await storedArchives(server)).toEqual([]);
});

test('an archive that was interrupted is built again without what was left, and names missing files', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, 'with a bird', { media_ids: [await upload(alice)] });
  const { rows } = await server.pool.query('select file_key from media_attachments');
  await server.app.storage.delete(rows[0].file_key);
  const { json } = await alice.post(archives);
  expect(json).toMatchObject({ state: 'waiting', posts_written: 0, posts_total: null });
  // As a process leaves it that was killed while it stored the file.
  const key = await keyOf(server, json.id);
  const folder = join(server.app.config.dataDir, 'tmp', `archive-${json.id}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'archive.tgz'), 'half');
  await writeFile(join(folder, 'outbox.json'), '{"half":');
  await server.app.storage.put(key, Buffer.from('half'), 'application/gzip');
  await server.pool.query("update archives set state = 'building', attempts = 1, posts_written = 9");
  await server.drain();
  expect((await alice.get(archives)).json[0]).toMatchObject({ state: 'ready', posts_written: 1, posts_total: 1 });
  expect(parse(await read(server, json.id), 'missing_files.json')).toEqual([`media_attachments/${rows[0].file_key}`]);
  expect(await storedArchives(server)).toHaveLength(1);
  expect((await readdir(join(server.app.config.dataDir, 'tmp'))).filter((name) => name.startsWith('archive'))).toEqual(
    [],
  );
});

test('a process that stops leaves an archive to others, without a failure', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, 'one');
  await alice.post(archives);
  await new WorkerLoop(server.app, []).stop();
  await server.drain();
  expect((await alice.get(archives)).json).toMatchObject([{ state: 'waiting', problem: null }]);
  expect(await storedArchives(server)).toEqual([]);
  const { rows: jobs } = await server.pool.query(
    "select name, run_at > $1 as is_later from jobs where name like 'account_data.build%'",
    [server.app.clock.now()],
  );
  expect(jobs).toEqual([{ name: 'account_data.build_archive', is_later: true }]);
  const { rows } = await server.pool.query('select attempts from archives');
  expect(rows).toEqual([{ attempts: 0 }]);
});

test('the archives of a deleted account are deleted, and one in the making leaves no file', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await request(server, alice);
  await bob.post(archives);
  for (const { id } of [alice, bob]) await deleteAccount(server.app, id);
  await server.drain();
  expect((await server.pool.query('select from archives')).rowCount).toBe(0);
  expect(await storedArchives(server)).toEqual([]);
});

test('the profile has its images in the archive', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const images = await multipart({ avatar: await createPng(), header: await createPng() });
  expect((await alice.patch('/api/v1/accounts/update_credentials', images)).status).toBe(200);
  const files = await read(server, (await request(server, alice)).id);
  const { icon, image } = parse(files, 'actor.json');
  const { rows } = await server.pool.query('select avatar_key, header_key from accounts where id = $1', [alice.id]);
  expect(files.get(icon.url)).toEqual((await server.app.storage.get(rows[0].avatar_key))?.body);
  expect(files.get(image.url)).toEqual((await server.app.storage.get(rows[0].header_key))?.body);
});

test('a suspended account has no archive made, and an archive begun too often fails', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await alice.post(archives);
  await bob.post(archives);
  await server.pool.query('update accounts set suspended_at = now() where id = $1', [alice.id]);
  await server.pool.query("update archives set state = 'building', attempts = 5 where account_id = $1", [bob.id]);
  await server.drain();
  const { rows } = await server.pool.query('select problem, storage_key from archives order by id');
  expect(rows).toEqual([
    { problem: 'suspended', storage_key: null },
    { problem: 'failed', storage_key: null },
  ]);
  expect(await storedArchives(server)).toEqual([]);
  expect((await request(server, bob)).state).toBe('ready');
});

test('an archive whose files cannot be stored is built again later, and others do not wait for it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { storage } = server.app;
  const putFile = storage.putFile.bind(storage);
  let failures = 0;
  storage.putFile = async (...args) => {
    failures += 1;
    if (failures === 1) throw new Error('The storage is unavailable');
    return putFile(...args);
  };
  await alice.post(archives);
  await server.drain();
  expect((await alice.get(archives)).json).toMatchObject([{ state: 'waiting', problem: null }]);
  expect((await alice.post(archives)).status).toBe(409);
  for (const user of [bob, await server.user('carol')]) expect((await request(server, user)).state).toBe('ready');
  server.clock.advance(60_000);
  await server.drain();
  expect((await alice.get(archives)).json).toMatchObject([{ state: 'ready' }]);
  expect(await storedArchives(server)).toHaveLength(3);
});

test('an archive that failed does not limit the next request, also if it is deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  server.app.storage.putFile = async () => {
    throw new Error('The storage is unavailable');
  };
  const { json } = await alice.post(archives);
  for (let attempt = 1; attempt <= 5; attempt++) {
    await server.drain();
    server.clock.advance(3_600_000);
  }
  expect((await alice.get(archives)).json).toMatchObject([{ state: 'failed', next_request_at: null }]);
  expect((await alice.delete(`${archives}/${json.id}`)).status).toBe(200);
  expect((await alice.get(archives)).json).toEqual([]);
  expect((await alice.post(archives)).status).toBe(200);
  await alice.delete(`${archives}/${json.id}`);
});

test('an archive that is deleted while it is built stops and leaves no file', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, 'a post');
  const { json } = await alice.post(archives);
  // Deletes it when the job begins it.
  await server.pool.query(`
    create function delete_begun() returns trigger language plpgsql as $$
    begin
      update archives set state = 'deleted', storage_key = null where id = new.id;
      return null;
    end $$`);
  await server.pool.query(`
    create trigger delete_begun after update on archives for each row
    when (old.state = 'waiting' and new.state = 'building') execute function delete_begun()`);
  await server.drain();
  const { json: list } = await alice.get(archives);
  expect(list).toMatchObject([{ id: json.id, state: 'deleted', posts_written: 0 }]);
  expect(await storedArchives(server)).toEqual([]);
});
