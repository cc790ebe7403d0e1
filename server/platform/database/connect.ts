import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** How to reach PostgreSQL: an address, or the embedded server's socket. */
export type Connection = Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;

const mostNames = 2_000;
const names = new Map<string, string>();

/** Sends every statement with parameters under a name, so that each connection parses and plans it once. */
class NamingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // A connection may break while nobody uses it; whoever uses it next is given another.
    this.on('error', () => {});
  }

  // pg declares a dozen overloads; only the form that Kysely uses is changed.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text === 'string' && Array.isArray(values)) {
      const name = nameOf(text);
      if (name !== undefined) args.splice(0, 2, { name, text, values });
    }
    // oxlint-disable-next-line typescript/no-explicit-any
    return (super.query as (...given: any[]) => any)(...args);
  }
}

/** The same text always has the same name; beyond a bound texts go without, so that a connection does not fill up. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Opens a pool of connections. A statement may run for 60 s, a transaction may idle for 30 s. */
export function openPool(connection: Connection, size: number): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: NamingClient,
    max: size,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'fieldfare',
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  });
  pool.on('error', () => {});
  return pool;
}

export function openKysely(pool: pg.Pool, onQuery: () => void): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (event.level === 'query') onQuery();
    },
  });
}
