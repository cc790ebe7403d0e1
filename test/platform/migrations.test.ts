import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { workers } from '../../server/app.ts';
import { contractSchema } from '../../server/platform/database/contract-schedule.ts';
import { knownContracts } from '../../server/platform/database/contract.ts';
import { listWaiting, migrate, splitStatements, tryLockMigrations } from '../../server/platform/database/migrate.ts';
import { listMigrations, parseMigration, type Migration } from '../../server/platform/database/migrations.ts';
import { traceMigrations } from '../../server/platform/database/trace-migrations.ts';
import { readDatabase } from '../../server/platform/database/read-database.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { writeStatement } from '../../server/platform/write/write-statement.ts';
import { LeaseHolder } from '../../server/platform/work/lease-holder.ts';
import { createEmptyDatabase, createMigratedDatabase } from '../ops/database.ts';
import { startServer } from '../server.ts';

/** Migrations below are of the first release, which no older version precedes. */
const firstOfSecondRelease = '0190';

const newer: readonly Migration[] = [
  parseMigration('9001-new-column', '-- expand\nalter table tags add column colour text;'),
  parseMigration('9002-old-column', '-- contract\nalter table tags drop column listable;'),
  parseMigration('9003-newer-column', '-- expand\nalter table tags add column shade text;'),
];

test('every migration after the first release is marked as expand or contract', () => {
  const unmarked = listMigrations().filter(
    ({ name, sql }) => name >= firstOfSecondRelease && !/^-- (?:expand|contract)(?:, no transaction)?\n/.test(sql),
  );
  expect(unmarked.map(({ name }) => name)).toEqual([]);
  // Other statements would wait for locks without a limit there.
  const others = listMigrations().filter(
    (migration) =>
      migration.noTransaction && splitStatements(migration).some((text) => !/\bindex\s+concurrently\b/i.test(text)),
  );
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(parseMigration('1', '-- expand, no transaction\nselect 1;')).toMatchObject({
    kind: 'expand',
    noTransaction: true,
  });
  expect(parseMigration('1', '-- no transaction\nselect 1;')).toMatchObject({ kind: 'expand', noTransaction: true });
  expect(parseMigration('1', '-- contract\nselect 1;')).toMatchObject({ kind: 'contract', noTransaction: false });
});

test('a contract migration waits for the processes of older versions; others do not wait for it', async () => {
  await using database = await createMigratedDatabase();
  const connection = { connectionString: database.url };
  const migrations = [...listMigrations(), ...newer];
  await database.query(`insert into lease_holders (id, version, contracts, process_id, beat_at) values
    ('${randomUUID()}', '0.1.0', '{}', 17, 'infinity'),
    ('${randomUUID()}', '0.2.0', '{9002-old-column}', 18, 'infinity'),
    ('${randomUUID()}', '0.2.0', '{9002-old-column}', 19, 'infinity')`);
  expect(await migrate(connection, { migrations })).toEqual({
    applied: ['9001-new-column', '9003-newer-column'],
    waiting: [{ name: '9002-old-column', olderProcesses: [{ version: '0.1.0', process_id: 17 }] }],
  });
  // The older version still starts and waits for nothing.
  expect(await migrate(connection)).toEqual({ applied: [], waiting: [] });
  await database.query(`update lease_holders set beat_at = now() - interval '1 minute' where process_id = 17`);
  expect(await migrate(connection, { migrations })).toEqual({ applied: ['9002-old-column'], waiting: [] });
  await expect(migrate(connection)).rejects.toThrow('9002-old-column, which this version does not know');
});

test('a process that a newer version did not wait for does not register again', async () => {
  await using server = await startServer();
  const holder = new LeaseHolder(server.app);
  await holder.start(workers, []);
  const { rows } = await server.pool.query('select version, contracts, queues from lease_holders');
  expect(rows).toEqual([{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), contracts: knownContracts(), queues: [] }]);
  await server.pool.query(`insert into migrations (name, checksum, kind) values ('9002-old-column', '', 'contract')`);
  // As another process does when the connection of this one was lost.
  await server.pool.query('delete from lease_holders');
  expect(await holder.outdated).toContain('9002-old-column');
  expect((await server.pool.query('select from lease_holders')).rowCount).toBe(0);
  await holder.stop();
  await server.pool.query(`delete from migrations where name = '9002-old-column'`);
});

