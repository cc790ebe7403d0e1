import pg from 'pg';
import type { DescribedTable } from './describe-tables.ts';
import { keyOf, type TableImport } from './table-import.ts';

const quote = (name: string): string => pg.escapeIdentifier(name);

/** Which rows of a table a statement is about: all, or those that changed since a time of the source. */
export type ChangedSince = Date | undefined;

/** Returns the rows of the source as `s`, with the columns that its version lacks. */
export function sourceRows({ from, added = {} }: Pick<TableImport, 'from' | 'added'>, source: DescribedTable): string {
  const missing = Object.entries(added).filter(([name]) => !source.types.has(name));
  const columns = missing.map(([name, value]) => `, ${value} as ${quote(name)}`).join('');
  return `(select t.*${columns} from ${quote(from)} t)`;
}

/** Returns the condition of the rows that are taken. */
export function takenCondition({ only = 'true', leftOut = {} }: TableImport): string {
  return [`(${only})`, ...Object.values(leftOut).map((condition) => `(${condition}) is not true`)].join(' and ');
}

/** Returns the condition of the rows that changed. */
function changedCondition(table: TableImport, source: DescribedTable, since: ChangedSince): string {
  if (since === undefined || table.isRebuilt === true) return 'true';
  // Times of the source are in UTC, without a zone.
  const time = `'${since.toISOString().replace('Z', '')}'::timestamp`;
  if (table.changed !== undefined) return table.changed.replaceAll('$since', time);
  return source.types.has('updated_at') ? `s.updated_at >= ${time}` : 'false';
}

/**
 * Composes the statement that reads a batch of rows after a key ($1, $2 …): `rows` as JSON, `read` as their number, also of those
 * that are not taken, and `last` as the key of the last one. Integers of 64 bits are text if code completes the rows.
 */
export function batchStatement(
  table: TableImport,
  { source, target }: { readonly source: DescribedTable; readonly target: DescribedTable },
  { since, batchSize }: { readonly since?: ChangedSince; readonly batchSize: number },
): string {
  const keys = keyOf(table);
  const of = (alias: string): string => keys.map((key) => `${alias}.${quote(key)}`).join(', ');
  const after = keys.map((_, index) => `$${index + 1}::bigint`).join(', ');
  const columns = Object.entries({ ...table.columns, ...table.helpers }).map(([name, value]) => {
    const type = target.types.get(name) ?? 'text';
    const isLong = table.prepare !== undefined && type.startsWith('bigint');
    return `${isLong ? `(${value})::text${type.slice('bigint'.length)}` : value} as ${quote(name)}`;
  });
  return `with s as materialized (
      select * from ${sourceRows(table, source)} s
      where (${of('s')}) > (${after}) and ${changedCondition(table, source, since)}
      order by ${of('s')} limit ${batchSize}
    ), taken as (
      select ${columns.join(', ')} from s ${table.join ?? ''} where ${takenCondition(table)} order by ${of('s')}
    )
    select coalesce((select json_agg(taken) from taken), '[]')::text as rows, (select count(*)::int from s) as read,
      (select array[${of('s')}]::bigint[]::text[] from s order by ${keys.map((key) => `s.${quote(key)} desc`).join(', ')} limit 1) as last`;
}

/** Composes the statement that counts rows: `total`, `taken`, and one column for each reason (`left_0` …). */
export function countStatement(table: TableImport, source: DescribedTable): string {
  const { only = 'true', leftOut = {}, rowsEach = '1' } = table;
  const count = (condition: string, name: string): string =>
    `coalesce(sum(${rowsEach}) filter (where ${condition}), 0)::int as ${name}`;
  const reasons = Object.values(leftOut).map((condition, index) => count(`(${condition}) is true`, `left_${index}`));
  return `select ${[count('true', 'total'), count(takenCondition(table), 'taken'), ...reasons].join(', ')}
    from ${sourceRows(table, source)} s where ${only}`;
}

/**
 * Composes the statement that lists the keys of rows that one of the steps takes, after a key, as one array for each column. The
 * steps share their table.
 */
export function keysStatement(steps: readonly TableImport[], source: DescribedTable, batchSize: number): string {
  const [table] = steps;
  if (table === undefined) throw new Error('there is no step');
  const keys = keyOf(table);
  const of = keys.map((key) => `s.${quote(key)}`).join(', ');
  const after = keys.map((_, index) => `$${index + 1}::bigint`).join(', ');
  const taken = steps.map((step) => `(${takenCondition(step)})`).join(' or ');
  return `select ${keys.map((key, index) => `coalesce(array_agg(${quote(key)})::text[], '{}') as key_${index}`).join(', ')}
    from (select ${of} from ${sourceRows(table, source)} s where (${of}) > (${after}) and (${taken})
      order by ${of} limit ${batchSize}) s`;
}
