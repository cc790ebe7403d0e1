import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of this test run for real processes. */
export interface EmptyDatabase extends AsyncDisposable {
  /** In the format of DATABASE_URL. */
  readonly url: string;
  /** Opens a connection that is closed with the database. */
  connect(): Promise<pg.Client>;
}

/** Creates an empty database and drops it on disposal. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { host = '', port = 0, user = '' } = inject('connection');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Pool({ ...inject('connection'), database: 'postgres', max: 1 });
  await admin.query(`create database ${name}`);
  return {
    url: `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    async connect() {
      const client = new pg.Client({ ...inject('connection'), database: name });
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
