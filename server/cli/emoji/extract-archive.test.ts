import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarEntry, tarOf, zipOf } from '../../../test/archive-files.ts';
import { extractArchive } from './extract-archive.ts';

const isWanted = (name: string): boolean => name.endsWith('.png');
const files = {
  'pack/bird.png': Buffer.from('a bird'),
  '../../etc/tree.png': Buffer.alloc(900, 't'),
  'x.txt': Buffer.from('no'),
};
const wantedFiles = [
  { name: 'pack/bird.png', body: files['pack/bird.png'] },
  { name: '../../etc/tree.png', body: files['../../etc/tree.png'] },
];
const centralHeader = Buffer.from('PK\u0001\u0002');

test('the requested files of every kind of archive are extracted, whatever their paths', async () => {
  for (const archive of [tarOf(files), gzipSync(tarOf(files)), zipOf(files, 0), zipOf(files, 8)]) {
    expect(await extractArchive(archive, { isWanted, maxFileBytes: 1_000 })).toEqual(wantedFiles);
  }
});

test('files that are too large are not extracted', async () => {
  for (const archive of [tarOf(files), gzipSync(tarOf(files)), zipOf(files, 0), zipOf(files, 8)]) {
    const [bird, tree] = await extractArchive(archive, { isWanted, maxFileBytes: 100 });
    expect([bird?.body.length, tree?.body.length]).toEqual([6, 0]);
  }
});

test('the files of an archive share a size limit', async () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.png`, Buffer.alloc(1_000)]));
  for (const archive of [gzipSync(tarOf(many)), zipOf(many, 0), zipOf(many, 8)]) {
    const limits = { isWanted, maxFileBytes: 1_000 };
    await expect(extractArchive(archive, { ...limits, maxTotalBytes: 8_999 })).rejects.toThrow('too large');
    await expect(extractArchive(archive, { ...limits, maxTotalBytes: 20_000 })).resolves.toHaveLength(9);
  }
});

test('a long path in a tar archive has an entry of its own', async () => {
  const path = `${'folder/'.repeat(20)}bird.png`;
  const record = ` path=${path}\n`;
  const body = Buffer.from(`${record.length + 3}${record}`);
  for (const entry of [tarEntry('long', Buffer.from(`${path}\0`), 'L'), tarEntry('pax', body, 'x')]) {
    const archive = Buffer.concat([entry, tarEntry(path, Buffer.from('a bird')), Buffer.alloc(1024)]);
    const extracted = await extractArchive(archive, { isWanted, maxFileBytes: 100 });
    expect(extracted.map(({ name }) => name)).toEqual([path]);
  }
});

test('only regular files of a tar archive are extracted', async () => {
  const links = ['1', '2', '5', '3', '6'].map((type) => tarEntry(`${type}.png`, Buffer.alloc(0), type));
  const archive = Buffer.concat([...links, tarOf({ 'bird.png': Buffer.from('a bird') })]);
  const extracted = await extractArchive(archive, { isWanted, maxFileBytes: 100 });
  expect(extracted.map(({ name }) => name)).toEqual(['bird.png']);
});

test('an encrypted file in a zip archive, or one with an unknown compression, has an empty body', async () => {
  for (const [offset, value] of [
    [8, 1],
    [10, 12],
  ] as const) {
    const archive = zipOf({ 'bird.png': Buffer.from('a bird') }, 8);
    archive.writeUInt16LE(value, archive.indexOf(centralHeader) + offset);
    const extracted = await extractArchive(archive, { isWanted, maxFileBytes: 100 });
    expect(extracted).toEqual([{ name: 'bird.png', body: Buffer.alloc(0) }]);
  }
});

test('a file that is not an archive, or a damaged one, is rejected with a reason', async () => {
  const wrongSize = zipOf({ 'a.png': Buffer.alloc(5_000) }, 8);
  wrongSize.writeUInt32LE(10, wrongSize.indexOf(centralHeader) + 24);
  const wrongChecksum = tarOf(files);
  wrongChecksum.write('9', 0);
  const broken = [
    Buffer.from('nothing'),
    Buffer.alloc(0),
    Buffer.from('PK'),
    zipOf(files, 8).subarray(0, 200),
    tarOf(files).subarray(0, 515),
    gzipSync(tarOf(files)).subarray(0, 60),
    Buffer.from([0x1f, 0x8b]),
    wrongSize,
    wrongChecksum,
  ];
  for (const archive of broken) {
    const extraction = extractArchive(archive, { isWanted, maxFileBytes: 1_000 });
    await expect(extraction).rejects.toMatchObject({ name: 'CliError', message: expect.stringContaining('archive') });
  }
});

test('random damage never causes a crash, and never extracts more than the limits', async () => {
  const archives = [tarOf(files), gzipSync(tarOf(files)), zipOf(files, 0), zipOf(files, 8)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...archives),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      async (archive, changes) => {
        const damaged = Buffer.from(archive);
        for (const [offset, byte] of changes) damaged[offset % damaged.length] = byte;
        const extracted = await extractArchive(damaged, { isWanted, maxFileBytes: 800 }).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'CliError' });
          return [];
        });
        for (const { body } of extracted) expect(body.length).toBeLessThanOrEqual(800);
      },
    ),
  );
});
