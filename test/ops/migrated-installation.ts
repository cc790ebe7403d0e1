import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { Installation } from './cli-process.ts';

/** Returns an installation whose embedded database exists and has all tables: creating it takes longer than most tests. */
export async function migratedInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const template = await migratedFolder();
  const installation = new Installation(settings);
  // With the owner, which is not root.
  execFileSync('cp', ['--archive', template, installation.dataDir]);
  return installation;
}

/** Returns a data folder of this run of the tests with a database that is stopped. */
async function migratedFolder(): Promise<string> {
  const folder = join(dirname(inject('routeRecords')), 'migrated');
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  await using installation = new Installation({ DATA_DIR: draft });
  const { code, stderr } = await installation.runToEnd('db', 'migrate');
  if (code !== 0) throw new Error(stderr);
  // Another process of the run may have made it meanwhile.
  if (existsSync(folder)) rmSync(draft, { recursive: true, force: true });
  else renameSync(draft, folder);
  return folder;
}
