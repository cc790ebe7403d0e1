import { crc32, deflateRawSync } from 'node:zlib';

// Archives as hostile as a test wants them: libraries refuse such names.

/** Contents of files by name, which may be any path. */
type Files = Readonly<Record<string, Buffer>>;

/** Returns an entry of a tar archive. `type`: its flag. */
export function tarEntry(name: string, body: Buffer, type = '0'): Buffer {
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

/** Returns a tar archive. */
export const tarOf = (files: Files): Buffer =>
  Buffer.concat([...Object.entries(files).map(([name, body]) => tarEntry(name, body)), Buffer.alloc(1024)]);

/** Returns a zip archive, with its files as they are or compressed. */
export function zipOf(files: Files, method: 0 | 8): Buffer {
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
