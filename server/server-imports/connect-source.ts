import type pg from 'pg';
import { toError } from '../platform/errors.ts';
import { connectForMaintenance } from '../platform/wire/pool.ts';
import { toConnection } from '../platform/wire/primary-client.ts';
import { ServerImportError } from './server-import-error.ts';

/** Whether `--database` is the address of a PostgreSQL. */
export const isDatabaseUrl = (database: string): boolean => /^postgres(?:ql)?:\/\//.test(database);

/** Connects to the PostgreSQL of the source for reading only. Throws ServerImportError. */
export async function connectSource(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = await connectForMaintenance(toConnection(databaseUrl));
    await client.query(`set default_transaction_read_only = on; set timezone = 'UTC'; set jit = off`);
    return client;
  } catch (error) {
    const { message } = toError(error);
    const remedy = message.includes('unsupported startup parameter')
      ? ' It leads to a connection pooler: use the address of PostgreSQL itself.'
      : '';
    throw new ServerImportError(`The database of --database cannot be reached (${message}).${remedy}`);
  }
}
