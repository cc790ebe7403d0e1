import { renameSync, rmSync } from 'node:fs';

/**
 * Puts a folder in the place of another one, which may not exist. The place is empty for a moment only. Throws if another
 * process put a folder there in that moment.
 */
export function replaceFolder(folder, place) {
  const old = `${folder}.old`;
  try {
    renameSync(place, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  try {
    renameSync(folder, place);
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}
