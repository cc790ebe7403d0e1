import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractArchive } from './extract-archive.ts';

type Files = Readonly<Record<string, Buffer>>;

function tarEntry(name: string, body: Buffer, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100), 0);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(checksum.toString(8).padStart(6, '0') + '\0', 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const tarOf = (files: Files): Buffer =>
  Buffer.concat([...Object.entries(files).map(([name, body]) => tarEntry(name, body)), Buffer.alloc(1024)]);

function zipOf(files: Files, method: 0 | 8): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, body] of Object.entries(files)) {
    const packed = method === 8 ? deflateRawSync(body) : body;
    const headerFields = Buffer.alloc(26);
    headerFields.writeUInt16LE(method, 4);
    headerFields.writeUInt32LE(crc32(body), 10);
    headerFields.writeUInt32LE(packed.length, 14);
    headerFields.writeUInt32LE(body.length, 18);
    headerFields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), headerFields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\0\0'), headerFields, tail, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

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