test('a schedule applies a contract migration when the last older process has ended', async () => {
  await using database = await createMigratedDatabase();
  const directConnection = { connectionString: database.url };
  const app = { directConnection, pool: openPool(directConnection, 1), log: pino({ level: 'silent' }) };
  const migrations = [...listMigrations(), ...newer];
  await database.query(`insert into lease_holders (id, beat_at) values ('${randomUUID()}', 'infinity')`);
  await migrate(app.directConnection, { migrations });
  await contractSchema(app, migrations);
  expect(await listWaiting(app.pool, migrations)).toMatchObject([{ name: '9002-old-column' }]);
  await database.query('delete from lease_holders');
  await contractSchema(app, migrations);
  expect(await listWaiting(app.pool, migrations)).toEqual([]);
  await contractSchema(app, migrations);
  await app.pool.end();
});

test('a migration gives up waiting for a table after a second, so that others can go on, and tries again', async () => {
  await using database = await createMigratedDatabase();
  const pool = openPool({ connectionString: database.url }, 1);
  const reader = await database.connect();
  try {
    await reader.query('begin');
    await reader.query('select from tags');
    const migrating = migrate({ connectionString: database.url }, { migrations: [...listMigrations(), ...newer] });
    const waiting = async () =>
      (await pool.query(`select from pg_locks where not granted and relation = 'tags'::regclass`)).rowCount;
    await expect.poll(waiting).toBe(1);
    await expect.poll(waiting).toBe(0);
    await reader.query('commit');
    expect((await migrating).applied).toHaveLength(3);
  } finally {
    await reader.end();
    await pool.end();
  }
});

test('missing migrations wait for a backup; a process whose database has all of them starts meanwhile', async () => {
  await using database = await createMigratedDatabase();
  const connection = { connectionString: database.url };
  const backup = await database.connect();
  expect(await tryLockMigrations(backup)).toBe(true);
  expect(await migrate(connection)).toEqual({ applied: [], waiting: [] });
  const blocked = Promise.withResolvers<void>();
  const options = { migrations: [...listMigrations(), ...newer] };
  const migrating = migrate(connection, { ...options, onBlocked: () => blocked.resolve() });
  await blocked.promise;
  await backup.end();
  expect((await migrating).applied).toHaveLength(3);
});

test('of processes that migrate at the same time, one applies each migration, and the others find it applied', async () => {
  await using database = await createMigratedDatabase();
  const options = { migrations: [...listMigrations(), ...newer] };
  const results = await Promise.all([1, 2, 3].map(() => migrate({ connectionString: database.url }, options)));
  expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(newer.map(({ name }) => name));
  expect(results.flatMap(({ waiting }) => waiting)).toEqual([]);
});

test('a migration that was killed half-way has changed nothing, and is applied by the next process', async () => {
  await using database = await createMigratedDatabase();
  const text = '-- expand\nalter table tags add column colour text;\nalter table lists add column colour text;';
  const run = () =>
    migrate(
      { connectionString: database.url },
      { migrations: [...listMigrations(), parseMigration('9005-two', text)] },
    );
  const client = await database.connect();
  await client.query('begin');
  await client.query('select from lists');
  const killed = run();
  const kill = `select pg_terminate_backend(pid) from pg_locks where not granted and relation = 'lists'::regclass`;
  const [{ reason }] = await Promise.all([
    killed.then(
      () => ({ reason: undefined }),
      (error: unknown) => ({ reason: error }),
    ),
    expect.poll(async () => (await client.query(kill)).rowCount).toBe(1),
  ]);
  expect(reason).toBeInstanceOf(Error);
  await client.query('commit');
  const columns = async () =>
    (await client.query(`select from information_schema.columns where column_name = 'colour'`)).rowCount;
  expect(await columns()).toBe(0);
  expect((await run()).applied).toEqual(['9005-two']);
  expect(await columns()).toBe(2);
  await client.end();
});

test('an index whose building was interrupted is built again', async () => {
  await using database = await createMigratedDatabase();
  const migration = parseMigration(
    '9004-new-index',
    '-- expand, no transaction\ncreate unique index concurrently if not exists tags_new on tags (usable);\n',
  );
  const client = await database.connect();
  const run = () => migrate({ connectionString: database.url }, { migrations: [...listMigrations(), migration] });
  const listValidity = async () =>
    (await client.query(`select indisvalid from pg_index where indexrelid = to_regclass('tags_new')`)).rows;
  await client.query(
    `insert into tags (id, name, display_name, created_at) values (1, 'a', 'a', now()), (2, 'b', 'b', now())`,
  );
  await expect(run()).rejects.toThrow('tags_new');
  expect(await listValidity()).toEqual([{ indisvalid: false }]);
  await client.query('delete from tags where id = 2');
  expect((await run()).applied).toEqual([migration.name]);
  expect(await listValidity()).toEqual([{ indisvalid: true }]);
  await client.end();
});

