import type { Schedule } from './jobs/schedule.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from './app.ts';

/** Milliseconds after which nothing that works on a file can be at work any more. */
const kept = 86_400_000;

/** Removes files and folders directly in a folder that were last changed before a moment. */
export async function removeOlder(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts !== undefined && facts.mtime < before) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Removes from this machine what processes that died left in DATA_DIR/tmp: parts of uploads, folders of decoders, files
 * on their way to the storage. What is younger than a day may be in use.
 */
export async function removeTemporaryFiles(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - kept);
  await removeOlder(join(app.config.dataDir, 'tmp'), before);
  await app.storage.removeUnfinished(before);
}

/** Keeps DATA_DIR/tmp clean while the server runs; each process does it when it starts, too. */
export const sweepTemporaryFiles: Schedule = {
  name: 'sweep-temporary-files',
  pattern: '29 5 * * *',
  run: removeTemporaryFiles,
};
