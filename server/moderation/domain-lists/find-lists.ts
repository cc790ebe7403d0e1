import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, selectPage } from '../../platform/database/paged-query.ts';
import type { ReadDatabase } from '../../platform/database/read-database.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { DomainListId, ModerationTables } from '../tables.ts';
import { compareEntry, limitsOf, type EntryRow, type StoredBlock } from './compare-entry.ts';
import type { DomainList, DomainListChange } from './schema.ts';

export type ListRow = Selectable<ModerationTables['domain_lists']>;

/** Returns a page of the lists, newest first. */
export const pageOfLists = pagedQuery<ListRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('domain_lists').selectAll(), args, order),
);

/** Returns a list. Throws 404 if there is none. */
export function requireList({ db }: Pick<App, 'db'> | Transaction, id: DomainListId): Promise<ListRow> {
  return db
    .selectFrom('domain_lists')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

export const presentList = (row: ListRow): DomainList => ({
  id: row.id,
  url: row.url,
  automatic: row.automatic,
  created_at: row.created_at.toISOString(),
  fetched_at: row.fetched_at?.toISOString() ?? null,
  next_fetch_at: row.next_fetch_at.toISOString(),
  last_error: row.last_error,
});

/** An entry with the block of its domain, and what it would change. */
export interface ComparedEntry {
  readonly entry: EntryRow;
  readonly block: StoredBlock | undefined;
  readonly change: DomainListChange['change'] | undefined;
}

/** Compares the entries of a list after a domain with the blocks, in the order of the domains. */
export async function compareEntries(
  db: ReadDatabase,
  listId: DomainListId,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ComparedEntry[]> {
  const entries = await db
    .selectFrom('domain_list_entries')
    .selectAll()
    .where('list_id', '=', listId)
    .where('domain', '>', after)
    .orderBy('domain')
    .limit(limit)
    .execute();
  const domains = entries.map(({ domain }) => domain);
  const blocks = await db
    .selectFrom('domain_blocks')
    .selectAll()
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .execute();
  const elsewhere = await db
    .selectFrom('domain_list_entries')
    .select('domain')
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .where('list_id', '<>', listId)
    .where('listed', '=', true)
    .where('excepted', '=', false)
    .execute();
  const blockOf = new Map(blocks.map((block) => [block.domain, block]));
  const listedElsewhere = new Set(elsewhere.map(({ domain }) => domain));
  return entries.map((entry) => {
    const block = blockOf.get(entry.domain);
    return { entry, block, change: compareEntry(entry, block, listedElsewhere.has(entry.domain)) };
  });
}

/** A list has 5,000 entries at most, and as many that were removed from it. */
const maxEntries = 10_000;

/** Returns what a list would change, in the order of the domains. Throws 404 if there is no such list. */
export async function listChanges(app: App, id: DomainListId): Promise<DomainListChange[]> {
  await requireList(app, id);
  const compared = await compareEntries(app.db, id, { after: '', limit: maxEntries });
  return compared.flatMap(({ entry, block, change }) =>
    change === undefined
      ? []
      : [
          {
            domain: entry.domain,
            change,
            listed: entry.listed ? limitsOf(entry) : null,
            existing: block === undefined ? null : limitsOf(block),
          },
        ],
  );
}
