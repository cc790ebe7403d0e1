import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../platform/app.ts';

/** Runs `work` with an empty folder, and deletes the folder with its content afterwards. */
export async function withWorkFolder<Result>(app: App, work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = join(app.config.dataDir, 'tmp', `work-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
