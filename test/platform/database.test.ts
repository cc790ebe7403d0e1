import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openPool, type Connection } from '../../server/platform/wire/pool.ts';
import { migrate, migrationStatus } from '../../server/platform/database/migrate.ts';
import { listMigrations } from '../../server/platform/database/migrations.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { PostgresBus } from '../../server/platform/bus/postgres-bus.ts';
import { startServer } from '../server.ts';

async function createEmptyDatabase(): Promise<{
  connection: Connection;
  pool: pg.Pool;
  writer: pg.Pool;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Pool({ ...inject('connection'), database: 'postgres', max: 1 });
  await admin.query(`create database ${database}`);
  const connection = { ...inject('connection'), database };
  const pool = openPool(connection, 4);
  const writer = new pg.Pool({ ...inject('connection'), database, max: 1 });
  return {
    connection,
    pool,
    writer,
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), writer.end()]);
      // A pool of pg ends before PostgreSQL has closed the connections.
      const sessions = () => admin.query('select from pg_stat_activity where datname = $1', [database]);
      while ((await sessions()).rowCount !== 0);
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}

test('two processes that start concurrently migrate once', async () => {
  await using database = await createEmptyDatabase();
  const applied = await Promise.all([migrate(database.connection), migrate(database.connection)]);
  expect(applied.flatMap((result) => result.applied).toSorted()).toEqual(listMigrations().map(({ name }) => name));
  expect((await migrationStatus(database.pool)).every(({ appliedAt }) => appliedAt instanceof Date)).toBe(true);
  expect(await migrate(database.connection)).toEqual({ applied: [], waiting: [] });
});

test('a database that a newer version contracted, or with a changed migration, is refused', async () => {
  await using database = await createEmptyDatabase();
  await migrate(database.connection);
  await database.writer.query(`insert into migrations (name, checksum, kind) values ('9999-future', 'x', 'contract')`);
  await expect(migrate(database.connection)).rejects.toThrow(/newer version/);
  await expect(migrationStatus(database.pool)).rejects.toThrow(/newer version/);
  await database.writer.query(`delete from migrations where name = '9999-future'`);
  await database.writer.query(`update migrations set checksum = 'x' where name = '0001-platform'`);
  await expect(migrate(database.connection)).rejects.toThrow(/0001-platform differs/);
});

function createBus(pool: pg.Pool, errors: unknown[]): PostgresBus {
  const { database } = pool.options;
  const connection = { ...inject('connection'), ...(database !== undefined && { database }) };
  return new PostgresBus({ pool, connection, onError: (error) => errors.push(error) });
}

test('other processes receive the messages of a process, many of them in one notification', async () => {
  await using database = await createEmptyDatabase();
  const errors: unknown[] = [];
  const [a, b] = [createBus(database.pool, errors), createBus(database.pool, errors)];
  await Promise.all([a.start(), b.start()]);
  const received: unknown[] = [];
  const all = Promise.withResolvers<void>();
  b.subscribe('things', (message) => {
    received.push(message);
    if (received.length === 300) all.resolve();
  });
  const ownMessages: unknown[] = [];
  a.subscribe('things', (message) => ownMessages.push(message));
  for (let n = 0; n < 300; n += 1) a.publish('things', { n, text: 'é'.repeat(50) });
  expect(ownMessages).toHaveLength(300);
  await all.promise;
  expect(received).toEqual(ownMessages);
  await a.close();
  await b.close();
  expect([ownMessages.length, errors]).toEqual([300, []]);
});

test('a list too long for one notification is sent in parts, and a message that cannot be sent blocks no others', async () => {
  await using database = await createEmptyDatabase();
  const errors: unknown[] = [];
  const [a, b] = [createBus(database.pool, errors), createBus(database.pool, errors)];
  await Promise.all([a.start(), b.start()]);
  const received: number[] = [];
  const last = Promise.withResolvers<void>();
  b.subscribe('lists', (message) => received.push(...(message as { n: number }[]).map(({ n }) => n)));
  b.subscribe('end', () => last.resolve());
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  a.publish(
    'lists',
    numbers.map((n) => ({ n, text: 'x'.repeat(120) })),
  );
  a.publish('lists', 'x'.repeat(10_000));
  a.publish('end', []);
  await last.promise;
  expect(received).toEqual(numbers);
  await a.close();
  await b.close();
  expect(errors).toHaveLength(1);
});

test('statements are prepared, so that each is planned once per connection', async () => {
  await using server = await startServer();
  // A copy of the module, because all servers of this process share the names of statements, whose number is limited.
  const copy = (await import(`${import.meta.dirname}/../../server/platform/wire/pool.ts?prepared`)) as {
    readonly openPool: typeof openPool;
  };
  const pool = copy.openPool(server.app.pool.options, 1);
  const client = await pool.connect();
  await client.query('select $1::int as n', [1]);
  await client.query('select $1::int as n', [2]);
  const { rows } = await client.query(
    `select count(*)::int as count from pg_prepared_statements where statement = 'select $1::int as n'`,
  );
  client.release();
  await pool.end();
  expect(rows).toEqual([{ count: 1 }]);
});

test('a transaction that requests a second connection fails, since it could wait forever', async () => {
  await using server = await startServer();
  const { app } = server;
  const nested = transaction(app, () => app.db.selectFrom('users').select('id').execute());
  await expect(nested).rejects.toThrow('a transaction must not take a second connection');
  expect(await transaction(app, ({ db }) => db.selectFrom('users').select('id').execute())).toEqual([]);
});
