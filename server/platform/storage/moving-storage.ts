import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentTypeOf } from './storage-keys.ts';
import type { ByteRange, ListedFiles, ListOptions, Storage, StoredFile, StoredStream } from './storage.ts';

/** Files that are moved at once. */
const concurrency = 4;
const pageSize = 500;
/** Begins a cursor among the files that are not moved yet. It is in no key. */
const sourceMark = 'source:';

/**
 * The storage while files move from one place to another: new files go to the new place, and each file is read from where it
 * is. Several processes may use it while one moves the files.
 */
export class MovingStorage implements Storage {
  readonly #source: Storage;
  readonly #target: Storage;

  constructor(source: Storage, target: Storage) {
    this.#source = source;
    this.#target = target;
  }

  put(key: string, body: Buffer, contentType: string): Promise<void> {
    return this.#target.put(key, body, contentType);
  }

  putFile(key: string, path: string, contentType: string): Promise<void> {
    return this.#target.putFile(key, path, contentType);
  }

  async copyTo(key: string, path: string): Promise<boolean> {
    return (await this.#read(async (place) => ((await place.copyTo(key, path)) ? true : undefined))) ?? false;
  }

  get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    return this.#read((place) => place.get(key, range));
  }

  openStream(key: string): Promise<StoredStream | undefined> {
    return this.#read((place) => place.openStream(key));
  }

  async delete(key: string): Promise<void> {
    // A file that is being moved meanwhile may arrive after this. Like every file without a row, the daily clean-up deletes it.
    await this.#source.delete(key);
    await this.#target.delete(key);
  }

  url(key: string): string {
    return this.#target.url(key);
  }

  /** Lists the new place first. A file that is in both is listed once. */
  async list(folder: string, { after, limit }: ListOptions): Promise<ListedFiles> {
    if (after?.startsWith(sourceMark) !== true) {
      const page = await this.#target.list(folder, { after, limit });
      return { files: page.files, next: page.next ?? sourceMark };
    }
    const from = after.slice(sourceMark.length);
    const page = await this.#source.list(folder, { after: from === '' ? undefined : from, limit });
    const files = [];
    for (const file of page.files) if ((await sizeOf(this.#target, file.key)) === undefined) files.push(file);
    return { files, next: page.next === undefined ? undefined : sourceMark + page.next };
  }

  async deleteUnfinished(before: Date): Promise<void> {
    await this.#source.deleteUnfinished(before);
    await this.#target.deleteUnfinished(before);
  }

  /**
   * Moves all files that are at the old place, and calls `onFile` with the size of each in bytes. May be stopped and repeated:
   * a file leaves the old place once the new one has all of it. Throws if a place does not answer.
   */
  async moveAll(onFile: (bytes: number) => void): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'fieldfare-move-'));
    try {
      const files = this.#listSource();
      const moveNext = async (_: unknown, worker: number): Promise<void> => {
        for (let next = await files.next(); next.done !== true; next = await files.next()) {
          await this.#move(next.value, join(folder, String(worker)));
          onFile(next.value.size);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, moveNext));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Returns how many files are at the old place. */
  async countSource(): Promise<number> {
    let count = 0;
    for await (const _ of this.#listSource()) count += 1;
    return count;
  }

  async *#listSource(): AsyncGenerator<ListedFiles['files'][number], undefined> {
    for (let after: string | undefined; ;) {
      const { files, next }: ListedFiles = await this.#source.list('', { after, limit: pageSize });
      yield* files;
      if (next === undefined) return undefined;
      after = next;
    }
  }

  async #move({ key, size }: { readonly key: string; readonly size: number }, path: string): Promise<void> {
    if ((await sizeOf(this.#target, key)) !== size) {
      // It was deleted meanwhile.
      if (!(await this.#source.copyTo(key, path))) return;
      await this.#target.putFile(key, path, contentTypeOf(key));
      const stored = await sizeOf(this.#target, key);
      if (stored !== size) throw new Error(`${key} has ${size} bytes, but ${stored ?? 0} arrived`);
    }
    await this.#source.delete(key);
  }

  /** Reads a file from the new place, else from the old one, else from the new one: it may have been moved in between. */
  async #read<Result>(read: (place: Storage) => Promise<Result | undefined>): Promise<Result | undefined> {
    return (await read(this.#target)) ?? (await read(this.#source)) ?? (await read(this.#target));
  }
}

const sizeOf = async (place: Storage, key: string): Promise<number | undefined> =>
  (await place.get(key, { start: 0, end: -1 }))?.size;
