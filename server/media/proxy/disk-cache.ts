import { createHash } from 'node:crypto';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskStorage } from '../../platform/storage/storage-disk.ts';
import type { Storage } from '../../platform/storage/storage.ts';

interface Entry {
  readonly key: string;
  readonly size: number;
}

/** The time of a file on disk is updated at most this often. */
const touchIntervalMs = 3_600_000;

/** No process still writes an unfinished file of this age. */
const unfinishedTtlMs = 86_400_000;

/**
 * Cache of remote files in a folder, by URL. Evicts the least recently used files when it exceeds its size. The order of
 * use roughly survives a restart.
 */
export class DiskCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #storage: DiskStorage;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #touched = new Map<string, number>();
  #bytes = 0;
  #loading: Promise<void> | undefined;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#storage = new DiskStorage(folder, '');
  }

  /** Reads files by the keys that `find` and `put` return. */
  get files(): Pick<Storage, 'get' | 'openStream'> {
    return this.#storage;
  }

  /** Size of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the key of a cached file. */
  async find(url: string, now: Date): Promise<string | undefined> {
    await this.#load(now);
    const name = nameOf(url);
    const entry = this.#entries.get(name) ?? (await this.#findOnDisk(name));
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return (await this.#touch(name, entry, now)) ? entry.key : undefined;
  }

  /** Stores a copy of a file and returns its key; undefined if it is larger than the cache. */
  async put(url: string, { path, size, extension, contentType }: FetchedFile, now: Date): Promise<string | undefined> {
    await this.#load(now);
    if (size > this.#maxBytes) return undefined;
    const name = nameOf(url);
    const key = `${name.slice(0, 2)}/${name}.${extension}`;
    await this.#storage.putFile(key, path, contentType);
    this.#removeEntry(name);
    this.#entries.set(name, { key, size });
    this.#bytes += size;
    await this.#trim();
    return key;
  }

  /** Deletes files by their URLs, also those that another process stored in the folder. */
  async delete(urls: readonly string[]): Promise<void> {
    const names = new Set(urls.map(nameOf));
    for (const folder of new Set(Array.from(names, (name) => name.slice(0, 2)))) {
      for (const file of await readdir(join(this.#folder, folder)).catch(() => [])) {
        const [name = ''] = file.split('.', 1);
        if (!names.has(name)) continue;
        this.#removeEntry(name);
        await this.#storage.delete(`${folder}/${file}`);
      }
    }
  }

  async #trim(): Promise<void> {
    for (const [name, { key }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#removeEntry(name);
      await this.#storage.delete(key);
    }
  }

  #removeEntry(name: string): void {
    this.#bytes -= this.#entries.get(name)?.size ?? 0;
    this.#entries.delete(name);
    this.#touched.delete(name);
  }

  /** Finds a file that another process stored in the folder. */
  async #findOnDisk(name: string): Promise<Entry | undefined> {
    const folder = name.slice(0, 2);
    const file = (await readdir(join(this.#folder, folder)).catch(() => [])).find((entry) => entry.startsWith(name));
    const info = file === undefined ? undefined : await stat(join(this.#folder, folder, file)).catch(() => undefined);
    if (file === undefined || info?.isFile() !== true || this.#entries.has(name)) return this.#entries.get(name);
    this.#bytes += info.size;
    return { key: `${folder}/${file}`, size: info.size };
  }

  /** Returns whether the file still exists, and records its use for the next process. */
  async #touch(name: string, { key }: Entry, now: Date): Promise<boolean> {
    const path = join(this.#folder, key);
    const isTouched = now.getTime() - (this.#touched.get(name) ?? 0) < touchIntervalMs;
    try {
      await (isTouched ? stat(path) : utimes(path, now, now));
    } catch {
      // The file was deleted by hand: it is fetched again.
      this.#removeEntry(name);
      return false;
    }
    if (!isTouched) this.#touched.set(name, now.getTime());
    return true;
  }

  #load(now: Date): Promise<void> {
    this.#loading ??= this.#read(now);
    return this.#loading;
  }

  async #read(now: Date): Promise<void> {
    // Partial files of a process that died.
    await this.#storage.deleteUnfinished(new Date(now.getTime() - unfinishedTtlMs));
    const found: (Entry & { name: string; used: number })[] = [];
    const files = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const file of files) {
      const match = /^([0-9a-f]{64})\.[0-9a-z]+$/.exec(file.name);
      if (!file.isFile() || match?.[1] === undefined) continue;
      const facts = await stat(join(file.parentPath, file.name)).catch(() => undefined);
      if (facts === undefined) continue;
      const name = match[1];
      found.push({ name, key: `${name.slice(0, 2)}/${file.name}`, size: facts.size, used: facts.mtimeMs });
    }
    for (const { name, key, size } of found.toSorted((a, b) => a.used - b.used)) {
      this.#entries.set(name, { key, size });
      this.#bytes += size;
    }
    await this.#trim();
  }
}

/** A remote file that was fetched to `path`, with the type that its bytes show. */
export interface FetchedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly extension: string;
  readonly contentType: string;
}

const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex');
