import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Created by test/global-setup.ts. */
const templateDatabase = 'fieldfare_template';

/** A database of this test run for real processes. */
export interface EmptyDatabase extends AsyncDisposable {
  /** In the format of DATABASE_URL. */
  readonly url: string;
  /** Runs statements. */
  query(text: string): Promise<void>;
  /** Opens a connection that is closed with the database. */
  connect(): Promise<pg.Client>;
}

/** Creates an empty database and drops it on disposal. */
export const createEmptyDatabase = (): Promise<EmptyDatabase> => createDatabase('');

/** Creates a database with all tables and no data, and drops it on disposal. */
export const createMigratedDatabase = (): Promise<EmptyDatabase> =>
  createDatabase(`template ${templateDatabase} strategy file_copy`);

async function createDatabase(options: string): Promise<EmptyDatabase> {
  const { host = '', port = 0, user = '' } = inject('connection');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Pool({ ...inject('connection'), database: 'postgres', max: 1 });
  await admin.query(`create database ${name} ${options}`);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...inject('connection'), database: name });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  return {
    url: `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    async query(text) {
      const client = await connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    },
    connect,
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
