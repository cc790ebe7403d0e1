import pg from 'pg';
import type { DescribedTable, ForeignKey } from './describe-tables.ts';
import { targetKeyOf, type TableImport } from './table-import.ts';

const quote = (name: string): string => pg.escapeIdentifier(name);

/** Returns whether the parent of row `r` exists, or is a row of the same batch, if the statement has one. */
function hasParent({ columns, parent, parentColumns, isNotNull }: ForeignKey, into?: string): string {
  const isNull = isNotNull ? 'false' : columns.map((column) => `r.${quote(column)} is null`).join(' or ');
  const matches = columns.map((column, index) => `p.${quote(parentColumns[index] ?? '')} = r.${quote(column)}`);
  const sameBatch = parent === into ? ` or r.${quote(columns[0] ?? '')} in (select id from batch)` : '';
  return `(${isNull} or exists (select from ${quote(parent)} p where ${matches.join(' and ')})${sameBatch})`;
}

/**
 * Composes the statement that stores a batch ($1: JSON). Rows without a required parent are left out, and references to other
 * missing parents become null. `isReplacing`: rows replace those of the same key; otherwise they are left out.
 */
export function storeStatement(
  table: TableImport,
  { foreignKeys }: DescribedTable,
  { isReplacing }: { readonly isReplacing: boolean },
): string {
  const names = Object.keys(table.columns);
  const keys = foreignKeys.filter(({ columns }) => columns.every((column) => names.includes(column)));
  const required = keys.filter(({ isRequired }) => isRequired);
  const [ofItself, ofOthers] = [true, false].map((isSelf) =>
    [
      'true',
      ...required.filter(({ parent }) => (parent === table.into) === isSelf).map((key) => hasParent(key, table.into)),
    ].join(' and '),
  );
  const value = (name: string): string => {
    const key = keys.find(({ columns, isRequired }) => !isRequired && columns.includes(name));
    const column = `r.${quote(name)}`;
    return key === undefined ? column : `case when ${hasParent(key, table.into)} then ${column} end`;
  };
  const into = quote(table.into);
  const rows = `with input as materialized (select * from json_populate_recordset(null::${into}, $1::json)),
    batch as materialized (select * from input r where ${ofOthers})`;
  if (table.isUpdate === true) {
    const changed = names.filter((name) => name !== 'id').map(quote);
    const set = changed.map((name) => `${name} = r.${name}`);
    const differs = `(${changed.map((name) => `t.${name} is distinct from r.${name}`).join(' or ')})`;
    const exist = keys.map((key) => hasParent(key, table.into));
    return `${rows} update ${into} t set ${set.join(', ')} from batch r where ${['t.id = r.id', differs, ...exist].join(' and ')}`;
  }
  return `${rows} insert into ${into} (${names.map(quote).join(', ')}) overriding system value
    select ${names.map(value).join(', ')} from batch r where ${ofItself}
    ${isReplacing ? replaceClause(table, names) : 'on conflict do nothing'}`;
}

function replaceClause(table: TableImport, names: readonly string[]): string {
  const key = table.conflictKey ?? targetKeyOf(table) ?? [];
  const set = names.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = excluded.${quote(name)}`);
  if (key.length === 0 || set.length === 0) return 'on conflict do nothing';
  return `on conflict (${key.map(quote).join(', ')}) do update set ${set.join(', ')}`;
}

/** Composes the statement that deletes all rows of a table. */
export const deleteAllStatement = (into: string): string => `delete from ${quote(into)}`;

/**
 * Composes the statement that deletes rows whose key is above `after` and at most `last`, but not among `keys` (an array for each
 * column). Parameters: the arrays, `after`, then `last` if there is one.
 */
export function deleteVanishedStatement(into: string, targetKey: readonly string[], hasLast: boolean): string {
  const count = targetKey.length;
  const of = targetKey.map((key) => `t.${quote(key)}`).join(', ');
  const bound = (start: number): string => targetKey.map((_, index) => `$${start + index}::bigint`).join(', ');
  const arrays = targetKey.map((_, index) => `$${index + 1}::bigint[]`).join(', ');
  const same = targetKey.map((key, index) => `k.c${index} = t.${quote(key)}`).join(' and ');
  const names = targetKey.map((_, index) => `c${index}`).join(', ');
  const upTo = hasLast ? `and (${of}) <= (${bound(2 * count + 1)})` : '';
  return `delete from ${quote(into)} t where (${of}) > (${bound(count + 1)}) ${upTo}
    and not exists (select from unnest(${arrays}) k(${names}) where ${same})`;
}

/**
 * Composes the statement that counts rows ($1: JSON) whose parents exist: `sampled`, `stored`, and `equal` for those with the same
 * values.
 */
export function compareStatement(table: TableImport, { foreignKeys, types }: DescribedTable): string {
  const key = targetKeyOf(table) ?? table.conflictKey ?? [];
  const names = Object.keys(table.columns);
  const nullable = foreignKeys.filter(({ isRequired }) => !isRequired).flatMap(({ columns }) => columns);
  const required = foreignKeys.filter(
    ({ isRequired, columns }) => isRequired && columns.every((column) => names.includes(column)),
  );
  // PostgreSQL cannot compare `json`, and rounds `real` differently.
  const compared = names.filter(
    (name) => !nullable.includes(name) && !['json', 'real'].includes(types.get(name) ?? ''),
  );
  const of = (alias: string): string => compared.map((name) => `${alias}.${quote(name)}`).join(', ');
  const joined = key.map((name) => `t.${quote(name)} = r.${quote(name)}`).join(' and ');
  const isStored = `t.${quote(key[0] ?? '')} is not null`;
  const isEqual = `row(${of('r')}) is not distinct from row(${of('t')})`;
  return `select count(*)::int as sampled, count(*) filter (where ${isStored})::int as stored,
      count(*) filter (where ${isStored} and ${isEqual})::int as equal
    from json_populate_recordset(null::${quote(table.into)}, $1::json) r left join ${quote(table.into)} t on ${joined}
    where ${['true', ...required.map((foreignKey) => hasParent(foreignKey))].join(' and ')}`;
}
