import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendDigest, digestEntry } from '../../../server/backup/archive/digest.ts';
import { decrypt, encrypt, encryptionHeaderBytes } from '../../../server/backup/archive/encryption.ts';
import { classifyEntry } from '../../../server/backup/archive/entries.ts';
import { holdBack, splitFrames } from '../../../server/backup/archive/split-stream.ts';
import { createPace } from '../../../server/backup/create/pace.ts';
import { verifyBackup } from '../../../server/backup/index.ts';
import { startServer } from '../../server.ts';
import { backUp, emptyInstance, forge, instanceOf, newFolder, restore, type Entries } from './backup-scene.ts';

const passphrase = 'correct horse battery staple';
const chunks = fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)));

test('a stream is split into frames, and its end is held back, however it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 50 }), async (parts, size) => {
      const all = Buffer.concat(parts);
      const frames = [];
      for await (const frame of splitFrames(Readable.from(parts), size)) frames.push(frame);
      expect(Buffer.concat(frames.map(({ bytes }) => bytes))).toEqual(all);
      expect(frames.map(({ isLast }) => isLast).lastIndexOf(false)).toBe(frames.length - 2);
      expect(frames.slice(0, -1).every(({ bytes }) => bytes.length === size)).toBe(true);
      const start: Buffer[] = [];
      const held = holdBack(Readable.from(parts), size);
      let next = await held.next();
      for (; next.done !== true; next = await held.next()) start.push(next.value);
      expect([Buffer.concat(start), next.value]).toEqual([all.subarray(0, -size), all.subarray(-size)]);
    }),
  );
});

test('an encrypted stream is decrypted, and any cut or change is noticed', async () => {
  const plain = Buffer.alloc(200_000, 'fieldfare');
  const sealed = await buffer(encrypt(Readable.from([plain]), passphrase));
  expect(sealed.includes('fieldfare', encryptionHeaderBytes)).toBe(false);
  const open = (bytes: Buffer): Promise<Buffer> =>
    buffer(
      decrypt(
        Readable.from([bytes.subarray(encryptionHeaderBytes)]),
        bytes.subarray(0, encryptionHeaderBytes),
        passphrase,
      ),
    );
  expect(await open(sealed)).toEqual(plain);
  const frame = 65_536 + 16;
  for (const length of [encryptionHeaderBytes + 2 * frame, sealed.length - 1])
    await expect(open(sealed.subarray(0, length)), String(length)).rejects.toThrow(/cut short|passphrase is wrong/);
  for (const at of [encryptionHeaderBytes - 1, sealed.length - 1, 100_000]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(open(changed), String(at)).rejects.toThrow(/damaged/);
  }
});

test('only the entries of a backup are accepted: no path leads out of the data folder', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc
      .constantFrom('../', '/', 'media/../', 'secrets/../', 'database/../', 'media//', 'secrets/')
      .chain((start) => fc.string().map((rest) => start + rest)),
    fc.stringMatching(/^(?:media|secrets|database)\/[a-z./\\]{1,20}\.(?:png|key|env|copy\.zst)$/),
  );
  fc.assert(
    fc.property(hostile, (name) => {
      try {
        const entry = classifyEntry({ name, size: 1, type: 'file' });
        const path = 'key' in entry ? entry.key : 'fileName' in entry ? entry.fileName : '';
        expect(path).not.toMatch(/(?:^|\/)\.\.(?:\/|$)|^\/|\\|\0/);
      } catch (error) {
        expect((error as Error).name).toBe('BackupError');
      }
    }),
    { numRuns: 1_000 },
  );
  for (const type of ['symlink', 'link', 'directory', 'fifo'])
    expect(() => classifyEntry({ name: 'media/a.png', size: 0, type })).toThrow('unknown entry');
  for (const name of ['backup.json', 'secrets/push-tokens.key', 'database/users/000000.copy.zst'])
    expect(() => classifyEntry({ name, size: 1e9, type: 'file' })).toThrow('is too large');
});

