import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { CliError } from '../cli-error.ts';

/** A file of an archive. */
export interface ExtractedFile {
  /** Full path in the archive. It is not checked: do not write to it. */
  readonly name: string;
  readonly body: Buffer;
}

export interface ExtractOptions {
  readonly isWanted: (name: string) => boolean;
  /** Larger files have an empty body. */
  readonly maxFileBytes: number;
  /** Limit of all wanted files together, and of the whole archive if it is compressed as one. */
  readonly maxTotalBytes?: number;
}

type Limits = Required<ExtractOptions>;

/**
 * Extracts the wanted files of a tar (also gzipped) or zip archive into memory, whatever paths it contains. Throws
 * CliError if it is not an archive, damaged or too large.
 */
export async function extractArchive(archive: Buffer, options: ExtractOptions): Promise<ExtractedFile[]> {
  const limits = { maxTotalBytes: 512 * 1_048_576, ...options };
  const extract = formatOf(archive);
  if (extract === undefined) throw new CliError('This file is not a tar or zip archive.');
  try {
    return await extract(archive, limits);
  } catch (error) {
    throw new CliError('The archive is damaged or too large.', { cause: error });
  }
}

function formatOf(archive: Buffer): ((archive: Buffer, limits: Limits) => Promise<ExtractedFile[]>) | undefined {
  if (archive.toString('latin1', 0, 2) === 'PK') return extractZip;
  if (archive[0] === 0x1f && archive[1] === 0x8b) return extractGzippedTar;
  return archive.toString('latin1', 257, 262) === 'ustar' ? extractTar : undefined;
}

async function extractGzippedTar(archive: Buffer, limits: Limits): Promise<ExtractedFile[]> {
  return extractTar(gunzipSync(archive, { maxOutputLength: limits.maxTotalBytes }), limits);
}

async function extractTar(archive: Buffer, { isWanted, maxFileBytes }: Limits): Promise<ExtractedFile[]> {
  const tooLarge: ExtractedFile[] = [];
  const entries = await unpackTar(archive, {
    strict: true,
    filter: ({ name, type, size }) => {
      if (type !== 'file' || !isWanted(name)) return false;
      if (size > maxFileBytes) tooLarge.push({ name, body: Buffer.alloc(0) });
      return size <= maxFileBytes;
    },
  });
  return [...entries.map(({ header: { name }, data = [] }) => ({ name, body: Buffer.from(data) })), ...tooLarge];
}

async function extractZip(archive: Buffer, limits: Limits): Promise<ExtractedFile[]> {
  // Names stay undecoded, because yauzl refuses a whole archive for one path that leads outside.
  const zip = await fromBufferPromise(archive, { decodeStrings: false });
  const files: ExtractedFile[] = [];
  let remaining = limits.maxTotalBytes;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('utf8');
    if (name.endsWith('/') || !limits.isWanted(name)) continue;
    const body = await extractZipEntry(zip, entry, limits.maxFileBytes);
    remaining -= body.length;
    if (remaining < 0) throw new RangeError('the files are too large together');
    files.push({ name, body });
  }
  return files;
}

/** Returns an empty body for a file that is too large, encrypted, or compressed by an unknown method. */
async function extractZipEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  if (entry.uncompressedSize > maxBytes || !entry.canDecodeFileData()) return Buffer.alloc(0);
  return buffer(await zip.openReadStreamPromise(entry));
}
