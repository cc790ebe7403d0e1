import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../../platform/storage/storage.ts';
import { contentTypeOf } from '../../platform/storage/storage-keys.ts';

/** Larger files go through a temporary file. */
const maxBufferedBytes = 4 * 1024 ** 2;
/** Small files that are stored at a time: each waits for the disk or the bucket. */
const maxConcurrent = 8;

/** Stores the media of a backup. */
export class MediaStore implements AsyncDisposable {
  readonly #storage: Storage;
  readonly #folder: string;
  #pending: Promise<void>[] = [];

  private constructor(storage: Storage, folder: string) {
    this.#storage = storage;
    this.#folder = folder;
  }

  static async open(storage: Storage, dataDir: string): Promise<MediaStore> {
    const parent = join(dataDir, 'tmp');
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return new MediaStore(storage, await mkdtemp(join(parent, 'restore-')));
  }

  /** Stores a file; `flush` waits for it. */
  async add(key: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (size > maxBufferedBytes) return this.#addLarge(key, content);
    const body = await buffer(content);
    const stored = this.#storage.put(key, body, contentTypeOf(key));
    // `flush` reports it.
    stored.catch(() => {});
    this.#pending.push(stored);
    if (this.#pending.length >= maxConcurrent) await this.flush();
  }

  async #addLarge(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.#folder, 'file');
    await pipeline(content, createWriteStream(path, { mode: 0o600 }));
    await this.#storage.putFile(key, path, contentTypeOf(key));
  }

  /** Waits until everything is stored. */
  async flush(): Promise<void> {
    const pending = this.#pending.splice(0);
    await Promise.all(pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#pending);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Deletes all stored files. */
export async function deleteAllMedia(storage: Storage): Promise<void> {
  for (;;) {
    const { files } = await storage.list('', { limit: 1_000 });
    if (files.length === 0) return;
    for (const { key } of files) await storage.delete(key);
  }
}
