import type { Storage } from '../../platform/storage/storage.ts';
import { mediaName } from '../archive/entries.ts';
import type { ArchiveWriter } from '../archive/write-archive.ts';
import { listMedia } from './list-media.ts';
import type { Pace } from './pace.ts';
import { openMedia } from './read-media.ts';

/** How far the clocks of this machine and of the storage may differ. */
const maxClockSkewMs = 10 * 60_000;

/** Counts of copied files. */
export interface MediaTotals {
  files: number;
  bytes: number;
  deleted: number;
}

/**
 * Copies the stored files in two passes, one before and one after the snapshot of the database: together they hold each
 * file that the snapshot refers to, although the database is not kept open while most files are copied. Keys are
 * never reused, so the second pass copies only files that are new.
 */
export class MediaCopier {
  readonly totals: MediaTotals = { files: 0, bytes: 0, deleted: 0 };
  readonly #storage: Storage;
  readonly #archive: ArchiveWriter;
  readonly #pace: Pace;
  readonly #newSince: Date;
  /** Keys of the first pass that the second one finds again, because they are new. */
  readonly #recent = new Set<string>();

  constructor(storage: Storage, archive: ArchiveWriter, { pace, now }: { readonly pace: Pace; readonly now: Date }) {
    this.#storage = storage;
    this.#archive = archive;
    this.#pace = pace;
    this.#newSince = new Date(now.getTime() - maxClockSkewMs);
  }

  /** Copies all files. `onFile` is called after each. */
  async copyAll(onFile: () => void): Promise<void> {
    for await (const { key, storedAt } of listMedia(this.#storage)) {
      await this.#copy(key);
      if (storedAt >= this.#newSince) this.#recent.add(key);
      onFile();
    }
  }

  /** Copies the files that were stored since `copyAll` began. */
  async copyNew(): Promise<void> {
    for await (const { key, storedAt } of listMedia(this.#storage))
      if (storedAt >= this.#newSince && !this.#recent.has(key)) await this.#copy(key);
  }

  async #copy(key: string): Promise<void> {
    const file = await openMedia(this.#storage, key, this.#pace);
    if (file === undefined) {
      this.totals.deleted += 1;
      return;
    }
    await this.#archive.add(mediaName(key), file.size, file.content);
    this.totals.files += 1;
    this.totals.bytes += file.size;
  }
}
