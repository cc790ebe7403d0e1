import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, selectPage } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RowId } from '../../platform/ids.ts';
import type { DomainAllowRow, DomainBlockRow } from '../tables.ts';

/** Returns a page of the domain blocks, newest first. */
export const pageOfBlocks = pagedQuery<DomainBlockRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('domain_blocks').selectAll(), args, order),
);

/** Returns a page of the allowed domains, newest first. */
export const pageOfAllows = pagedQuery<DomainAllowRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('domain_allows').selectAll(), args, order),
);

/** Returns a domain block. Throws 404 if there is none. */
export function requireBlock({ db }: App, id: RowId): Promise<DomainBlockRow> {
  return db
    .selectFrom('domain_blocks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns an allowed domain. Throws 404 if there is none. */
export async function requireAllow({ db }: App, id: RowId): Promise<DomainAllowRow> {
  return db
    .selectFrom('domain_allows')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the blocks of these domains by domain, without those of domains above them. */
export async function findBlocks(
  { db }: App,
  domains: readonly string[],
): Promise<ReadonlyMap<string, DomainBlockRow>> {
  const rows = await db
    .selectFrom('domain_blocks')
    .selectAll()
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.domain, row]));
}

/** Returns which of these domains are allowed. */
export async function findAllows({ db }: App, domains: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('domain_allows')
    .select('domain')
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .execute();
  return new Set(rows.map(({ domain }) => domain));
}
