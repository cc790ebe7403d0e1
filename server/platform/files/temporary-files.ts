import type { Schedule } from '../work/run-schedules.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../app.ts';

/** Age after which no file is in use, in milliseconds. */
const maxAgeMs = 86_400_000;

/** Deletes files and folders directly in a folder that were last changed before a time. */
export async function deleteOlderThan(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && info.mtime < before) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Deletes what dead processes left in DATA_DIR/tmp on this machine: parts of uploads, folders of decoders, files on
 * their way to the storage. Files younger than a day may be in use.
 */
export async function deleteTemporaryFiles(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - maxAgeMs);
  await deleteOlderThan(join(app.config.dataDir, 'tmp'), before);
  await app.storage.deleteUnfinished(before);
}

/** Cleans up DATA_DIR/tmp while the server runs; each process also does so at startup. */
export const cleanUpTemporaryFiles: Schedule = {
  name: 'platform.clean_up_temporary_files',
  pattern: '29 5 * * *',
  run: deleteTemporaryFiles,
};
