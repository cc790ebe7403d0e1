import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient } from '../../platform/wire/primary-client.ts';

/** What is wrong with a pooler of which `losesStatements` is true. */
export const statementLoss =
  'lends its connections for a transaction, and loses prepared statements: set max_prepared_statements of PgBouncer, 1.21 or newer';

const connectMs = 10_000;
/** Enough also while a pooler is in use: it lends first what was returned last. */
const maxProbes = 20;

/** Returns whether a pooler lends its connections for a transaction, but not with the prepared statements of a client. */
export function losesStatements(connection: Connection): Promise<boolean> {
  return withClient(
    connection,
    async (first) => (await passesNamesOn(first)) && withClient(connection, (second) => shareSessions(first, second)),
  );
}

/** Returns whether PostgreSQL knows a prepared statement by the name that the client gave it. */
async function passesNamesOn(client: pg.Client): Promise<boolean> {
  const name = `probe ${randomUUID()}`;
  const text = 'select exists (select from pg_prepared_statements where name = $1) as "isKnown"';
  await client.query('begin read only');
  const { rows } = await client.query<{ isKnown: boolean }>({ name, text, values: [name] });
  const isKnown = rows[0]?.isKnown === true;
  if (isKnown) await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
  await client.query('commit');
  return isKnown;
}

/** Returns whether one session serves both clients, or several serve one of them. */
async function shareSessions(...clients: readonly [pg.Client, pg.Client]): Promise<boolean> {
  const sessions: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let probe = 0; probe < maxProbes; probe += 1) {
    for (const [at, client] of clients.entries()) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      sessions[at]?.add(rows[0]?.pid ?? 0);
    }
    const [first, second] = sessions;
    if (first.size > 1 || second.size > 1 || first.isSubsetOf(second)) return true;
  }
  return false;
}

async function withClient<Result>(
  connection: Connection,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({ ...connection, connectionTimeoutMillis: connectMs, query_timeout: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
