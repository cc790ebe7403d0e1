import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import type { Transaction } from '../../server/platform/write/transaction.ts';
import { writable as writablePolls } from '../../server/polls/tables.ts';
import { declaredTables, readSource, sourceFiles } from './layers.ts';
import { statementViolations, unnamedTables } from './table-statements.ts';

const tables = declaredTables();

test('only the owner of a table writes it, and no query reads a table of a higher domain', () => {
  expect(tables.size).toBeGreaterThan(30);
  expect(sourceFiles.flatMap((file) => statementViolations(file, readSource(file), { tables }))).toEqual([]);
});

test('tsc refuses statements of the builder that write a table of another domain, or past its owner', () => {
  const tx = { db: {} } as Transaction;
  expect(writablePolls(tx.db)).toBe(tx.db);
  const refused = (app: App) => [
    // @ts-expect-error A transaction has no methods that write by itself.
    tx.db.updateTable('polls'),
    // @ts-expect-error Another domain owns the accounts.
    writablePolls(tx.db).updateTable('accounts'),
    // @ts-expect-error Another domain owns the accounts.
    writablePolls(tx.db).insertInto('accounts'),
    // @ts-expect-error Another domain owns the accounts.
    writablePolls(tx.db).deleteFrom('accounts'),
    // @ts-expect-error A query of the builder has a name that is known.
    writablePolls(tx.db).deleteFrom(app.config.domain as string),
    // @ts-expect-error Its methods have no other way in.
    tx.db['deleteFrom']('polls'),
    // @ts-expect-error A common table expression could write.
    tx.db.with('gone', (db) => db.deleteFrom('polls')),
    // @ts-expect-error Tables are changed by migrations.
    tx.db.schema.dropTable('polls'),
    // @ts-expect-error A transaction knows the tables that are declared.
    tx.db.withTables<{ posts: unknown }>(),
    // @ts-expect-error A query reads the columns of its tables.
    tx.db.selectFrom('polls').where('statuses.id', '=', '1'),
    // @ts-expect-error Only a transaction writes.
    app.db.deleteFrom('polls'),
    // @ts-expect-error Only a transaction writes.
    writablePolls(app.db).updateTable('polls'),
  ];
  expect(refused).toThrow();
});

test('every file that may leave its tables unnamed needs to', () => {
  const needless = [...unnamedTables.keys()].filter(
    (file) => statementViolations(file, readSource(file), { tables, unnamed: new Map() }).length === 0,
  );
  expect(needless).toEqual([]);
});

