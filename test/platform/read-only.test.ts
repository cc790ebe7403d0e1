import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { StatementNames } from '../../server/platform/wire/database-client.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { preparedQuery } from '../../server/platform/database/prepared-query.ts';
import type { Tables } from '../../server/platform/database/tables.ts';
import { writeStatement } from '../../server/platform/write/write-statement.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { recordStatements } from '../record-statements.ts';
import { startServer } from '../server.ts';

const readOnly = { code: '25006' };
const storeSlotText = `insert into schedule_slots (schedule, slot) values ('planted', now())`;
const storeSlot = sql.raw(storeSlotText);
const slots = async ({ db }: App): Promise<number> =>
  (await db.selectFrom('schedule_slots').select('slot').execute()).length;

/** Never called: the compiler must reject each line, or `tsc` reports an unused directive. */
function refusedByType({ db }: App): void {
  // @ts-expect-error no insert
  void db.insertInto('schedule_slots');
  // @ts-expect-error no update
  void db.updateTable('schedule_slots');
  // @ts-expect-error no delete
  void db.deleteFrom('schedule_slots');
  // @ts-expect-error no merge
  void db.mergeInto('schedule_slots');
  // @ts-expect-error no replace
  void db.replaceInto('schedule_slots');
  // @ts-expect-error no common table expression, since it may write
  void db.with('gone', (query) => query.deleteFrom('schedule_slots'));
  // @ts-expect-error no transaction, which could be read-write
  void db.transaction();
  // @ts-expect-error no manually ended transaction
  void db.startTransaction();
  // @ts-expect-error no connection, whose settings could be changed
  void db.connection();
  // @ts-expect-error no schema changes
  void db.schema;
  // @ts-expect-error no copy with more methods
  void db.withSchema('public');
  // @ts-expect-error the same
  void db.withTables();
  // @ts-expect-error the same
  void db.withPlugin({});
  // @ts-expect-error the same
  void db.withoutPlugins();
  // @ts-expect-error the same
  void db.executeQuery(storeSlot.compile(db));
  // @ts-expect-error and functions that need all of Kysely do not accept it
  const all: Kysely<Tables> = db;
  void all;
}

test('app.db has no methods that write, even at run time', async () => {
  await using server = await startServer();
  expect(Object.keys(server.app.db).toSorted()).toEqual(['getExecutor', 'selectFrom', 'selectNoFrom']);
  expect(refusedByType).toBeTypeOf('function');
});

test.each<[string, RawBuilder<unknown>]>([
  ['an insert', storeSlot],
  ['an update', sql`update schedule_slots set slot = now()`],
  ['a delete', sql.raw('delete from schedule_slots')],
  ['a merge', sql`merge into schedule_slots s using (select 1) one on false when matched then delete`],
  ['a table named by a value', sql`delete from ${sql.table('schedule_slots')}`],
  ['an update inside a select', sql`with gone as (delete from schedule_slots returning slot) select slot from gone`],
  [
    'an insert below a select',
    sql`with now as (select now() as at) insert into schedule_slots select 'x', at from now`,
  ],
  ['a function that writes', sql`select planted()`],
  ['a lock of a row', sql`select slot from schedule_slots for update`],
  ['a number of a sequence', sql`select nextval(pg_get_serial_sequence('jobs', 'id'))`],
  ['a copy', sql`copy schedule_slots from stdin`],
  ['a truncation', sql`truncate schedule_slots`],
  ['a new table', sql`create table planted (id int)`],
  ['a delete that is explained and done', sql`explain analyze delete from schedule_slots`],
  ['a temporary table', sql`create temporary table planted (id int)`],
  ['a table made by a select', sql`select 1 as id into planted`],
  ['a position of a sequence', sql`select setval(pg_get_serial_sequence('jobs', 'id'), 1000)`],
  ['a large object', sql`select lo_create(0)`],
  [
    'a setting through its view',
    sql`update pg_settings set setting = 'off' where name = 'default_transaction_read_only'`,
  ],
  ['a new function', sql`create function writer() returns int language sql as 'select 1'`],
])('PostgreSQL refuses %s through app.db', async (_name, query) => {
  await using server = await startServer();
  const { app } = server;
  await sql`create function planted() returns void language sql
    as $$ insert into schedule_slots values ('planted', now()) $$`.execute(server.db);
  await expect(query.execute(app.db)).rejects.toMatchObject(readOnly);
  await expect(app.pool.query(query.compile(app.db).sql)).rejects.toMatchObject(readOnly);
  expect(await slots(app)).toBe(0);
});

const settingOff = 'default_transaction_read_only = off';

