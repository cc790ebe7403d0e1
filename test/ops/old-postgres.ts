import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { requirePrograms, startEmbedded, type EmbeddedServer } from '../../server/platform/database/embedded/index.ts';
import { skipUnlessCi } from '../programs.ts';

/** Programs of an older PostgreSQL: those of Debian 12, unless `OLD_POSTGRES_BIN` names others. */
export const oldBin = process.env['OLD_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';

/** Skips the test if the older PostgreSQL is not installed; in CI, throws. */
export function requireOldPostgres(context: TestContext): void {
  if (!existsSync(join(oldBin, 'postgres'))) skipUnlessCi(context, `there is no PostgreSQL in ${oldBin}`);
}

/** Starts the older PostgreSQL on a data folder, which it creates if there is none. */
export const startOldPostgres = (dataDir: string): Promise<EmbeddedServer> =>
  startEmbedded({
    dataDir,
    log: pino({ level: 'silent' }),
    purpose: 'tests',
    skipSync: true,
    postgresBin: oldBin,
    major: requirePrograms(oldBin).major,
  });
