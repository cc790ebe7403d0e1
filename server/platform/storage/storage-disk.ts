import {
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { contentTypeOf, isStorageKey } from './storage-keys.ts';
import type { ByteRange, ListedFiles, ListOptions, Storage, StoredFile, StoredStream } from './storage.ts';
import { deleteOlderThan } from '../files/temporary-files.ts';
import { toError } from '../errors.ts';

/** Files under DATA_DIR/media. */
export function createDiskStorage(config: Config): Storage {
  return new DiskStorage(`${config.dataDir}/media`, `${config.baseUrl}/media`);
}

/** Stores files in a folder. A stored file survives a crash. */
export class DiskStorage implements Storage {
  readonly #folder: string;
  readonly #address: string;
  /** Folder of incomplete files. The dot keeps it out of every key. */
  readonly #unfinished: string;

  /** `address`: the URL of the keys, without a trailing slash. */
  constructor(folder: string, address: string) {
    this.#folder = folder;
    this.#address = address;
    this.#unfinished = join(folder, '.unfinished');
  }

  put(key: string, body: Buffer, contentType: string): Promise<void> {
    return this.#store(key, contentType, (path) => writeFile(path, body, { flag: 'wx', mode: 0o600 }));
  }

  putFile(key: string, path: string, contentType: string): Promise<void> {
    return this.#store(key, contentType, (unfinished) => copyFile(path, unfinished, copyFlags));
  }

  async copyTo(key: string, path: string): Promise<boolean> {
    if (!isStorageKey(key)) return false;
    try {
      await copyFile(this.#path(key), path, constants.COPYFILE_FICLONE);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #store(key: string, contentType: string, write: (path: string) => Promise<void>): Promise<void> {
    if (contentTypeOf(key) !== contentType) throw new Error(`${contentType} does not go under the key ${key}`);
    const path = this.#path(key);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(this.#unfinished, { recursive: true, mode: 0o700 });
    const unfinished = join(this.#unfinished, crypto.randomUUID());
    try {
      await write(unfinished);
      await withFile(unfinished, 'r', async (file) => {
        // A copy has the mode of its source.
        await file.chmod(0o600);
        await file.sync();
      });
      await rename(unfinished, path);
      await withFile(folder, 'r', (file) => file.sync());
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    if (!isStorageKey(key)) return undefined;
    try {
      return await withFile(this.#path(key), 'r', (file) => readRange(file, contentTypeOf(key), range));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async openStream(key: string): Promise<StoredStream | undefined> {
    if (!isStorageKey(key)) return undefined;
    try {
      const file = await open(this.#path(key), 'r');
      // The stream closes the file, even if it is not read to its end.
      return { stream: file.createReadStream(), contentType: contentTypeOf(key), size: (await file.stat()).size };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  url(key: string): string {
    return `${this.#address}/${encodeURI(key)}`;
  }

  async list(folder: string, { after, limit }: ListOptions): Promise<ListedFiles> {
    const files: { key: string; storedAt: Date; size: number }[] = [];
    for await (const key of this.#walkKeys(folder, after)) {
      const info = await stat(this.#path(key)).catch(() => undefined);
      if (info !== undefined) files.push({ key, storedAt: info.mtime, size: info.size });
      if (files.length === limit) return { files, next: key };
    }
    return { files, next: undefined };
  }

  /** In order of names, folder by folder. Folders that end before `after` are not opened. */
  async *#walkKeys(folder: string, after: string | undefined): AsyncGenerator<string> {
    const entries = await readdir(join(this.#folder, folder), { withFileTypes: true }).catch(() => []);
    const prefix = folder === '' ? '' : `${folder}/`;
    const from = after?.startsWith(prefix) === true ? after.slice(prefix.length) : undefined;
    const [first = ''] = from?.split('/', 1) ?? [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = `${prefix}${entry.name}`;
      if (entry.name < first) continue;
      if (entry.isDirectory()) yield* this.#walkKeys(key, entry.name === first ? after : undefined);
      else if (entry.isFile() && key !== after && isStorageKey(key)) yield key;
    }
  }

  async deleteUnfinished(before: Date): Promise<void> {
    await deleteOlderThan(this.#unfinished, before);
  }

  #path(key: string): string {
    if (!isStorageKey(key)) throw new Error(`${JSON.stringify(key)} is not a storage key`);
    return join(this.#folder, key);
  }
}

/** Clones the file if the file system can. */
const copyFlags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

const isNotFound = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(toError(error).code ?? '');

async function readRange(file: FileHandle, contentType: string, range?: ByteRange): Promise<StoredFile> {
  if (range === undefined) {
    const body = await file.readFile();
    return { body, contentType, size: body.length };
  }
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(range.end, size - 1) - range.start + 1);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, range.start);
  return { body: buffer.subarray(0, bytesRead), contentType, size };
}

async function withFile<Result>(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
