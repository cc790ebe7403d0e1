import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { startEmbedded } from '../../platform/database/embedded/index.ts';
import type { Migration } from '../../platform/database/migrations.ts';
import { traceMigrations, type TableUse, type TracedMigration } from '../../platform/database/trace-migrations.ts';
import { connectForMaintenance } from '../../platform/wire/pool.ts';

/** Size of a table with its indexes, as text, and the estimated number of its rows. */
interface TableSize {
  readonly name: string;
  readonly size: string;
  readonly rows: number;
}

/** Returns the sizes of all tables by name. */
export async function loadTableSizes(pool: pg.Pool): Promise<ReadonlyMap<string, TableSize>> {
  const { rows } = await pool.query<TableSize>(
    `select relname as name, pg_size_pretty(pg_total_relation_size(oid)) as size, greatest(reltuples, 0)::float8 as rows
      from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Returns what pending migrations lock. They run in an embedded PostgreSQL without data, which is deleted afterwards. */
export async function planMigrations(
  migrations: { readonly applied: readonly Migration[]; readonly pending: readonly Migration[] },
  { log, postgresBin }: { readonly log: Logger; readonly postgresBin: string | undefined },
): Promise<TracedMigration[]> {
  if (migrations.pending.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'fieldfare-plan-'));
  try {
    const dataDir = join(folder, 'postgres');
    const server = await startEmbedded({ dataDir, log, postgresBin, purpose: 'command', skipSync: true });
    try {
      const client = await connectForMaintenance(server);
      try {
        return await traceMigrations(client, migrations);
      } finally {
        await client.end();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Formats a plan for people. Tables that nobody notices are left out. */
export function formatPlan(plan: readonly TracedMigration[], sizes: ReadonlyMap<string, TableSize>): string[] {
  if (plan.length === 0) return ['The database is up to date.'];
  return plan.flatMap(({ name, kind, tables }) => {
    const lines = tables
      .filter(({ blocks, reads }) => blocks !== 'nothing' || reads.length > 0)
      .map((use) => `  ${describeUse(use, sizes)}`);
    const when = kind === 'contract' ? ', when no process of an older version is left' : '';
    return [`${name} (${kind}${when})`, ...(lines.length > 0 ? lines : ['  blocks nothing'])];
  });
}

function describeUse({ table, lock, blocks, reads }: TableUse, sizes: ReadonlyMap<string, TableSize>): string {
  const read = reads.map((name) => {
    const { rows, size } = sizes.get(name) ?? { rows: 0, size: '0 bytes' };
    return `${name} (about ${Math.round(rows)} rows, ${size} with indexes)`;
  });
  const duration = read.length > 0 ? `while it reads ${read.join(' and ')}` : 'for an instant';
  return `${table}: blocks ${blocks} (${lock}) ${duration}`;
}
