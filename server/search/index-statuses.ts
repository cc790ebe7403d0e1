import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writeStatement } from '../platform/write/write-statement.ts';
import type { StatusId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { buildTerms } from './build-terms.ts';
import { loadSearchableDocuments, versionSql, type SearchDocument } from './load-documents.ts';
import { loadStems } from './stems.ts';

/** Of one call; then the job is retried later. */
const maxAttempts = 5;

/**
 * Stores or replaces the index entries of statuses that someone may search, and deletes those of others. Skips deleted
 * statuses and reblogs. Concurrent calls for a status leave the entry of its last version, in whatever order they write.
 */
export async function indexStatuses(app: App, ids: readonly StatusId[]): Promise<void> {
  let remaining = ids;
  for (let attempt = 1; remaining.length > 0; attempt += 1) {
    if (attempt > maxAttempts) throw new Error('statuses change faster than they are indexed');
    const documents = await loadSearchableDocuments(app, remaining);
    const indexed = documents.map(({ row }) => row.id);
    remaining = [
      ...(indexed.length < remaining.length ? await deleteOtherEntries(app, remaining, indexed) : []),
      ...(indexed.length > 0 ? await storeEntries(app, documents) : []),
    ];
  }
}

/** Returns the statuses whose entries were deleted: someone may have favourited one of them meanwhile. */
async function deleteOtherEntries(
  app: App,
  ids: readonly StatusId[],
  indexed: readonly StatusId[],
): Promise<StatusId[]> {
  const { rows } = await writeStatement(
    app,
    sql<{ id: StatusId }>`delete from status_search
      where status_id = any(${ids}::bigint[]) and status_id <> all(${indexed}::bigint[])
      returning status_id as id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the statuses that changed since they were loaded, and are not stored therefore. The lock makes an edit wait for
 * the entry of the version before it.
 */
async function storeEntries(app: App, documents: readonly SearchDocument[]): Promise<StatusId[]> {
  const stemOf = await loadStems(
    app,
    documents.map(({ row, parts }) => ({ language: row.language, words: parts.flat() })),
  );
  const { rows } = await writeStatement(
    app,
    sql<{ id: StatusId }>`
      with entry as (
        select * from unnest(
          ${documents.map(({ row }) => row.id)}::bigint[],
          ${documents.map((document) => `{${buildTerms(document, stemOf).join(',')}}`)}::text[],
          ${documents.map(({ row }) => row.version)}::text[]) as entry (id, terms, version)
      ), current as (
        select s.id, entry.terms::int[] as terms from entry join statuses s on s.id = entry.id
        where s.deleted_at is null and entry.version = ${versionSql}
        order by s.id for share of s
      ), stored as (
        insert into status_search (status_id, terms) select id, terms from current
        on conflict (status_id) do update set terms = excluded.terms
          where status_search.terms <> excluded.terms
      )
      select id from entry where not exists (select from current where current.id = entry.id)`,
  );
  return rows.map(({ id }) => id);
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
    if (last !== undefined)
      await transaction(app, async ({ enqueue }) =>
        enqueue(reindexStatuses({ before: last }, { key: 'search.reindex', isUnique: true })),
      );
  },
  'background',
);