/** Statements that PostgreSQL accepts and that would make the connection writable. */
test.each([
  `set ${settingOff}`,
  `set session characteristics as transaction read write`,
  `  -- a comment\n /* and another */ SET ${settingOff}`,
  `/* /* nested */ */ set ${settingOff}`,
  `select set_config('default_transaction_read_only', 'off', false)`,
  `with changed as (select SET_CONFIG('default_transaction_read_only', 'off', false)) select * from changed`,
  'reset all',
  'discard all',
  'begin read write',
  'start transaction isolation level serializable, read write',
  'commit',
  `set transaction read write; ${storeSlotText}`,
  `set transaction_read_only = off; ${storeSlotText}`,
  `begin read write; ${storeSlotText}; commit`,
  `do $$ begin commit; set transaction read write; ${storeSlotText}; end $$`,
  'call planted()',
  'execute planted',
  `alter system set ${settingOff}`,
  ';',
])('neither app.db nor app.pool runs: %s', async (text) => {
  await using server = await startServer();
  const { app } = server;
  await server.pool.query(`create procedure planted() language plpgsql
    as $$ begin commit; set transaction read write; ${storeSlotText}; end $$`);
  const refused = /^a read-only connection does not run this statement: /u;
  await expect(sql.raw(text).execute(app.db)).rejects.toThrow(refused);
  await expect(app.pool.query(text)).rejects.toThrow(refused);
  await expect(app.pool.query({ text })).rejects.toThrow(refused);
  await expect(
    app.db.getExecutor().provideConnection((connection) => connection.executeQuery(sql.raw(text).compile(app.db))),
  ).rejects.toThrow(refused);
  await expect(storeSlot.execute(app.db)).rejects.toMatchObject(readOnly);
  expect(await slots(app)).toBe(0);
});

test('a text of several statements is refused, also when no more statements can be named', async () => {
  await using server = await startServer();
  const { app } = server;
  const several = `select 1; commit; begin read write; ${storeSlotText}; commit`;
  const refused = { code: '42601' };
  await expect(sql.raw(several).execute(app.db)).rejects.toMatchObject(refused);
  await expect(app.pool.query(several)).rejects.toMatchObject(refused);
  const pool = openPool(app.pool.options, 1);
  for (let at = 0; at < StatementNames.max; at += 1) await pool.query(`select ${at}`);
  await expect(pool.query(several)).rejects.toMatchObject(refused);
  await expect(pool.query(several, [])).rejects.toMatchObject(refused);
  await pool.end();
  expect(await slots(app)).toBe(0);
});

test('PostgreSQL refuses a write through a named statement', async () => {
  await using server = await startServer();
  const plant = preparedQuery<object>()((db, { name }: { name: string }) => ({
    compile: () => sql<object>`insert into schedule_slots values (${name}, now())`.compile(db),
  }));
  await expect(plant(server.app, { name: 'planted' })).rejects.toMatchObject(readOnly);
});

test('commands that change no rows work through app.db: notifications, advisory locks, maintenance', async () => {
  await using server = await startServer();
  const { app } = server;
  await sql`select pg_notify('somewhere', 'hello')`.execute(app.db);
  await sql`select pg_advisory_xact_lock(1)`.execute(app.db);
  await sql`vacuum analyze schedule_slots`.execute(app.db);
  await sql`checkpoint`.execute(app.db);
});

test('transactions can write, and their connection is read-only again afterwards', async () => {
  await using server = await startServer();
  const { app } = server;
  await transaction(app, ({ db }) => storeSlot.execute(db));
  await writeStatement(app, sql`insert into schedule_slots values (${'another'}, now())`);
  expect(await slots(app)).toBe(2);
  for (let at = 0; at < 6; at += 1) await expect(storeSlot.execute(app.db)).rejects.toMatchObject(readOnly);
});

test('a transaction takes no additional statements, and begins read-write', async () => {
  await using server = await startServer();
  const sent = await recordStatements(() => transaction(server.app, ({ db }) => storeSlot.execute(db)));
  expect(sent.map(({ text }) => text)).toEqual([
    'begin read write',
    "insert into schedule_slots (schedule, slot) values ('planted', now())",
    'commit',
  ]);
});

test('a statement that writes returns its rows and the number of changed rows', async () => {
  await using server = await startServer();
  const { app } = server;
  const stored = await writeStatement(
    app,
    sql<{ schedule: string }>`insert into schedule_slots select 'slot ' || n, now()
      from generate_series(1, ${3}::int) n returning schedule`,
  );
  expect(stored.rows.map(({ schedule }) => schedule)).toEqual(['slot 1', 'slot 2', 'slot 3']);
  expect(stored.numAffectedRows).toBe(3n);
});

