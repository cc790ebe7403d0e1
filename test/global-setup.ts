import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../server/platform/database/embedded/index.ts';
import type { Connection } from '../server/platform/wire/pool.ts';
import { migrate } from '../server/platform/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection to the PostgreSQL of this run. */
    connection: Connection;
    /** Folder for the records of routes and responses of this run. */
    routeRecords: string;
  }
}

export const templateDatabase = 'fieldfare_template';

const requiredBytes = 4 * 1024 ** 3;

/** Returns a folder in memory if it has enough space. A run copies a thousand databases, which is slow on disk. */
function fastestFolder(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= requiredBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Removes what runs that were killed left in a folder. A PostgreSQL that still runs ends without its files. */
function removeLeftFolders(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^ff-test-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Processes of other users run too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Starts one embedded PostgreSQL for the run, with a migrated database as the template of each test server. */
// oxlint-disable-next-line import/no-default-export
export default async function setup(project: Pick<TestProject, 'provide'>) {
  const folder = fastestFolder();
  removeLeftFolders(folder);
  const dataDir = mkdtempSync(join(folder, `ff-test-${process.pid}-`));
  // Tests make and remove many small files, also as other users. Workers and what they start inherit the setting.
  const temporary = mkdtempSync(join(folder, `ff-test-${process.pid}-`));
  chmodSync(temporary, 0o1777);
  process.env['TMPDIR'] = temporary;
  const server = await startEmbedded({
    dataDir: join(dataDir, 'postgres'),
    log: pino({ level: 'silent' }),
    purpose: 'tests',
    skipSync: true,
  });
  const { host, port, user } = server;
  const connection: Connection = { host, port, user };
  const admin = new pg.Client({ ...connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await migrate({ ...connection, database: templateDatabase });
  await admin.end();
  project.provide('connection', connection);
  const routeRecords = join(dataDir, 'routes');
  mkdirSync(routeRecords);
  project.provide('routeRecords', routeRecords);
  return async () => {
    await server.stop();
    for (const left of [dataDir, temporary]) rmSync(left, { recursive: true, force: true });
  };
}
