import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { writeStatement } from '../platform/database/write-statement.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { buildTerms } from './build-terms.ts';
import { loadSearchableDocuments } from './load-documents.ts';
import { loadStems } from './stems.ts';

/**
 * Stores or replaces the index entries of statuses that someone may search, and deletes those of others. Skips deleted
 * statuses and reblogs.
 */
export async function indexStatuses(app: App, ids: readonly StatusId[]): Promise<void> {
  const documents = await loadSearchableDocuments(app, ids);
  const stemOf = await loadStems(
    app,
    documents.map(({ row, parts }) => ({ language: row.language, words: parts.flat() })),
  );
  const indexed = documents.map(({ row }) => row.id);
  const terms = documents.map((document) => `{${buildTerms(document, stemOf).join(',')}}`);
  if (indexed.length < ids.length)
    await writeStatement(
      app,
      sql`delete from status_search
        where status_id = any(${ids}::bigint[]) and status_id <> all(${indexed}::bigint[])`,
    );
  if (indexed.length === 0) return;
  // A status that was deleted meanwhile has no row to refer to.
  await writeStatement(
    app,
    sql`insert into status_search (status_id, terms)
      select s.id, entry.terms::int[]
      from unnest(${indexed}::bigint[], ${terms}::text[]) as entry (id, terms)
        join statuses s on s.id = entry.id and s.deleted_at is null
      on conflict (status_id) do update set terms = excluded.terms
        where status_search.terms <> excluded.terms`,
  );
}

const reindexBatchSize = 500;

/** Indexes the next statuses below an id, newest first. Returns the last of them; undefined if there are no more. */
export async function reindexBatch(app: App, before: string): Promise<StatusId | undefined> {
  const rows = await app.db
    .selectFrom('statuses')
    .select('id')
    .where(sql<boolean>`id < ${before}::bigint`)
    .orderBy('id', 'desc')
    .limit(reindexBatchSize)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await indexStatuses(app, ids);
  return ids.at(-1);
}

/**
 * Indexes all statuses again, newest first, in batches: each job stores the next one. The migration that changes what an
 * index entry contains stores the first. `before`: only statuses with a lower id.
 */
export const reindexStatuses = defineJob(
  'search.reindex_statuses',
  Type.Object({ before: idSchema<'status'>() }),
  async (app, { before }) => {
    const last = await reindexBatch(app, before);
    if (last !== undefined) await transaction(app, async ({ enqueue }) => enqueue(reindexStatuses({ before: last })));
  },
  'background',
);
