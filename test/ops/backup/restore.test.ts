import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { basename, dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { verifyBackup } from '../../../server/backup/index.ts';
import { multipart, startServer, type TestServer } from '../../server.ts';
import { requireOldPostgres, startOldPostgres } from '../old-postgres.ts';
import {
  backUp,
  dumpDatabase,
  dumpMedia,
  dumpSchema,
  emptyInstance,
  forge,
  instanceOf,
  newFolder,
  restore,
  type Entries,
} from './backup-scene.ts';

const passphrase = 'correct horse battery staple';

/** Fills a server with accounts, a post with an image, texts that COPY escapes, and a key. */
async function fill(server: TestServer): Promise<void> {
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a52' } })
    .png()
    .toBuffer();
  const uploaded = await alice.post('/api/v2/media', await multipart({ file: new Blob([new Uint8Array(image)]) }));
  const { id } = uploaded.json as { id: string };
  await alice.post('/api/v1/statuses', { status: 'Tab\tback\\slash \\N\n\nline 🦜', media_ids: [id] });
  await server.drain();
  const secrets = join(server.app.config.dataDir, 'secrets');
  await mkdir(secrets, { recursive: true });
  await writeFile(join(secrets, 'push-tokens.key'), Buffer.alloc(32, 7));
}

test('a restored backup has every row, index, constraint, file, key and setting', async () => {
  await using server = await startServer();
  await fill(server);
  const source = await instanceOf(server);
  const settings = { BASE_URL: 'https://fieldfare.test', SMTP_URL: `smtp://a:"it's"@mail.test`, PORT: '3000' };
  const steps = new Set<string>();
  const path = await backUp(source, { settings, onProgress: (step) => steps.add(step) });
  expect([...steps]).toEqual(['Copying media', 'Copying tables']);
  const target = await emptyInstance();
  const { summary, settingsPath } = await restore(target, path);
  expect(summary).toMatchObject({ rows: { statuses: 1, follows: 1 }, media: { deleted: 0 } });
  expect(await dumpDatabase(target.connection)).toEqual(await dumpDatabase(source.connection));
  expect(await dumpSchema(target.connection)).toEqual(await dumpSchema(source.connection));
  const media = await dumpMedia(source);
  expect(Object.keys(media).length).toBeGreaterThan(1);
  expect(await dumpMedia(target)).toEqual(media);
  const secrets = dirname(settingsPath);
  expect(readdirSync(secrets).toSorted()).toEqual(['push-tokens.key', 'restored.env']);
  expect(await readFile(join(secrets, 'push-tokens.key'))).toEqual(Buffer.alloc(32, 7));
  const restored = await readFile(settingsPath, 'utf8');
  expect(parseEnv(restored)).toEqual({ BASE_URL: settings.BASE_URL, SMTP_URL: settings.SMTP_URL });
  expect(restored).toContain(`# PORT='3000'`);
  expect(readdirSync(join(target.config.dataDir, 'tmp'))).toEqual([]);
});

test('a backup moves an instance to an installed PostgreSQL, also an older one', async (context) => {
  requireOldPostgres(context);
  await using server = await startServer();
  await fill(server);
  const source = await instanceOf(server);
  const path = await backUp(source);
  const installed = await startOldPostgres(join(newFolder(), 'postgres'));
  onTestFinished(() => installed.stop());
  const target = { ...(await emptyInstance()), connection: { connectionString: installed.connectionString } };
  await restore(target, path);
  expect(await dumpDatabase(target.connection)).toEqual(await dumpDatabase(source.connection));
});

test('a backup that is made while people post is one moment of the database', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const source = await instanceOf(server);
  await alice.post('/api/v1/statuses', { status: 'First' });
  const backedUp = new AbortController();
  const posting = (async () => {
    for (let number = 0; !backedUp.signal.aborted; number += 1)
      await alice.post('/api/v1/statuses', { status: `Post ${number}` });
  })();
  const path = await backUp(source, { passphrase }).finally(() => backedUp.abort());
  await posting;
  const target = await emptyInstance();
  await restore(target, path, passphrase);
  const dump = await dumpDatabase(target.connection);
  const counters = (dump['account_stats'] ?? []).map(
    (row) => (JSON.parse(row) as { statuses_count: number }).statuses_count,
  );
  expect(Math.max(...counters)).toBeGreaterThan(0);
  expect(Math.max(...counters)).toBe(dump['statuses']?.length);
});

