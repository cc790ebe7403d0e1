import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { waitFor } from './cluster/wait-for.ts';

/** What PostgreSQL did for one operation. */
export interface StatementCounts {
  /** Without those that begin and end transactions. */
  readonly statements: number;
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  /** Pages of 8 KB that all statements read, from memory or disk. Unlike times, they do not depend on the machine. */
  readonly pages: number;
  /** Milliseconds in all statements. */
  readonly ms: number;
  /** The statements that took the most time, each for one operation. */
  readonly slowest: readonly StatementRow[];
}

/** What the calls of a statement did. */
export interface StatementRow {
  readonly query: string;
  readonly calls: number;
  readonly rows: number;
  readonly wal: number;
  readonly pages: number;
  readonly ms: number;
}

const slowestCount = 30;
/** Time in which PostgreSQL tells the other connections of a changed setting, after the first one knows it. */
const reloadMs = 100;
const isControl = (query: string): boolean => /^(?:start transaction|begin|commit|rollback|set local)\b/i.test(query);

/** Prepares a database for counting: takes effect with its next start, and costs nothing until it counts. */
export async function installStatementCounter(client: pg.Client): Promise<void> {
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query('create extension if not exists pg_stat_statements');
}

/** Starts the counter off, after the start of the database. */
export const disableCounting = (client: pg.Client): Promise<void> => setTracking(client, 'none');

export async function removeStatementCounter(client: pg.Client): Promise<void> {
  await client.query('drop extension if exists pg_stat_statements');
  await client.query('alter system reset all');
}

/** Counts the statements of `run`, which returns how many operations it did. */
export async function countStatements(client: pg.Client, run: () => Promise<number>): Promise<StatementCounts> {
  await setTracking(client, 'top');
  await client.query('select pg_stat_statements_reset()');
  const times = await run();
  const { rows } = await client.query<StatementRow>(`
    select query, sum(calls)::float8 as calls, sum(rows)::float8 as rows, sum(wal_bytes)::float8 as wal,
      sum(shared_blks_hit + shared_blks_read)::float8 as pages, sum(total_exec_time) as ms
    from pg_stat_statements
    where query not like '% as benchmark %' and query not like '%pg_stat_statements%'
    group by query order by ms desc`);
  await setTracking(client, 'none');
  const sumOf = (counted: readonly StatementRow[], valueOf: (row: StatementRow) => number): number =>
    counted.reduce((sum, row) => sum + valueOf(row), 0) / times;
  const work = rows.filter(({ query }) => !isControl(query));
  return {
    statements: sumOf(work, ({ calls }) => calls),
    commits: sumOf(
      rows.filter(({ query }) => /^commit/i.test(query)),
      ({ calls }) => calls,
    ),
    rows: sumOf(work, (row) => row.rows),
    walBytes: sumOf(rows, ({ wal }) => wal),
    pages: sumOf(work, ({ pages }) => pages),
    ms: sumOf(work, ({ ms }) => ms),
    slowest: work.slice(0, slowestCount).map((row) => ({
      query: row.query.replaceAll(/\s+/g, ' '),
      calls: row.calls / times,
      rows: row.rows / times,
      wal: row.wal / times,
      pages: row.pages / times,
      ms: row.ms / times,
    })),
  };
}

async function setTracking(client: pg.Client, value: 'none' | 'top'): Promise<void> {
  await client.query(`alter system set pg_stat_statements.track = '${value}'`);
  await client.query('select pg_reload_conf()');
  await waitFor(async () => {
    const { rows } = await client.query<{ value: string }>(
      "select current_setting('pg_stat_statements.track') as value",
    );
    return rows[0]?.value === value || undefined;
  });
  await pause(reloadMs);
}
