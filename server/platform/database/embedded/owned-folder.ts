import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Binaries } from './binaries.ts';

/** Creates a folder that only the operating system user of PostgreSQL may enter. */
export async function createOwnedFolder(folder: string, { user }: Binaries): Promise<void> {
  await mkdir(folder, { mode: 0o700, recursive: true });
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}
