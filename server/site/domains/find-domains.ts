import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery } from '../../platform/database/paged-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RowId } from '../../platform/ids.ts';
import type { DomainAllowRow, DomainBlockRow } from '../tables.ts';

/** Returns a page of the domain blocks, newest first. */
export const pageOfBlocks = pagedQuery<DomainBlockRow>()<{}>((db, args, order) =>
  db
    .selectFrom('domain_blocks')
    .selectAll()
    .where('id', '<', args.below as RowId)
    .where('id', '>', args.above as RowId)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}`),
);

/** Returns a page of the allowed domains, newest first. */
export const pageOfAllows = pagedQuery<DomainAllowRow>()<{}>((db, args, order) =>
  db
    .selectFrom('domain_allows')
    .selectAll()
    .where('id', '<', args.below as RowId)
    .where('id', '>', args.above as RowId)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}`),
);

/** Returns a domain block. Throws 404 if there is none. */
export async function requireBlock({ db }: App, id: RowId): Promise<DomainBlockRow> {
  const block = await db.selectFrom('domain_blocks').selectAll().where('id', '=', id).executeTakeFirst();
  if (block === undefined) throw notFound();
  return block;
}

/** Returns an allowed domain. Throws 404 if there is none. */
export async function requireAllow({ db }: App, id: RowId): Promise<DomainAllowRow> {
  const allow = await db.selectFrom('domain_allows').selectAll().where('id', '=', id).executeTakeFirst();
  if (allow === undefined) throw notFound();
  return allow;
}
