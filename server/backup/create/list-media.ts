import type { Storage } from '../../platform/storage/storage.ts';

const pageSize = 1_000;

/** A stored file. */
export interface StoredMedia {
  readonly key: string;
  readonly storedAt: Date;
}

/** Lists all files of the storage, page by page. */
export async function* listMedia(storage: Storage): AsyncGenerator<StoredMedia> {
  let after: string | undefined;
  do {
    const { files, next } = await storage.list('', { after, limit: pageSize });
    yield* files;
    after = next;
  } while (after !== undefined);
}

/** Counts all files of the storage. */
export async function countMedia(storage: Storage): Promise<number> {
  let count = 0;
  for await (const _ of listMedia(storage)) count += 1;
  return count;
}
