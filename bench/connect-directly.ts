import pg from 'pg';
import { openCommandDatabase } from '../server/cli/open/open-database.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';

/**
 * Connects to the database of these settings, which need not have a server, without the restrictions that the product
 * sets for itself.
 */
export async function connectDirectly<Result>(
  env: Readonly<Record<string, string>>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const database = await openCommandDatabase(parseConfig(env), createLog({ level: 'error' }));
  const client = new pg.Client(database.connection);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await database.close();
  }
}
