import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings of the server on a data folder. */
type Settings = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

const root = join(import.meta.dirname, '..');
const markerOf = (dataDir: string): string => join(dataDir, 'seeded');

/** Records that the database in a data folder has demo data. */
export const markSeeded = (dataDir: string): void => writeFileSync(markerOf(dataDir), '');

/** Fills the database in a data folder with demo data the first time. Throws if that fails. */
export function seedOnce(env: Settings, { accounts, statuses }: { accounts: string; statuses: string }): void {
  if (existsSync(markerOf(env.DATA_DIR))) return;
  process.stderr.write(`Seeding ${env.DATA_DIR}\n`);
  const args = ['bench/demo/main.ts', '--accounts', accounts, '--statuses', statuses];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`seeding ended with ${status}`);
}
