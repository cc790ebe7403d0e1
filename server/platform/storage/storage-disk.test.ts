import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { contentTypeOf, isStorageKey } from './storage-keys.ts';
import { createDiskStorage } from './storage-disk.ts';
import type { Storage } from './storage.ts';

let folder: string;
let storage: Storage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldfare-storage-'));
  storage = createDiskStorage(parseConfig({ BASE_URL: 'https://example.org', DATA_DIR: folder }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const body = Buffer.from('0123456789');

test('a stored file is returned with its type until it is deleted', async () => {
  await storage.put('accounts/avatars/a1.png', body, 'image/png');
  expect(await storage.get('accounts/avatars/a1.png')).toEqual({ body, contentType: 'image/png', size: 10 });
  await storage.delete('accounts/avatars/a1.png');
  expect(await storage.get('accounts/avatars/a1.png')).toBeUndefined();
  await storage.delete('accounts/avatars/a1.png');
});

test('files and folders are accessible to the server only, whatever the umask and the mode of the source', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const source = join(folder, 'source');
  await writeFile(source, body, { mode: 0o644 });
  await storage.put('modes/put.png', body, 'image/png');
  await storage.putFile('modes/copied.png', source, 'image/png');
  const modes = ['', '.unfinished', 'modes', 'modes/put.png', 'modes/copied.png'].map(
    (name) => statSync(join(folder, 'media', name)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600]);
});

test('a file has a public URL', () => {
  expect(storage.url('a/b.png')).toBe('https://example.org/media/a/b.png');
});

test('a file replaces an earlier one with the same key', async () => {
  await storage.put('again.mp4', body, 'video/mp4');
  await storage.put('again.mp4', Buffer.from('new'), 'video/mp4');
  expect((await storage.get('again.mp4'))?.body.toString()).toBe('new');
});

test('parts of a file can be read', async () => {
  await storage.put('parts.mp4', body, 'video/mp4');
  const part = async (start: number, end: number) => (await storage.get('parts.mp4', { start, end }))?.body.toString();
  expect(await storage.get('parts.mp4', { start: 2, end: 4 })).toEqual({
    body: Buffer.from('234'),
    contentType: 'video/mp4',
    size: 10,
  });
  expect(await part(8, 100)).toBe('89');
  expect(await part(10, 12)).toBe('');
});

test('a file that cannot be stored completely leaves no traces', async () => {
  await storage.put('taken/file.png', body, 'image/png');
  // A file cannot be inside a file.
  await storage.put('folder.png', body, 'image/png');
  await expect(storage.put('folder.png/inside.png', body, 'image/png')).rejects.toThrow();
  await expect(storage.put('taken/file.png', body, 'text/html')).rejects.toThrow();
  expect(await readdir(join(folder, 'media', 'taken'))).toEqual(['file.png']);
  expect(await readdir(join(folder, 'media', '.unfinished'))).toEqual([]);
});

const escapes = [
  ...'../secret.png|a/../../secret.png|/etc/passwd|a//b.png|./a.png|a/.hidden.png|.hidden.png|a\\b.png'.split('|'),
  ...'a%2e%2e/b.png|A/b.png|a.png\0.txt|a b.png|a.png/|a|a.|-a.png|é/b.png|a.html.png.|con:a.png|a/..png'.split('|'),
];

test('a key cannot leave the folder', async () => {
  await writeFile(join(folder, 'secret.png'), 'secret');
  for (const key of escapes) {
    expect(isStorageKey(key), key).toBe(false);
    expect(await storage.get(key), key).toBeUndefined();
    await expect(storage.put(key, body, 'image/png'), key).rejects.toThrow();
    await expect(storage.delete(key), key).rejects.toThrow();
  }
  expect(await readdir(folder)).toContain('secret.png');
});

test('files keep the names that they had in Mastodon', async () => {
  const keys = ['Blob_Cat-2.png', 'IMG_1.HEIC.JPG', 'Zoë_(1).jpeg', '猫.gif', "it's!.PNG"].map(
    (name) => `custom_emojis/images/000/001/234/original/${name}`,
  );
  for (const key of keys) {
    await storage.put(key, body, contentTypeOf(key));
    expect((await storage.get(key))?.contentType).toMatch(/^image\/(?:png|jpeg|gif)$/);
    expect(storage.url(key)).toBe(new URL(`https://example.org/media/${key}`).href);
  }
  expect((await storage.list('custom_emojis', { limit: 10 })).files.map(({ key }) => key).toSorted()).toEqual(
    keys.toSorted(),
  );
});

test('joining a valid key to a folder does not change its path', () => {
  const part = fc.constantFrom('a', 'b1', '.', '..', '/', '\\', '%', '-', '_', 'png', '.png', '\0', ' ');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const key = parts.join('');
      if (isStorageKey(key)) expect(join('/root', key)).toBe(`/root/${key}`);
      return true;
    }),
  );
});

test('no stored type can run in a browser', () => {
  for (const key of ['a.html', 'a.svg', 'a.js', 'a.xml', 'a.json', 'a.xhtml']) {
    expect(contentTypeOf(key)).toBe('application/octet-stream');
  }
});
