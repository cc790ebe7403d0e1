import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { PostgresServer } from '../../bench/cluster/postgres-server.ts';
import { migrate } from '../../server/platform/database/migrate.ts';

/** Starts a PostgreSQL server whose database has all tables. All have the system identifier of one cluster. */
export const startMigratedPostgres = async (): Promise<PostgresServer> =>
  PostgresServer.start({ template: await migratedPostgres() });

/** Returns the files of a server whose database has all tables: to create them takes longer than most tests. */
export async function migratedPostgres(): Promise<string> {
  const template = join(dirname(inject('routeRecords')), 'migrated-postgres');
  if (!existsSync(template)) await createTemplate(template);
  return template;
}

async function createTemplate(template: string): Promise<void> {
  const draft = `${template}-${process.pid}`;
  await using server = await PostgresServer.start();
  await migrate({ connectionString: server.url() });
  await server.moveTo(draft);
  // Another process of the run may have made it meanwhile.
  if (existsSync(template)) rmSync(draft, { recursive: true, force: true });
  else renameSync(draft, template);
}
