import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../platform/app.ts';
import type { Estimate } from '../../platform/database/sample-table.ts';

/** Files, and their size. */
export interface CachedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Where this machine caches remote files, in a folder for each of 256 prefixes. */
export const cacheFolder = (app: App): string => `${app.config.dataDir}/cache/media`;

const prefixes = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

/** Measures the remote files that this machine caches. */
export const measureCachedFiles = (app: App): Promise<CachedFiles> => visitCachedFiles(app, async () => true);

interface RemovalOptions {
  /** Files that were last used before this time, to the hour, are removed. */
  readonly before: Date;
  /** Only counts them. */
  readonly dryRun?: boolean;
  /** Receives the share that is done, from 0 to 1. */
  readonly progress?: (share: number) => void;
}

/** Removes remote files from the cache of this machine that were not used lately. A running server notices. */
export function removeCachedFiles(
  app: App,
  { before, dryRun = false, progress }: RemovalOptions,
): Promise<CachedFiles> {
  return visitCachedFiles(
    app,
    async (path, usedAt) => {
      if (usedAt >= before) return false;
      if (!dryRun) await rm(path, { force: true });
      return true;
    },
    progress,
  );
}

/** Files after which no further folder is visited. */
const maxExamined = 10_000;

/** Estimates how many files `removeCachedFiles` would remove, from some of the folders if there are very many. */
export async function estimateUnusedFiles(app: App, before: Date): Promise<Estimate> {
  let [examined, visited] = [0, 0];
  const { files } = await visitCachedFiles(
    app,
    async (_path, usedAt) => {
      examined += 1;
      return usedAt < before;
    },
    (share) => {
      visited = share;
      return examined < maxExamined;
    },
  );
  return { number: Math.round(files / visited), isExact: visited === 1 };
}

/** Visits the files folder by folder, and counts those for which `visit` returns true, until `progress` returns false. */
async function visitCachedFiles(
  app: App,
  visit: (path: string, usedAt: Date) => Promise<boolean>,
  progress?: (share: number) => boolean | void,
): Promise<CachedFiles> {
  let [files, bytes] = [0, 0];
  for (const [index, prefix] of prefixes.entries()) {
    const folder = join(cacheFolder(app), prefix);
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info?.isFile() !== true || !(await visit(path, info.mtime))) continue;
      files += 1;
      bytes += info.size;
    }
    if (progress?.((index + 1) / prefixes.length) === false) break;
  }
  return { files, bytes };
}
