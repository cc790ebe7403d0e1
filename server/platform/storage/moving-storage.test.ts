import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { MovingStorage } from './moving-storage.ts';
import { DiskStorage } from './storage-disk.ts';
import type { Storage } from './storage.ts';

const root = await mkdtemp(join(tmpdir(), 'ff-moving-'));
afterAll(() => rm(root, { recursive: true }));

let [source, target]: DiskStorage[] = [];
let moving: MovingStorage;
beforeEach(async () => {
  const folder = await mkdtemp(join(root, 'case-'));
  source = new DiskStorage(join(folder, 'old'), 'https://a.test/media');
  target = new DiskStorage(join(folder, 'new'), 'https://a.test/media');
  moving = new MovingStorage(source, target);
});

const places = (): { source: DiskStorage; target: DiskStorage } => {
  if (source === undefined || target === undefined) throw new Error('no storage');
  return { source, target };
};
const store = (storage: Storage, key: string, text = key) => storage.put(key, Buffer.from(text), 'image/png');
const read = async (key: string) => (await moving.get(key))?.body.toString();

async function listAll(storage: Storage, folder = '', limit = 2): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await storage.list(folder, { after, limit });
    keys.push(...page.files.map(({ key }) => key));
    if (page.next === undefined) return keys;
    after = page.next;
  }
}

test('files are read from where they are, new ones go to the new place, and deleted ones are gone from both', async () => {
  const { source: old, target: next } = places();
  await store(old, 'a/one.png');
  await store(old, 'a/both.png');
  await store(next, 'a/both.png');
  await store(moving, 'a/two.png');
  const path = join(root, 'copy');
  await writeFile(path, 'three');
  await moving.putFile('b/three.png', path, 'image/png');
  expect(await Promise.all(['a/one.png', 'a/two.png', 'b/three.png', 'none.png'].map(read))).toEqual([
    'a/one.png',
    'a/two.png',
    'three',
    undefined,
  ]);
  expect((await moving.get('a/one.png', { start: 2, end: 4 }))?.body.toString()).toBe('one');
  expect((await moving.openStream('a/one.png'))?.size).toBe(9);
  expect([await moving.copyTo('a/one.png', path), await moving.copyTo('none.png', path)]).toEqual([true, false]);
  expect(moving.url('a/one.png')).toBe('https://a.test/media/a/one.png');
  expect(await listAll(old)).toEqual(['a/both.png', 'a/one.png']);
  expect(await listAll(moving)).toEqual(['a/both.png', 'a/two.png', 'b/three.png', 'a/one.png']);
  expect(await listAll(moving, 'b')).toEqual(['b/three.png']);
  for (const key of ['a/one.png', 'a/both.png', 'none.png']) await moving.delete(key);
  expect(await listAll(moving)).toEqual(['a/two.png', 'b/three.png']);
});

test('all files are moved while others read them, and a move that stops half-way goes on', async () => {
  const { source: old, target: next } = places();
  const keys = Array.from({ length: 40 }, (_, index) => `f${index % 3}/${index}.png`).toSorted();
  for (const key of keys) await store(old, key);
  let left = 10;
  const failing = new MovingStorage(
    old,
    new Proxy(next, {
      get(place, name) {
        if (name === 'putFile' && (left -= 1) < 0) return () => Promise.reject(new Error('the bucket is gone'));
        const member: unknown = Reflect.get(place, name);
        return typeof member === 'function' ? member.bind(place) : member;
      },
    }),
  );
  await expect(failing.moveAll(() => {})).rejects.toThrow('the bucket is gone');
  expect((await listAll(moving)).toSorted()).toEqual(keys);
  expect(await moving.countSource()).toBeGreaterThan(20);

  const sizes: number[] = [];
  const end = new AbortController();
  const missed: string[] = [];
  const reading = (async () => {
    while (!end.signal.aborted) for (const key of keys) if ((await read(key)) !== key) missed.push(key);
  })();
  await moving.moveAll((bytes) => sizes.push(bytes));
  end.abort();
  await reading;
  expect(missed).toEqual([]);
  expect(sizes.length).toBeGreaterThan(20);
  expect([await listAll(old), await moving.countSource(), (await listAll(next)).toSorted()]).toEqual([[], 0, keys]);
});

test('a file that arrived only in part is moved again', async () => {
  const { source: old, target: next } = places();
  await store(old, 'a/one.png', 'the whole file');
  await store(next, 'a/one.png', 'the who');
  await moving.moveAll(() => {});
  expect(await read('a/one.png')).toBe('the whole file');
  expect(await moving.countSource()).toBe(0);
});