test('every table of the migrations has an owner, and no view or function reads tables unnoticed by the guard', () => {
  const migrations = globSync('server/platform/database/migrations/*.sql').map(readSource).join('\n').toLowerCase();
  const created = [...migrations.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(
    ([, name = '']) => name,
  );
  expect(created.length).toBeGreaterThan(30);
  expect(created.filter((name) => !tables.has(name))).toEqual([]);
  expect(
    migrations.match(/create (?:or replace )?(?:materialized view|view|function|procedure|trigger|rule)/g),
  ).toBeNull();
});

const imports = `import { sql } from 'kysely';\n`;
const violationsIn = (domain: string, text: string): string[] =>
  statementViolations(`server/${domain}/planted.ts`, imports + text, { tables });

/** Ways in which polls (below statuses) could read statuses. */
const reads: string[] = [
  // The query builder.
  `db.selectFrom('statuses').selectAll();`,
  `db.selectFrom("statuses").selectAll();`,
  'db.selectFrom(`statuses`).selectAll();',
  `db.selectFrom('statuses as s').select('s.id');`,
  `db.selectFrom('public.statuses as s').select('s.id');`,
  `db.selectFrom(['polls', 'statuses']).select('polls.id');`,
  `db\n  /* the posts */ . /* of */ selectFrom /* all */ (\n  // people\n  'statuses',\n);`,
  `db.selectFrom('sta' + 'tuses').selectAll();`,
  `db.selectFrom(\`sta\${'tuses'}\`).selectAll();`,
  `const table = 'statuses'; db.selectFrom(table).selectAll();`,
  `const names = { posts: 'statuses' } as const; db.selectFrom(names.posts).selectAll();`,
  `for (const table of ['polls', 'statuses'] as const) db.selectFrom(table).selectAll();`,
  `const read = (table: keyof Tables) => db.selectFrom(table).selectAll();`,
  `const read = (table: string) => db.selectFrom(table as 'polls').selectAll();`,
  `function read(table: 'polls' | 'statuses') { return db.selectFrom(table).selectAll(); }`,
  `db.selectFrom(('statuses' as never) as 'polls').selectAll();`,
  `db.selectFrom(nameOf('posts')).selectAll();`,
  `db.selectFrom(['sta', 'tuses'].join('') as 'polls').selectAll();`,
  `let table = 'polls'; table = 'statuses'; db.selectFrom(table).selectAll();`,
  `db['selectFrom']('statuses').selectAll();`,
  "db[`selectFrom`]('statuses').selectAll();",
  `db?.selectFrom('statuses').selectAll();`,
  `db!.selectFrom!('statuses').selectAll();`,
  `(db.selectFrom)('statuses').selectAll();`,
  `(db as any).selectFrom('statuses').selectAll();`,
  `const from = db.selectFrom.bind(db); from('statuses');`,
  `const { selectFrom } = db; selectFrom('statuses');`,
  `const { selectFrom: from } = db; from('statuses');`,
  `const { ['selectFrom']: from } = db; from('statuses');`,
  `db.selectFrom('polls').innerJoin('statuses', 'statuses.id', 'polls.status_id');`,
  `db.selectFrom('polls').leftJoin('statuses as s', 's.id', 'polls.status_id');`,
  `db.selectFrom('polls').crossJoin('statuses');`,
  `db.selectFrom('polls').leftJoinLateral((eb) => eb.selectFrom('statuses').selectAll().as('s'), (join) => join.onTrue());`,
  `db.selectFrom('polls').where(({ exists, selectFrom }) => exists(selectFrom('statuses').select('id')));`,
  `db.with('s', (db) => db.selectFrom('statuses').selectAll()).selectFrom('polls').selectAll();`,
  `db.withRecursive('s(id)', (qb) => qb.selectFrom('statuses').select('id')).selectFrom('s').selectAll();`,
  `db.selectFrom((eb) => eb.selectFrom('statuses').selectAll().as('polls')).selectAll();`,
  `db.updateTable('polls').from('statuses').set({ multiple: true });`,
  `db.deleteFrom('polls').using('statuses').whereRef('statuses.id', '=', 'polls.status_id');`,
  `db.mergeInto('polls').using('statuses', 'statuses.id', 'polls.status_id');`,
  `db.withTables<{ posts: unknown }>().selectFrom('posts' as never);`,
  `db.selectFrom(db.dynamic.table('statuses').as('s')).selectAll();`,
  `db.selectFrom(sql.table('statuses').as('s')).selectAll();`,
  // Tagged statements.
  'sql`select * from statuses`.execute(db);',
  'sql`SELECT * FROM STATUSES`.execute(db);',
  'sql`Select * From "statuses" where true`.execute(db);',
  'sql`select * from public.statuses`.execute(db);',
  'sql`select * from "public"."statuses"`.execute(db);',
  'sql`select * from public . statuses`.execute(db);',
  'sql`select * from only statuses`.execute(db);',
  'sql`select * from only (statuses)`.execute(db);',
  'sql`select *\n  from\n\n    statuses s`.execute(db);',
  'sql`select * from/* the */statuses`.execute(db);',
  'sql`select * from -- the polls\n statuses`.execute(db);',
  String.raw`sql${'`'}select * from "\u0073tatuses"${'`'}.execute(db);`,
  'sql`select * from polls, statuses`.execute(db);',
  'sql`select * from polls p, lateral (select * from statuses) s`.execute(db);',
  'sql`select * from polls join statuses on true`.execute(db);',
  'sql`select * from (polls left join statuses on true)`.execute(db);',
  'sql`select * from polls natural join statuses`.execute(db);',
  'sql`select exists (select from statuses where id = ${id})`.execute(db);',
  'sql`select (select text from statuses limit 1) as text from polls`.execute(db);',
  'sql`with s as (select * from statuses) select * from s`.execute(db);',
  'sql`with s as materialized (table statuses) select * from s`.execute(db);',
  'sql`table statuses`.execute(db);',
  'sql`update polls set multiple = true from statuses where true`.execute(db);',
  'sql`delete from polls using statuses where true`.execute(db);',
  'sql`insert into polls (id) select id from statuses`.execute(db);',
  'sql`merge into polls using statuses on true when matched then do nothing`.execute(db);',
  'sql`select * from polls where text = any(select text from statuses)`.execute(db);',
  'const where = sql`statuses.deleted_at is null`;',
  'const source = sql`statuses`; sql`select * from ${source}`.execute(db);',
  "sql`select * from ${sql.table('statuses')}`.execute(db);",
  "sql`select * from ${sql.id('statuses')}`.execute(db);",
  "sql`select * from ${sql.id('public', 'statuses')}`.execute(db);",
  "sql`select * from ${sql.ref('statuses')}`.execute(db);",
  "sql`select * from ${sql.raw('statuses')}`.execute(db);",
  "sql`select ${sql.ref('statuses.text')} from polls`.execute(db);",
  'sql.join([sql`select * from`, sql`statuses`], sql` `).execute(db);',
  "sql(['select * from statuses'] as never);",
  `import { sql as q } from 'kysely'; q\`select * from statuses\`.execute(db);`,
  `import { sql as html } from 'kysely'; html\`select * from statuses\`.execute(db);`,
  `import * as kysely from 'kysely'; kysely.sql\`select * from polls\`;`,
  `export { sql as query } from 'kysely';`,
  `import { CompiledQuery } from 'kysely'; db.executeQuery(CompiledQuery.raw('select 1'));`,
  `import { TableNode } from 'kysely';`,
  // Statements of helper functions and pg.
  "const byId = prepared()((db, { id }) => db.selectFrom('statuses').where('id', '=', id));",
  'const byId = prepared()((db) => ({ compile: () => sql`select * from statuses`.compile(db) }));',
  "const byId = gathered()({ id: 'bigint' }, ({ id }) => sql`select * from statuses where id = ${id}`);",
  "await client.query('select * from statuses');",
  "await app.pool.query('SELECT * FROM statuses WHERE id = $1', [id]);",
  "await app.pool.query({ name: 'x', text: 'select * from statuses' });",
  "const text = 'select * from statuses'; await client.query(text);",
  'await client.query(String.raw`select * from statuses`);',
  "const statement = ' -- posts\\n select * from statuses'; send(statement);",
  "await client.query('begin; select * from statuses; commit');",
  "await client.query('copy statuses to stdout');",
  "await client.query('declare c cursor for select * from statuses');",
  "await client.query('do $$ begin perform 1 from statuses; end $$');",
];

test.each(reads)('reports a read of a higher table: %s', (text) => {
  expect(violationsIn('polls', text)).not.toEqual([]);
});

/** Ways in which statuses (above accounts) could write accounts. */
const writes: string[] = [
  // sql.table and its relatives.
  "sql`update ${sql.table('accounts')} set locked = true`.execute(db);",
  "sql`delete from ${sql.table('accounts')}`.execute(db);",
  "sql`delete from ${sql.table('public.accounts')}`.execute(db);",
  "sql`insert into ${sql.table('accounts')} (id) values (1)`.execute(db);",
  'sql`update ${sql.table("accounts")} as a set locked = true`.execute(db);',
  'sql`update ${sql.table(`accounts`)} set locked = true`.execute(db);',
  "const table = sql.table('accounts'); sql`update ${table} set locked = true`.execute(db);",
  "const name = 'accounts'; sql`update ${sql.table(name)} set locked = true`.execute(db);",
  "const name = 'acc' + 'ounts'; sql`update ${sql.table(name)} set locked = true`.execute(db);",
  "const names = ['accounts'] as const; sql`truncate ${sql.table(names[0])}`.execute(db);",
  "for (const name of ['accounts']) await sql`delete from ${sql.table(name)}`.execute(db);",
  "sql`delete from ${true ? sql.table('accounts') : sql.table('statuses')}`.execute(db);",
  "sql`merge into ${sql.table('accounts')} using x on true when matched then delete`.execute(db);",
  "const { table } = sql; sql`update ${table('accounts')} set locked = true`.execute(db);",
  'sql`update ${sql.table(nameOf(kind))} set locked = true`.execute(db);',
  "sql`update ${sql.id('accounts')} set locked = true`.execute(db);",
  "sql`update ${sql.ref('accounts')} set locked = true`.execute(db);",
  "sql`update ${sql.ref('public.accounts')} set locked = true`.execute(db);",
  "sql`update ${sql.raw('accounts')} set locked = true`.execute(db);",
  'sql`update ${sql`accounts`} set locked = true`.execute(db);',
  // Raw statements.
  'sql`update accounts set locked = true`.execute(db);',
  'sql`UPDATE ACCOUNTS SET locked = true`.execute(db);',
  'sql`update "accounts" set locked = true`.execute(db);',
  'sql`update public.accounts set locked = true`.execute(db);',
  'sql`update only accounts set locked = true`.execute(db);',
  'sql`update\n  accounts\nset locked = true`.execute(db);',
  'sql`update /* x */ accounts /* y */ set locked = true`.execute(db);',
  'sql`update accounts\tset locked = true`.execute(db);',
  'sql`delete from accounts`.execute(db);',
  'sql`delete from only public.accounts a where true`.execute(db);',
  'sql`insert into accounts(id) values (1)`.execute(db);',
  'sql`merge into accounts using statuses on true when matched then delete`.execute(db);',
  'sql`truncate accounts`.execute(db);',
  'sql`truncate table statuses, accounts cascade`.execute(db);',
  'sql`copy accounts (id) from stdin`.execute(db);',
  'sql`lock table accounts in exclusive mode`.execute(db);',
  'sql`alter table accounts disable trigger all`.execute(db);',
  'sql`drop table if exists accounts`.execute(db);',
  'sql`with gone as (delete from accounts returning id) select * from gone`.execute(db);',
  'sql`with a as (select 1), b as (update accounts set locked = true returning id) select * from b`.execute(db);',
  'sql`select 1; update accounts set locked = true`.execute(db);',
  'sql`explain analyze update accounts set locked = true`.execute(db);',
  'const verb = sql`update`; sql`${verb} accounts set locked = true`.execute(db);',
  'const part = sql`delete from`;',
  'sql.join([sql`update`, sql`accounts`, sql`set locked = true`], sql` `).execute(db);',
  "sql.raw('update accounts set locked = true').execute(db);",
  "const table = 'accounts'; const text = `update ${table} set locked = true`; sql.raw(text).execute(db);",
  // Statements of pg and helper functions.
  'send(`delete from ${table}`);',
  'writeStatement(app, sql`update accounts set locked = true`);',
  "client.query('update accounts set locked = true');",
  "client.query('Update Accounts Set locked = true');",
  "client.query({ text: 'delete from accounts' });",
  "const text = 'insert into accounts (id) values ($1)'; pool.query(text, [1]);",
  "const text = 'with gone as (delete from accounts returning 1) select 1'; send(text);",
  "client.query('do $$ begin delete from accounts; end $$');",
  "client.query('prepare p as update accounts set locked = true');",
  "client.query('explain (analyze) update accounts set locked = true');",
  "client.query('set local lock_timeout = 1; update accounts set locked = true');",
  "client.query('commit; delete from accounts');",
  'client.query(`/* polls */ update accounts set locked = true`);',
  'client.query(`update ${table} set locked = true`);',
  'prepared()((db) => ({ compile: () => sql`update accounts set locked = true returning id`.compile(db) }));',
];

test.each(writes)("reports a write to another domain's table: %s", (text) => {
  expect(violationsIn('statuses', text)).not.toEqual([]);
});

const legitimate: [domain: string, text: string][] = [
  ['statuses', `db.selectFrom('accounts').innerJoin('statuses', 'statuses.account_id', 'accounts.id').selectAll();`],
  ['statuses', `db.updateTable('statuses').set({ language: 'en' });`],
  ['statuses', `const table = 'favourites'; db.deleteFrom(table);`],
  ['statuses', `function remove(table: 'favourites' | 'bookmarks') { return db.deleteFrom(table); }`],
  ['statuses', `for (const table of ['favourites', 'bookmarks'] as const) await db.deleteFrom(table).execute();`],
  [
    'statuses',
    'sql`update statuses set language = null from accounts where accounts.id = statuses.account_id`.execute(db);',
  ],
  ['statuses', "sql`delete from ${sql.table('favourites')} where id = ${id}`.execute(db);"],
  ['statuses', "sql`select from ${sql.table('accounts')} where id = ${id}`.execute(db);"],
  [
    'statuses',
    'sql`select extract(epoch from ${date}), a is distinct from ${b} from accounts for update`.execute(db);',
  ],
  [
    'statuses',
    'sql`insert into statuses (id) values (1) on conflict (id) do update set language = excluded.language`.execute(db);',
  ],
  ['statuses', 'sql`select * from unnest(${ids}::bigint[]) as asked(id) join accounts using (id)`.execute(db);'],
  ['statuses', 'const order = ascending ? sql`asc` : sql`desc`; sql`select id from statuses order by id ${order}`;'],
  ['statuses', "export const route = '/api/v1/notifications'; export const words = ['home_feed', 'notifications'];"],
  ['statuses', "export const summary = 'Lists the notifications of an account';"],
  ['statuses', "export const help = 'Update the notifications of an account'; Array.from(notifications);"],
  ['statuses', "// db.deleteFrom('accounts')\n/* sql`delete from accounts` */ export const a = 1;"],
  ['accounts', 'sql`select delta.statuses, 1 as followers from unnest(${a}::int[]) as delta(statuses)`.execute(db);'],
  ['accounts', 'sql`select 1 -- from statuses\n from accounts`.execute(db);'],
  ['pages', 'html`<p>Accounts from ${place}, updated ${rules(visitor)}</p>`;'],
  ['cli', `db.selectFrom('statuses').innerJoin('deliveries', 'a', 'b').selectAll();`],
];

test.each(legitimate)('accepts in %s: %s', (domain, text) => {
  expect(violationsIn(domain, text)).toEqual([]);
});

test.each([
  ['server/cli/planted.ts', 'sql`update accounts set locked = true`.execute(db);'],
  ['server/app.ts', 'sql`delete from accounts`.execute(app.db);'],
  ['server/cli/account/planted.ts', 'sql`delete from accounts`.execute(db);'],
])('reports a write from a file above the domains, in %s', (path, text) => {
  expect(statementViolations(path, imports + text, { tables })).not.toEqual([]);
});