test('statements that were prepared before a migration added a column succeed after it', async () => {
  await using database = await createMigratedDatabase();
  const pool = openPool({ connectionString: database.url }, 1);
  await using server = await startServer();
  const app = { ...server.app, pool, db: readDatabase(pool, () => {}) };
  const text = 'select * from tags where name = $1';
  const run = {
    alone: async () => (await pool.query(text, ['none'])).rowCount,
    built: async () => (await app.db.selectFrom('tags').selectAll().where('name', '=', 'none').execute()).length,
    'in a transaction': () =>
      transaction(app, async ({ db }) => {
        await db.selectFrom('accounts').select('id').where('username', '=', 'none').execute();
        return (await db.selectFrom('tags').selectAll().where('name', '=', 'none').execute()).length;
      }),
    'as a statement that writes': async () =>
      Number(
        (await writeStatement(app, sql`update tags set name = name where name = ${'none'} returning *`))
          .numAffectedRows,
      ),
  };
  for (const [at, use] of Object.values(run).entries()) {
    expect(await use()).toBe(0);
    await database.query(`alter table tags add column added_${at} text`);
    expect(await use()).toBe(0);
  }
  await pool.end();
});

test('the plan of a migration tells its locks and whether its time grows with the rows', async () => {
  await using database = await createEmptyDatabase();
  const client = await database.connect();
  const statements = {
    'add a column': 'alter table tags add column a text',
    'add a column with a default that is computed': `alter table tags add column b text default random()::text`,
    'add a checked constraint': 'alter table tags add constraint c check (name <> $$x$$)',
    'add a constraint for new rows': 'alter table tags add constraint d check (name <> $$y$$) not valid',
    'build an index': 'create index tags_e on tags (name, id)',
    'refer to a table': 'create table f (id bigint references tags (id))',
    'change rows': 'update tags set name = name where id > 7',
    'drop an index': 'drop index tags_e',
    'create a table': 'create table g (id bigint)',
    'drop a table and change another': 'drop table f; alter table g add h int',
    'change a table and read another': 'alter table g add i int; insert into g (id) select id from tags',
    'validate a constraint, and change another table':
      'alter table tags validate constraint d; alter table g add j int',
    'forbid null': 'alter table g alter id set not null',
    'change a type': 'alter table g alter h type bigint',
  };
  const pending = Object.entries(statements).map(([name, text]) => parseMigration(name, `-- expand\n${text};`));
  const concurrently = parseMigration(
    'concurrently',
    '-- expand, no transaction\ncreate index concurrently tags_i on tags (id, name);\n',
  );
  const traced = await traceMigrations(client, { applied: listMigrations(), pending: [...pending, concurrently] });
  const shown = traced.map(({ name, tables }) => [
    name,
    ...tables
      .filter(({ blocks, reads }) => blocks !== 'nothing' || reads.length > 0)
      .map(
        ({ table, blocks, reads }) =>
          `${table}: blocks ${blocks}${reads.length > 0 ? `, reads ${reads.join(', ')}` : ''}`,
      ),
  ]);
  await client.end();
  expect(shown).toEqual([
    ['add a column', 'tags: blocks reads and writes'],
    ['add a column with a default that is computed', 'tags: blocks reads and writes, reads tags'],
    ['add a checked constraint', 'tags: blocks reads and writes, reads tags'],
    ['add a constraint for new rows', 'tags: blocks reads and writes'],
    ['build an index', 'tags: blocks writes, reads tags'],
    ['refer to a table', 'tags: blocks writes'],
    ['change rows', 'tags: blocks changes of the same rows, reads tags'],
    ['drop an index', 'tags: blocks reads and writes'],
    ['create a table'],
    [
      'drop a table and change another',
      'f: blocks reads and writes',
      'g: blocks reads and writes',
      'tags: blocks reads and writes',
    ],
    ['change a table and read another', 'g: blocks reads and writes, reads tags', 'tags: blocks nothing, reads tags'],
    [
      'validate a constraint, and change another table',
      'g: blocks reads and writes, reads tags',
      'tags: blocks nothing, reads tags',
    ],
    ['forbid null', 'g: blocks reads and writes, reads g'],
    ['change a type', 'g: blocks reads and writes, reads g'],
    ['concurrently', 'tags: blocks nothing, reads tags'],
  ]);
});

test('no migration after the first release blocks a table for as long as reading its rows takes', async () => {
  await using database = await createEmptyDatabase();
  const client = await database.connect();
  const isOld = ({ name }: Migration): boolean => name < firstOfSecondRelease;
  const all = listMigrations();
  const pending = all.filter((migration) => !isOld(migration));
  const traced = await traceMigrations(client, { applied: all.filter(isOld), pending });
  await client.end();
  const blocking = traced.flatMap(({ name, tables }) =>
    tables
      .filter(({ blocks, reads }) => blocks !== 'nothing' && reads.length > 0)
      .map(({ table }) => `${name}: ${table}`),
  );
  expect([traced.length, blocking]).toEqual([pending.length, []]);
});
