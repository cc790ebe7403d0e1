import { gunzipSync, inflateRawSync } from 'node:zlib';
import { CliError } from './cli-error.ts';

/** A file of an archive: its whole path there, and what it holds. */
export interface ExtractedFile {
  readonly name: string;
  readonly body: Buffer;
}

/** Bytes of a whole archive once it is unpacked. */
const maxUnpackedBytes = 512 * 1024 * 1024;

/**
 * The files of a tar (also gzipped) or zip archive that `wanted` names. Of each at most `largest` bytes are unpacked;
 * larger ones come with an empty body. Nothing is written anywhere, whatever paths the archive holds. Throws a Failure
 * for what is no archive.
 */
export function extractArchive(archive: Buffer, wanted: (name: string) => boolean, largest: number): ExtractedFile[] {
  if (archive.subarray(0, 2).toString('latin1') === 'PK') return extractZip(archive, wanted, largest);
  const tar = archive[0] === 0x1f && archive[1] === 0x8b ? gunzip(archive) : archive;
  if (tar.subarray(257, 262).toString('latin1') !== 'ustar') throw new CliError('This is no tar or zip archive.');
  return extractTar(tar, wanted, largest);
}

function gunzip(archive: Buffer): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: maxUnpackedBytes });
  } catch {
    throw new CliError('The archive is damaged or too large.');
  }
}

const tarBlockBytes = 512;

function extractTar(tar: Buffer, wanted: (name: string) => boolean, largest: number): ExtractedFile[] {
  const files: ExtractedFile[] = [];
  // A path that does not fit into its header comes in an entry of its own before it.
  let longName: string | undefined;
  for (let start = 0; start + tarBlockBytes <= tar.length && tar[start] !== 0;) {
    const text = (from: number, length: number): string =>
      tar.toString('utf8', start + from, start + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new CliError('The archive is damaged.');
    const body = tar.subarray(start + tarBlockBytes, start + tarBlockBytes + size);
    const type = text(156, 1);
    const name = longName ?? [text(345, 155), text(0, 100)].filter(Boolean).join('/');
    longName = undefined;
    if (type === 'L') longName = body.toString('utf8').replace(/\0.*$/s, '');
    else if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1];
    else if ((type === '0' || type === '') && wanted(name)) {
      files.push({ name, body: size > largest ? Buffer.alloc(0) : body });
    }
    start += tarBlockBytes + Math.ceil(size / tarBlockBytes) * tarBlockBytes;
  }
  return files;
}

const endOfDirectorySignature = 0x06054b50;
const directoryEntrySignature = 0x02014b50;

function extractZip(zip: Buffer, wanted: (name: string) => boolean, largest: number): ExtractedFile[] {
  const files: ExtractedFile[] = [];
  try {
    const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
    if (end < 0 || zip.readUInt32LE(end) !== endOfDirectorySignature) throw new RangeError('no end of directory');
    const entries = zip.readUInt16LE(end + 10);
    let at = zip.readUInt32LE(end + 16);
    for (let entry = 0; entry < entries; entry += 1) {
      if (zip.readUInt32LE(at) !== directoryEntrySignature) throw new RangeError('no entry');
      const nameLength = zip.readUInt16LE(at + 28);
      const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
      if (!name.endsWith('/') && wanted(name)) files.push({ name, body: extractZipEntry(zip, at, largest) });
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
  } catch {
    throw new CliError('The archive is damaged.');
  }
  return files;
}

function extractZipEntry(zip: Buffer, entry: number, largest: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const packed = zip.readUInt32LE(entry + 20);
  const size = zip.readUInt32LE(entry + 24);
  const start = zip.readUInt32LE(entry + 42);
  if (size > largest) return Buffer.alloc(0);
  const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const body = zip.subarray(from, from + packed);
  if (method === 0) return body.subarray(0, largest);
  return method === 8 ? inflateRawSync(body, { maxOutputLength: largest }) : Buffer.alloc(0);
}
