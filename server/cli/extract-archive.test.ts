import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractArchive } from './extract-archive.ts';

type Files = Readonly<Record<string, Buffer>>;

function tarEntry(name: string, body: Buffer, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100), 0);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
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
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc32(body), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(body.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\0\0'), facts, tail, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const isPicture = (name: string): boolean => name.endsWith('.png');
const files = {
  'pack/bird.png': Buffer.from('a bird'),
  '../../etc/tree.png': Buffer.alloc(900, 't'),
  'x.txt': Buffer.from('no'),
};
const wanted = [
  { name: 'pack/bird.png', body: files['pack/bird.png'] },
  { name: '../../etc/tree.png', body: files['../../etc/tree.png'] },
];

test('the files of every kind of archive are read, those alone that are wanted', () => {
  for (const archive of [tarOf(files), gzipSync(tarOf(files)), zipOf(files, 0), zipOf(files, 8)]) {
    expect(extractArchive(archive, isPicture, 1_000)).toEqual(wanted);
  }
});

test('files that are too large are not unpacked', () => {
  for (const archive of [tarOf(files), zipOf(files, 0), zipOf(files, 8)]) {
    const [bird, tree] = extractArchive(archive, isPicture, 100);
    expect([bird?.body.length, tree?.body.length]).toEqual([6, 0]);
  }
});

test('long paths come in an entry of their own', () => {
  const path = `${'folder/'.repeat(20)}bird.png`;
  const record = ` path=${path}\n`;
  const body = Buffer.from(`${record.length + 3}${record}`);
  for (const entry of [tarEntry('long', Buffer.from(`${path}\0`), 'L'), tarEntry('pax', body, 'x')]) {
    const archive = Buffer.concat([entry, tarEntry(path, Buffer.from('a bird')), Buffer.alloc(1024)]);
    expect(extractArchive(archive, isPicture, 100).map(({ name }) => name)).toEqual([path]);
  }
});

test('what is no archive, and one that is damaged, is refused in words', () => {
  const lying = zipOf({ 'a.png': Buffer.alloc(5_000) }, 8);
  lying.writeUInt32LE(10, lying.indexOf(Buffer.from('PK\u0001\u0002')) + 24);
  const broken = [
    Buffer.from('nothing'),
    Buffer.alloc(0),
    Buffer.from('PK'),
    zipOf(files, 8).subarray(0, 200),
    gzipSync(tarOf(files)).subarray(0, 60),
    Buffer.from([0x1f, 0x8b]),
    lying,
  ];
  for (const archive of broken) expect(() => extractArchive(archive, isPicture, 1_000)).toThrow(/archive/);
});
