import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../server/platform/database/migrate.ts';
import { findPrograms } from '../../server/platform/database/embedded/index.ts';
import { parsePidFile } from '../../server/platform/database/embedded/orphans.ts';
import { connectForMaintenance } from '../../server/platform/wire/pool.ts';
import { Installation } from './cli-process.ts';
import { migratedInstallation } from './migrated-installation.ts';
import { oldBin, requireOldPostgres, startOldPostgres } from './old-postgres.ts';

/** Creates the database of an installation with an older PostgreSQL, and rows in it. */
async function createOldDatabase({ dataDir }: Installation): Promise<void> {
  const server = await startOldPostgres(join(dataDir, 'postgres'));
  await migrate(server);
  const client = await connectForMaintenance(server);
  await client.query(
    `insert into schedule_slots (schedule, slot) select 'planted', now() + n * interval '1 day' from generate_series(1, 2000) n`,
  );
  await client.end();
  await server.stop();
}

test('the embedded database moves to a newer PostgreSQL, also if the command is killed at any step', async (context) => {
  requireOldPostgres(context);
  await using installation = new Installation({ BASE_URL: 'https://social.test' });
  await createOldDatabase(installation);
  const dataDir = join(installation.dataDir, 'postgres');
  const upgrade = (...args: string[]) => installation.runToEnd('db', 'upgrade', '--old-bin', oldBin, ...args);

  expect((await upgrade('--cancel')).stderr).toContain('No upgrade was interrupted.');
  expect((await installation.runToEnd('doctor')).stdout).toMatch(/[Rr]un: fieldfare db upgrade/);
  const killed = installation.run(['db', 'upgrade', '--old-bin', oldBin]);
  await expect.poll(() => existsSync(`${dataDir}.upgrade`)).toBe(true);
  await killed.kill('SIGKILL');
  const interrupted = await installation.runToEnd('serve', '--port', '0');
  expect([interrupted.code, interrupted.stderr]).toEqual([1, expect.stringContaining('was interrupted')]);

  const done = await upgrade();
  expect([done.code, done.stderr.includes('Copying: ')], done.stderr).toEqual([0, true]);
  expect(done.stdout).toContain(`The old one is kept in ${dataDir}.old`);
  // As if the command had been killed between its last steps.
  renameSync(dataDir, `${dataDir}.upgraded`);
  expect((await installation.runToEnd('serve', '--port', '0')).stderr).toContain('was interrupted');
  expect((await upgrade()).stdout).toContain(`The old one is kept in ${dataDir}.old`);
  // As if it had been killed before the server of the old cluster ended.
  renameSync(dataDir, `${dataDir}.aside`);
  renameSync(`${dataDir}.old`, dataDir);
  const old = await startOldPostgres(dataDir);
  rmSync(`${dataDir}.lock`);
  renameSync(`${dataDir}.aside`, `${dataDir}.upgraded`);
  expect((await upgrade()).stdout).toContain(`The old one is kept in ${dataDir}.old`);
  await old.stop();

  const count = await installation.runToEnd('db', 'psql', '-Atc', 'select count(*) from schedule_slots');
  expect(count.stdout).toBe('2000\n');
  const findings = (await installation.runToEnd('doctor')).stdout;
  expect(findings).toContain('its programs are in');
  expect(findings).toContain(`the database from before the upgrade of PostgreSQL is kept in ${dataDir}.old`);
  // Nothing of the unfinished cluster is left, and no server runs on the old one.
  const left = readdirSync(installation.dataDir).filter((name) => name.startsWith('postgres.'));
  expect(left.filter((name) => name !== 'postgres.lock')).toEqual(['postgres.old']);
  expect(parsePidFile(`${dataDir}.old`)).toBeUndefined();
  expect((await upgrade('--cancel')).stderr).toContain('The upgrade has ended. To go back, ');
  renameSync(dataDir, `${dataDir}.newer`);
  expect((await upgrade('--confirm')).stderr).toContain('is the only database here');
  renameSync(`${dataDir}.newer`, dataDir);
  expect((await upgrade()).stdout).toContain('no newer major version is installed');
  expect((await upgrade('--confirm')).stdout).toContain('Deleted');
  expect(existsSync(`${dataDir}.old`)).toBe(false);
});

test('the doctor names programs that are not used although POSTGRES_BIN names them', async (context) => {
  requireOldPostgres(context);
  await using installation = await migratedInstallation({ BASE_URL: 'https://social.test', POSTGRES_BIN: oldBin });
  const findings = (await installation.runToEnd('doctor')).stdout;
  expect(findings).toMatch(/POSTGRES_BIN has PostgreSQL 15\.\d+, and is not used: 18\.\d+ is newer/);
});

test('the newest programs of a major version are used, and a wrong POSTGRES_BIN is refused', async () => {
  const bundled = findPrograms({ major: 18 });
  expect(bundled).toMatchObject({ major: 18, bin: expect.stringContaining('bin') });
  expect(findPrograms({ major: 99 })).toBeUndefined();
  await using installation = new Installation();
  const notExecutable = join(installation.folder, 'bin');
  mkdirSync(notExecutable);
  for (const name of ['postgres', 'initdb']) writeFileSync(join(notExecutable, name), '#!/bin/sh\n', { mode: 0o644 });
  for (const bin of ['/nowhere', notExecutable]) {
    const { code, stderr } = await installation.run(['db', 'status'], { POSTGRES_BIN: bin }).exited;
    const expected = `POSTGRES_BIN has no programs of PostgreSQL that run here: ${bin}`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
  }
});
