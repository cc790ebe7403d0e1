import pg from 'pg';
import { measureUsage } from './cpu.ts';

const maxInserts = 4_000;
const connections = 16;
const row = 'x'.repeat(500);

/** Returns the milliseconds of CPU since the start of this process. */
export const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/**
 * Returns the milliseconds of CPU of an insert of 500 bytes in a transaction of its own, 16 at once: of `pg` in this
 * process, and of the PostgreSQL below the process `server`. Nothing that stores something for each request can cost less.
 * `requests`: of a round of the benchmark, which takes longer with more inserts than its cases need.
 */
export async function measureBareInsert(
  { host, port, user, database }: pg.Client,
  { server, requests }: { readonly server: number; readonly requests: number },
): Promise<number> {
  const insertCount = Math.min(maxInserts, 50 * requests);
  const pool = new pg.Pool({ host, port, user, database: database ?? user, max: connections });
  try {
    await pool.query('create table if not exists benchmark_rows (id bigserial primary key, body text not null)');
    const insert = { name: 'insert', text: 'insert into benchmark_rows (body) values ($1)' };
    const run = async (count: number): Promise<void> => {
      let sent = 0;
      const send = async (): Promise<void> => {
        for (; sent < count; sent += 1) await pool.query({ ...insert, values: [row] });
      };
      await Promise.all(Array.from({ length: connections }, send));
    };
    await run(insertCount / 4);
    const [own, postgres] = [ownCpuMs(), measureUsage(server).postgresMs];
    await run(insertCount);
    return (ownCpuMs() - own + measureUsage(server).postgresMs - postgres) / insertCount;
  } finally {
    await pool.query('drop table if exists benchmark_rows');
    await pool.end();
  }
}