test('a failed statement throws its own error, changes nothing and does not affect the connection', async () => {
  await using server = await startServer();
  const { app } = server;
  const half = sql`insert into schedule_slots select 'planted', now() + make_interval(secs => n / (2 - n))
    from generate_series(1, ${2}::int) n`;
  const duplicate = sql`insert into schedule_slots values (${'planted'}, '2026-01-01'), ('planted', '2026-01-01')`;
  for (let at = 0; at < 12; at += 1) {
    await expect(writeStatement(app, half)).rejects.toMatchObject({ code: '22012' });
    await expect(writeStatement(app, duplicate)).rejects.toMatchObject({ code: '23505' });
    await expect(writeStatement(app, sql`insert into nowhere values (${at})`)).rejects.toMatchObject({ code: '42P01' });
  }
  expect(await slots(app)).toBe(0);
  await Promise.all(
    Array.from({ length: 30 }, (_, at) => writeStatement(app, sql`insert into schedule_slots values (${at}, now())`)),
  );
  expect(await slots(app)).toBe(30);
});

test('the options of DATABASE_URL cannot make connections read-write', async () => {
  await using server = await startServer();
  const { host, port, user, database } = server.app.pool.options;
  const query = new URLSearchParams({ host: String(host), options: '-c work_mem=5MB' });
  const pool = openPool(
    { connectionString: `postgres://${user}@localhost:${port}/${database}?${query.toString()}` },
    1,
  );
  const { rows } = await pool.query(`select current_setting('default_transaction_read_only') as readonly,
    current_setting('work_mem') as memory, current_setting('jit') as jit`);
  await pool.end();
  expect(rows).toEqual([{ readonly: 'on', memory: '5MB', jit: 'off' }]);
});

/** What could open a connection or a transaction that writes. */
const writable = [
  /\bread\s+write(?! (?:follow|push))|transaction_read_only|session characteristics|AccessMode\b/iu,
  /\b(?:openKysely|openPool|connectForMaintenance|takeClient|runAlone|provideConnection|PrimaryClient)\b/u,
  /\b(?:new Kysely|PostgresDialect|QueryCreator)\b/u,
  /\bapp\.pool\b|\bapp\[['"`]pool|[{,]\s*pool\b[^;}]*\}\s*(?::\s*App|=.*\bapp)\b/u,
  /^import (?!type\b).*'pg'|(?:import|require)\(['"`]pg['"`]\)/mu,
];
const isWritable = (text: string): boolean => writable.some((pattern) => pattern.test(text));

test('outside the command line, backups, imports of servers and the folders of the database, only these files can open connections and transactions that write', () => {
  const root = join(import.meta.dirname, '../../server');
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const others = files.filter(
    (file) => !/^(?:backup|cli|server-imports|platform\/(?:database|wire|write))\//u.test(file),
  );
  const known = others.filter((file) => isWritable(readFileSync(join(root, file), 'utf8')));
  expect(known.toSorted()).toEqual([
    'platform/create-app.ts',
    'platform/http/readiness.ts',
    'platform/rate-limits/postgres-rate-limiter.ts',
    // A standby accepts no writes.
    'platform/replicas/replica.ts',
    'platform/replicas/replicas.ts',
    'platform/work/lease-holder.ts',
  ]);
});

test('connections find the primary among several servers, except those that know their server', () => {
  const root = join(import.meta.dirname, '../../server');
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const direct = files.filter((file) => /\bnew pg\.Client\(/u.test(readFileSync(join(root, file), 'utf8')));
  expect(direct.toSorted()).toEqual([
    'cli/database/database-commands.ts',
    'platform/database/embedded/connection.ts',
    'platform/replicas/replica.ts',
    'platform/wire/primary-client.ts',
  ]);
});

test.each([
  `const client = await app.pool.connect(); await client.query('begin');`,
  `const { pool } = app;`,
  `const { db, pool: connections } = app;`,
  `const run = ({ pool }: App) => pool.connect();`,
  `app['pool'].connect();`,
  `import pg from 'pg'; new pg.Client(options);`,
  `import { PrimaryClient } from '../platform/wire/primary-client.ts';`,
  `import { Client } from 'pg';`,
  `const { Client } = await import('pg');`,
  `import { Kysely, PostgresDialect } from 'kysely';`,
  `import { QueryCreator } from 'kysely';`,
  `db.transaction().setAccessMode(mode);`,
  `db.getExecutor().provideConnection(run);`,
  `sql.raw('BEGIN READ WRITE');`,
  `sql.raw('start transaction isolation level serializable, read  write');`,
  `import { connectForMaintenance } from '../platform/wire/pool.ts';`,
])('that list would grow by a file with: %s', (text) => {
  expect(isWritable(text)).toBe(true);
});
