import {
  Kysely,
  PostgresDialect,
  Transaction as KyselyTransaction,
  type DatabaseConnection,
  type PostgresPool,
} from 'kysely';
import type { DatabaseClient } from '../wire/database-client.ts';
import type { Tables } from './tables.ts';

/** Commands whose results name how many rows they changed. */
const writes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Kysely over a pool. `onQuery` is called for each statement. */
export function openKysely(pool: PostgresPool, onQuery: () => void): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (event.level === 'query') onQuery();
    },
  });
}

/** Only compiles: a transaction runs its statements on its own connection. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has its connection')) });
const compiler = new Kysely<Tables>({ dialect });
const driver = dialect.createDriver();

/**
 * Kysely over a connection with an open transaction. Statements are sent in order, without waiting for those before. `onQuery`
 * is called before each, and may refuse it by an error.
 */
export function buildOn(client: DatabaseClient, onQuery: () => void): KyselyTransaction<Tables> {
  const connection = {
    executeQuery: async <Row>(statement: { readonly sql: string; readonly parameters: readonly unknown[] }) => {
      onQuery();
      const { command, rowCount, rows } = await client.query(statement.sql, [...statement.parameters]);
      return {
        rows: rows as Row[],
        ...(writes.has(command as string) && { numAffectedRows: BigInt(rowCount as number) }),
      };
    },
    streamQuery: () => {
      throw new Error('a transaction reads no streams');
    },
  } satisfies Partial<DatabaseConnection> as DatabaseConnection;
  const executor = compiler
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
  return new KyselyTransaction<Tables>({ config: { dialect }, dialect, driver, executor });
}