test('a backup that was cut or changed in one byte is refused, and restored nowhere', async () => {
  await using server = await startServer();
  await server.user('alice');
  const source = await instanceOf(server);
  await source.storage.put('a/b.png', Buffer.alloc(5_000, 1), 'image/png');
  const path = await backUp(source);
  const intact = await readFile(path);
  const changed = join(newFolder(), 'changed.tar');
  const verify = (): Promise<unknown> => verifyBackup(changed, { passphrase: undefined });
  await writeFile(changed, intact);
  await verify();
  const places = fc.sample(fc.integer({ min: 0, max: intact.length - 1 }), 25);
  for (const at of [
    0,
    300,
    intact.length - 2_048,
    intact.length - 1_500,
    intact.length - 1_100,
    intact.length - 1,
    ...places,
  ]) {
    const copy = Buffer.from(intact);
    copy.writeUInt8(copy.readUInt8(at) ^ 4, at);
    await writeFile(changed, copy);
    await expect(verify(), `byte ${at}`).rejects.toMatchObject({ name: 'BackupError' });
  }
  const target = await emptyInstance();
  await expect(restore(target, changed)).rejects.toMatchObject({ name: 'BackupError' });
  expect(readdirSync(join(target.config.dataDir, '..'))).toEqual([]);
  for (const length of [0, 10, 512, 5_000, intact.length - 1_024, intact.length - 1]) {
    await writeFile(changed, intact);
    await truncate(changed, length);
    await expect(verify(), `${length} bytes`).rejects.toMatchObject({ name: 'BackupError' });
  }
  await writeFile(changed, Buffer.concat([intact, Buffer.alloc(512)]));
  await expect(verify()).rejects.toThrow('checksum');
});

test('GNU tar unpacks a backup, and what it packs again is a backup', async () => {
  await using server = await startServer();
  await server.user('alice');
  const source = await instanceOf(server);
  await source.storage.put('a/b.png', Buffer.alloc(5_000, 1), 'image/png');
  const path = await backUp(source);
  const [folder, packed] = [newFolder(), join(newFolder(), 'packed.tar')];
  execFileSync('tar', ['--extract', '--file', path, '--directory', folder]);
  const names: string[] = [];
  for (const { header, data } of await unpackTar(await readFile(path))) {
    expect((await readFile(join(folder, header.name))).equals(Buffer.from(data ?? []))).toBe(true);
    if (header.name !== digestEntry) names.push(header.name);
  }
  execFileSync('tar', ['--create', '--format=ustar', '--blocking-factor=1', '--file', packed, ...names], {
    cwd: folder,
  });
  const complete = join(newFolder(), 'complete.tar');
  await writeFile(complete, await buffer(appendDigest(createReadStream(packed))));
  expect(await verifyBackup(complete, { passphrase: undefined })).toEqual(
    await verifyBackup(path, { passphrase: undefined }),
  );
});

test('a crafted backup with a valid checksum is refused', async () => {
  await using server = await startServer();
  await server.user('alice');
  const path = await backUp(await instanceOf(server));
  const verify = async (change: (entries: Entries) => Entries): Promise<unknown> =>
    verifyBackup(await forge(path, change), { passphrase: undefined });
  const add =
    (name: string, data = Buffer.from('x'), type: 'file' | 'symlink' = 'file') =>
    (entries: Entries): Entries =>
      entries.toSpliced(1, 0, { header: { name, size: data.length, type, linkname: '/etc/passwd' }, data });
  await verify((entries) => entries);
  await expect(verify(add('media/../../evil.png'))).rejects.toThrow('unknown entry');
  await expect(verify(add('/etc/cron.d/evil.png'))).rejects.toThrow('unknown entry');
  await expect(verify(add('media/link.png', Buffer.alloc(0), 'symlink'))).rejects.toThrow('unknown entry');
  await expect(verify(add('media/more.png'))).rejects.toThrow('media are missing');
  await expect(verify(add('database/users/000000.copy.zst'))).rejects.toThrow('out of order');
  await expect(verify((entries) => [...entries.slice(0, 1), ...entries.slice(1).toReversed()])).rejects.toThrow(
    'out of order',
  );
  await expect(verify((entries) => entries.slice(1))).rejects.toThrow('is not a backup');
  await expect(verify((entries) => entries.slice(0, -1))).rejects.toThrow('its last part is missing');
  await expect(
    verify((entries) => entries.filter(({ header }) => !header.name.startsWith('database/users/'))),
  ).rejects.toThrow('rows of the table users are missing');
  const bomb = zstdCompressSync(Buffer.alloc(100_000_000));
  await expect(
    verify((entries) =>
      entries.map((entry) =>
        entry.header.name.startsWith('database/users/')
          ? { header: { ...entry.header, size: bomb.length }, data: bomb }
          : entry,
      ),
    ),
  ).rejects.toThrow('cannot be decompressed');
  await expect(
    verify((entries) =>
      entries.map((entry) =>
        entry.header.name === 'database.json'
          ? { header: { ...entry.header, size: 2 }, data: Buffer.from('{}') }
          : entry,
      ),
    ),
  ).rejects.toThrow('database.json is invalid');
});

test('reads are paced: time in which nothing was read is not made up for', async () => {
  let now = 0;
  const pauses: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    pauses.push(ms);
    now += ms;
  };
  const pace = createPace(1_000, { now: () => now, wait });
  await pace(100);
  await pace(50);
  now += 10_000;
  await pace(100);
  await pace(1);
  expect(pauses).toEqual([100, 50, 100]);
});
