import type { App } from '../../platform/app.ts';
import { deleteCachedFiles, fetchRemoteFile } from './fetch-remote-file.ts';

/** Files that are fetched at once. */
const concurrency = 4;
/** For one file. */
const timeoutMs = 30_000;

/** Files that were to be fetched, and how it went. */
export interface RefreshResult {
  readonly files: number;
  readonly fetched: number;
  /** Unreachable, refused by a domain block, too large, or of no type that is served. */
  readonly failed: number;
}

/** Deletes remote files from the cache of this machine and fetches them again. */
export async function fetchFilesAgain(app: App, urls: readonly string[]): Promise<RefreshResult> {
  const waiting = [...new Set(urls)];
  const files = waiting.length;
  await deleteCachedFiles(app, waiting);
  let fetched = 0;
  const run = async (): Promise<void> => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const result = await fetchRemoteFile(app, url, { canFetch: true, signal: AbortSignal.timeout(timeoutMs) }).catch(
        () => undefined,
      );
      if (typeof result === 'object') fetched += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return { files, fetched, failed: files - fetched };
}
