import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { openPromise } from 'yauzl';
import { toError } from '../../../platform/errors.ts';
import type { PostImportProblem } from '../schema.ts';

/** A file whose posts cannot be imported. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
  readonly problem: PostImportProblem;

  constructor(problem: PostImportProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

export interface UnpackOptions {
  /** Folder for the unpacked files, whose names there do not come from the archive. */
  readonly folder: string;
  /** Returns the most bytes of a file with this name; 0: it is not wanted. Larger files are left out. */
  readonly maxBytesOf: (name: string) => number;
  /** Bytes of all wanted files together. Those beyond are left out. */
  readonly maxBytes: number;
  /** Bytes of everything in an archive that is compressed as a whole; beyond it is too large. */
  readonly maxArchiveBytes: number;
}

/** What kind of file was uploaded: an archive, JSON, or nothing that can be imported. */
export type ArchiveKind = 'zip' | 'tar' | 'tar.gz' | 'json';

/** Returns the kind of a file by its first bytes. */
export async function findArchiveKind(path: string): Promise<ArchiveKind | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    const start = buffer.subarray(0, bytesRead).toString('latin1');
    if (start.startsWith('PK\u0003\u0004')) return 'zip';
    if (start.startsWith('\u001f\u008b')) return 'tar.gz';
    if (start.slice(257, 262) === 'ustar') return 'tar';
    return /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(start) ? 'json' : undefined;
  } finally {
    await file.close();
  }
}

/**
 * Unpacks the wanted files of an archive into the folder. Returns where they are, by `nameOf` their names; of several with
 * one name, the first. Throws ArchiveError if the archive is damaged or too large.
 */
export async function unpackArchive(
  path: string,
  kind: ArchiveKind,
  options: UnpackOptions,
): Promise<Map<string, string>> {
  const target = new UnpackTarget(options);
  try {
    if (kind === 'zip') await unpackZip(path, target);
    else await unpackTar(path, kind === 'tar.gz', target);
  } catch (error) {
    if (error instanceof ArchiveError || isOfSystem(error)) throw error;
    throw new ArchiveError('damaged', { cause: error });
  }
  return target.paths;
}

/** An error of the disk says nothing about the archive. */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = toError(error);
  return syscall !== undefined && code?.startsWith('E') === true;
}

/**
 * Returns the name by which a file of an archive is found: without the folders before `media_attachments/`, which differ
 * between servers, and of any other file the last part.
 */
export function nameOf(path: string): string {
  const media = path.indexOf('media_attachments/');
  return media === -1 ? path.slice(path.lastIndexOf('/') + 1) : path.slice(media);
}

class UnpackTarget {
  readonly paths = new Map<string, string>();
  readonly options: UnpackOptions;
  #remaining: number;

  constructor(options: UnpackOptions) {
    this.options = options;
    this.#remaining = options.maxBytes;
  }

  isWanted(path: string, size: number): boolean {
    const name = nameOf(path);
    return !this.paths.has(name) && size <= Math.min(this.options.maxBytesOf(name), this.#remaining) && size > 0;
  }

  async store(path: string, size: number, content: Readable): Promise<void> {
    const stored = join(this.options.folder, String(this.paths.size));
    await pipeline(content, createWriteStream(stored, { mode: 0o600 }));
    this.paths.set(nameOf(path), stored);
    this.#remaining -= size;
  }
}

async function unpackZip(path: string, target: UnpackTarget): Promise<void> {
  // Names stay undecoded, because yauzl refuses a whole archive for one path that leads outside.
  const zip = await openPromise(path, { decodeStrings: false, lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('utf8');
      if (name.endsWith('/') || !entry.canDecodeFileData() || !target.isWanted(name, entry.uncompressedSize)) continue;
      // It ends with an error when the entry has more bytes than it declares.
      await target.store(name, entry.uncompressedSize, await zip.openReadStreamPromise(entry));
    }
  } finally {
    zip.close();
  }
}

async function unpackTar(path: string, isCompressed: boolean, target: UnpackTarget): Promise<void> {
  const file = createReadStream(path, { highWaterMark: 1024 ** 2 });
  const bytes: AsyncIterable<Uint8Array> = isCompressed ? pipeInto(file, createGunzip()) : file;
  const counted = ReadableStream.from(limitBytes(bytes, target.options.maxArchiveBytes));
  const entries = counted.pipeThrough(createTarDecoder({ strict: true }));
  try {
    for await (const { header, body } of entries) {
      if (header.type === 'file' && target.isWanted(header.name, header.size))
        await target.store(header.name, header.size, Readable.fromWeb(body));
      else await body.cancel();
    }
  } finally {
    file.destroy();
  }
}

function pipeInto(source: Readable, target: NodeJS.ReadWriteStream & Readable): Readable {
  source.once('error', (error) => target.destroy(error));
  target.once('close', () => source.destroy());
  return source.pipe(target);
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > max) throw new ArchiveError('too_large');
    yield chunk;
  }
}