test('files that are stored or deleted during a backup', async () => {
  await using server = await startServer();
  const source = await instanceOf(server);
  const { storage } = source;
  for (const name of ['a', 'b', 'c']) await storage.put(`attachments/${name}.png`, Buffer.from(name), 'image/png');
  let hasChanged = false;
  const path = await backUp(source, {
    onProgress: () => {
      if (hasChanged) return;
      hasChanged = true;
      void storage.delete('attachments/c.png');
      void storage.put('attachments/0.png', Buffer.from('new'), 'image/png');
    },
  });
  const { summary } = await verifyBackup(path, { passphrase: undefined });
  expect(summary.media.files + summary.media.deleted).toBe(4);
  const target = await emptyInstance();
  await restore(target, path);
  expect(await dumpMedia(target)).toMatchObject({
    'attachments/0.png': Buffer.from('new').toString('hex'),
    'attachments/a.png': Buffer.from('a').toString('hex'),
  });
});

test('a stopped backup leaves no file', async () => {
  await using server = await startServer();
  await fill(server);
  const source = await instanceOf(server);
  const folder = newFolder();
  for (const step of ['Copying media', 'Copying tables']) {
    const stop = new AbortController();
    const onProgress = (current: string): void => {
      if (current === step) stop.abort(new Error('stopped'));
    };
    await expect(backUp(source, { folder, signal: stop.signal, onProgress })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  }
  const path = await backUp(source, { folder });
  await expect(backUp(source, { folder })).rejects.toThrow('exists');
  expect(readdirSync(folder)).toEqual([basename(path)]);
});

test('a restore is refused where data is, and a failed one leaves nothing', async () => {
  await using server = await startServer();
  await fill(server);
  const source = await instanceOf(server);
  const path = await backUp(source, { passphrase });
  const before = await dumpDatabase(source.connection);
  const occupied = await emptyInstance();
  await occupied.storage.put('a.png', Buffer.from('mine'), 'image/png');
  await expect(restore(occupied, path, passphrase)).rejects.toThrow('There are media already');
  expect(await dumpMedia(occupied)).toEqual({ 'a.png': Buffer.from('mine').toString('hex') });
  const target = await emptyInstance();
  await expect(restore({ ...target, connection: source.connection }, path, passphrase)).rejects.toThrow(
    'The database is not empty',
  );
  expect(await dumpDatabase(source.connection)).toEqual(before);
  await expect(restore(target, path, 'another passphrase')).rejects.toThrow('The passphrase is wrong');
  await expect(restore(target, path)).rejects.toThrow('This backup is encrypted');

  const plain = await backUp(source);
  const forged = await forge(plain, (entries) =>
    entries.map((entry) => (entry.header.name.startsWith('database/users/') ? withData(entry, emptyFrame) : entry)),
  );
  await expect(restore(target, forged)).rejects.toThrow('rows of the table users are missing');
  const orphans = await forge(plain, (entries) =>
    entries
      .filter(({ header }) => !header.name.startsWith('database/users/'))
      .map((entry) => (entry.header.name === 'summary.json' ? withoutUsers(entry) : entry)),
  );
  await expect(restore(target, orphans)).rejects.toThrow('The database rejected the backup');
  expect(await dumpDatabase(target.connection)).toEqual({});
  expect(await dumpMedia(target)).toEqual({});
  expect(readdirSync(join(target.config.dataDir, 'secrets'))).toEqual([]);
  await restore(target, path, passphrase);
  expect((await dumpDatabase(target.connection))['users']).toEqual(before['users']);
});

type Entry = Entries[number];

const emptyFrame = zstdCompressSync(Buffer.alloc(0));

const withData = (entry: Entry, data: Buffer<ArrayBuffer>): Entry => ({
  header: { ...entry.header, size: data.length },
  data,
});

function withoutUsers(entry: Entry): Entry {
  const summary = JSON.parse(Buffer.from(entry.data ?? []).toString()) as { rows: { users: number } };
  summary.rows.users = 0;
  return withData(entry, Buffer.from(JSON.stringify(summary)));
}

test('a killed restore can be repeated', async () => {
  await using server = await startServer();
  await fill(server);
  const path = await backUp(await instanceOf(server));
  const target = await emptyInstance();
  const secrets = join(target.config.dataDir, 'secrets');
  await mkdir(secrets, { recursive: true });
  await writeFile(join(secrets, 'restore.unfinished'), '');
  await target.storage.put('attachments/half.png', Buffer.from('half'), 'image/png');
  await restore(target, path);
  expect(existsSync(join(secrets, 'restore.unfinished'))).toBe(false);
});
