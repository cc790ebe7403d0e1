import type { Schedule } from './jobs/run-schedules.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from './app.ts';

/** Milliseconds after which nothing that works on a file can be at work any more. */
const maxAgeMs = 86_400_000;

/** Removes files and folders directly in a folder that were last changed before a moment. */
export async function deleteOlderThan(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && info.mtime < before) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Removes from this machine what processes that died left in DATA_DIR/tmp: parts of uploads, folders of decoders, files
 * on their way to the storage. What is younger than a day may be in use.
 */
export async function deleteTemporaryFiles(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - maxAgeMs);
  await deleteOlderThan(join(app.config.dataDir, 'tmp'), before);
  await app.storage.deleteUnfinished(before);
}

/** Keeps DATA_DIR/tmp clean while the server runs; each process does it when it starts, too. */
export const cleanUpTemporaryFiles: Schedule = {
  name: 'platform.clean_up_temporary_files',
  pattern: '29 5 * * *',
  run: deleteTemporaryFiles,
};
