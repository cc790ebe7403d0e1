import pg from 'pg';
import { toError } from '../../platform/errors.ts';
import { ServerImportError } from '../server-import-error.ts';
import type { OnProgress } from '../server-import.ts';
import { columnTypes, copiedTables, type CopiedTable } from './copied-tables.ts';
import type { GotosocialSource } from './gotosocial-source.ts';

/**
 * The schema of the copy, in the database of this server. Each row has the columns of GoToSocial, and `ulid` (its key there), `id`
 * (its id here) and `copied_at` (when it was new or had changed). The table `ids` has the id of each ULID.
 */
export const copySchema = 'gotosocial';

const batchSize = 2_000;
const quote = (name: string): string => pg.escapeIdentifier(name);
const inCopy = (name: string): string => `${copySchema}.${quote(name)}`;

/** A ULID begins with 48 bits of milliseconds, in digits of 5 bits; of its random bits, the first 16 are used. */
const digit = (at: number): string =>
  `(strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(ulid, ${at}, 1)) - 1)::bigint`;
const digits = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `(${digit(from + index)} << ${5 * (count - 1 - index)})`).join(' + ');

const createCopy = `create schema if not exists ${copySchema};
  create table if not exists ${copySchema}.ids (ulid text collate "C" primary key, id bigint not null unique);
  create or replace function ${copySchema}.ulid_ms(ulid text) returns bigint language sql immutable as $$ select ${digits(10, 1)} $$;
  create or replace function ${copySchema}.ulid_bits(ulid text) returns bigint language sql immutable as $$ select (${digits(4, 11)}) >> 4 $$;
  create temp table if not exists seen (ulid text collate "C" not null)`;

/**
 * Copies the tables of a GoToSocial into `copySchema`, or makes an older copy the same as the source again. Throws
 * ServerImportError if the database refuses a value. `instanceUri`: ActivityPub id of the instance actor.
 */
export async function copySource(
  source: GotosocialSource,
  target: pg.ClientBase,
  instanceUri: string,
  onProgress: OnProgress,
): Promise<void> {
  await target.query(createCopy);
  for (const [index, [name, table]] of [...copiedTables].entries()) {
    onProgress(`Reading ${name}`, index / copiedTables.size);
    await target.query(createTable(name, table));
    try {
      if (source.tables.has(name)) await copyRows(source, target, { name, table, instanceUri });
    } catch (error) {
      throw new ServerImportError(`The table ${name} of the source cannot be read (${toError(error).message}).`);
    }
    await target.query(
      `delete from ${inCopy(name)} t where not exists (select from seen where seen.ulid = t.ulid); truncate seen; analyze ${inCopy(name)}`,
    );
  }
  await target.query(countReactions);
}

function createTable(name: string, { key, columns, indexed }: CopiedTable): string {
  const id = hasUlid(key) ? 'bigint' : 'bigint generated always as identity';
  const types = [...columns].map(([column, kind]) => `${quote(column)} ${columnTypes[kind]}`);
  const all = [
    `id ${id} primary key`,
    'ulid text collate "C" not null unique',
    ...types,
    'copied_at timestamptz not null',
  ];
  const indexes = indexed.map(
    (column) => `create index if not exists ${quote(`${name}_${column}`)} on ${inCopy(name)} (${quote(column)})`,
  );
  return [`create table if not exists ${inCopy(name)} (${all.join(', ')})`, ...indexes].join('; ');
}

/** Whether rows have an id of their own, and are not identified by those of others. */
const hasUlid = (key: CopiedTable['key']): boolean => key.length === 1 && key[0] === 'id';

interface CopyOptions {
  readonly name: string;
  readonly table: CopiedTable;
  readonly instanceUri: string;
}

async function copyRows(
  source: GotosocialSource,
  target: pg.ClientBase,
  { name, table, instanceUri }: CopyOptions,
): Promise<void> {
  const store = storeText(name, table);
  for await (const batch of source.read(name, table, batchSize)) {
    const rows = `[${batch.join(',')}]`;
    if (hasUlid(table.key)) await assignIds(target, rows, instanceUri);
    await target.query(store, [rows]);
  }
}

/**
 * Stores ids of new rows: the time of the row and 16 bits of its ULID, so that both sort alike; the next free one if that is taken.
 * ULIDs of accounts, follows and some others have a random time, so the time is that of the row if it has one. An id never changes.
 */
async function assignIds(target: pg.ClientBase, rows: string, instanceUri: string): Promise<void> {
  const isNew = `not exists (select from ${copySchema}.ids i where i.ulid = r.ulid)`;
  const input = `json_to_recordset($1::json) r(ulid text, created_at timestamptz, scheduled_at timestamptz, domain text, uri text)`;
  const milliseconds = `least(greatest(coalesce(floor(extract(epoch from created_at) * 1000)::bigint, ${copySchema}.ulid_ms(ulid)), 1), 1::bigint << 46)`;
  for (let next = 0; ; next += 1) {
    await target.query(
      `insert into ${copySchema}.ids (ulid, id)
        select ulid, case when domain is null and uri = $2 then -99 else (${milliseconds} << 16) + ${copySchema}.ulid_bits(ulid) + $3::bigint end
        from ${input} where ${isNew} order by ulid on conflict do nothing`,
      [rows, instanceUri, next],
    );
    const { rows: left } = await target.query(`select from ${input} where ${isNew} limit 1`, [rows]);
    if (left.length === 0) return;
  }
}

function storeText(name: string, { key, columns }: CopiedTable): string {
  const names = [...columns.keys()].map(quote);
  const [id, ofId, join] = hasUlid(key)
    ? ['id, ', 'i.id, ', `join ${copySchema}.ids i on i.ulid = r.ulid`]
    : ['', '', ''];
  const values = names.map((column) => `r.${column}`);
  const list = (parts: readonly string[]): string => parts.map((part) => `, ${part}`).join('');
  const differs = names.map((column) => `t.${column} is distinct from excluded.${column}`).join(' or ') || 'false';
  const set = names.map((column) => `${column} = excluded.${column}, `).join('');
  return `with input as materialized (select * from json_populate_recordset(null::${inCopy(name)}, $1::json)),
      present as (insert into seen select ulid from input)
    insert into ${inCopy(name)} as t (${id}ulid${list(names)}, copied_at)
    select ${ofId}r.ulid${list(values)}, now() from input r ${join}
    on conflict (ulid) do update set ${set}copied_at = excluded.copied_at where ${differs}`;
}

/** GoToSocial counts reactions when it shows a post. */
const countReactions = `drop table if exists ${copySchema}.status_counts;
  create table ${copySchema}.status_counts as
    select s.id, sum(replies)::int as replies, sum(reblogs)::int as reblogs, sum(favourites)::int as favourites from (
      select in_reply_to_id as ulid, 1 as replies, 0 as reblogs, 0 as favourites from ${copySchema}.statuses where in_reply_to_id is not null and pending_approval is not true
      union all select boost_of_id, 0, 1, 0 from ${copySchema}.statuses where boost_of_id is not null and pending_approval is not true
      union all select status_id, 0, 0, 1 from ${copySchema}.status_faves where pending_approval is not true) r
    join ${copySchema}.statuses s on s.ulid = r.ulid group by s.id;
  alter table ${copySchema}.status_counts add primary key (id)`;
