import { sql, type RawBuilder } from 'kysely';

/**
 * SQL: whether a column has this address. Its unique index holds digests, which take less space than addresses
 * (docs/decisions/0248): a plain comparison would read the whole table.
 */
export function hasAddress(column: string, address: string | RawBuilder<unknown>): RawBuilder<boolean> {
  const stored = sql.ref(column);
  return sql<boolean>`(md5(${stored})::uuid = md5(${address}::text)::uuid and ${stored} = ${address}::text)`;
}

/** SQL: whether a column has one of these addresses, by the same index. */
export function hasAnyAddress(column: string, addresses: readonly string[]): RawBuilder<boolean> {
  const stored = sql.ref(column);
  return sql<boolean>`(md5(${stored})::uuid = any(
      array(select md5(address)::uuid from unnest(${addresses}::text[]) as given (address)))
    and ${stored} = any(${addresses}::text[]))`;
}
