import { defineJob } from '../../platform/jobs/define-job.ts';
import { on } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../../platform/database/transaction.ts';
import { idSchema, type StatusId } from '../../platform/ids.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { threadViewed } from '../../statuses/index.ts';
import { threadRefreshIntervalMs } from '../../statuses/remote/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isNote, parseNote } from '../documents/parse-note.ts';
import { hostOf, idOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { fetchCollectionItems } from './fetch-collection.ts';
import { storeNote } from './store-note.ts';

/** Per thread (reference/limits.tsv, "fetch-all-replies"). */
const threadLimits = { posts: 1000, pages: 500 };
/** Per collection of replies. */
const collectionLimits = { pages: 10, items: 500 };
/** Posts that are fetched concurrently in one batch. */
const batchSize = 5;

/** Fetches the replies to a remote status from its server after a user opened the thread. */
export const fetchThread = on([threadViewed], {
  name: 'status.fetch_thread',
  queue: 'remote',
  run: async (app, { statusId }) => {
    const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
    if (status === undefined || status.local) return;
    const now = app.clock.now();
    const before = new Date(now.getTime() - threadRefreshIntervalMs);
    await inTransaction(app, async (tx) => {
      const { rows } = await sql`
        insert into reply_walks (status_id, started_at) values (${statusId}, ${now})
        on conflict (status_id) do update set started_at = excluded.started_at, pages = 0
        where reply_walks.started_at <= ${before}
        returning status_id`.execute(tx.db);
      if (rows.length === 0) return;
      await tx.db.deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
      await tx.db.insertInto('reply_finds').values({ status_id: statusId, uri: status.uri }).execute();
      tx.enqueue(fetchThreadBatch({ statusId }));
    });
  },
});

/** Fetches a batch of posts of a thread, and records their replies for the next batch. */
export const fetchThreadBatch = defineJob(
  'status.fetch_thread_batch',
  Type.Object({ statusId: idSchema<'status'>() }),
  async (app, { statusId }) => {
    const pending = await app.db
      .selectFrom('reply_finds')
      .select('uri')
      .where('status_id', '=', statusId)
      .where('seen', '=', false)
      .orderBy('uri')
      .limit(batchSize)
      .execute();
    const fetchedReplies = await Promise.all(pending.map(({ uri }) => fetchReplies(app, uri)));
    await inTransaction(app, (tx) => recordFetchedReplies(tx, app, { statusId, fetchedReplies }));
  },
  'remote',
);

/** A post of a thread and the replies that its server lists. */
interface FetchedReplies {
  readonly uri: string;
  readonly replies: readonly string[];
  readonly pages: number;
}

async function fetchReplies(app: App, uri: string): Promise<FetchedReplies> {
  try {
    const document = await fetchObject(app, uri);
    if (!(await storeIfInThread(app, document))) return { uri, replies: [], pages: 0 };
    const { items, fetchedPages } = await fetchCollectionItems(app, document['replies'], uri, collectionLimits);
    return { uri, replies: items.map(idOf).filter((id) => id !== undefined), pages: fetchedPages };
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return { uri, replies: [], pages: 0 };
    throw error;
  }
}

/**
 * Stores a post if it replies to a stored post. Other posts do not belong to the thread, even if a server lists them.
 */
async function storeIfInThread(app: App, document: Json): Promise<boolean> {
  if (!isNote(document)) return false;
  const note = parseNote(document);
  if ((await findStatusByUri(app, note.uri)) !== undefined) return true;
  if (note.inReplyTo === undefined || (await findStatusByUri(app, note.inReplyTo)) === undefined) return false;
  return (await storeNote(app, note)) !== undefined;
}

async function recordFetchedReplies(
  { db, enqueue }: Transaction,
  app: App,
  { statusId, fetchedReplies }: { statusId: StatusId; fetchedReplies: readonly FetchedReplies[] },
): Promise<void> {
  const uris = fetchedReplies.map(({ uri }) => uri);
  const isRemote = (uri: string) => ![undefined, app.config.webDomain, app.config.domain].includes(hostOf(uri));
  const found = [...new Set(fetchedReplies.flatMap(({ replies }) => replies.filter(isRemote)))];
  await sql`
    update reply_finds set seen = true where status_id = ${statusId}::bigint and uri = any(${uris}::text[])`.execute(
    db,
  );
  await sql`
    insert into reply_finds (status_id, uri)
    select walk.status_id, found.uri
    from reply_walks walk, unnest(${found}::text[]) with ordinality as found(uri, place)
    where walk.status_id = ${statusId}::bigint
      and place <= ${threadLimits.posts} - (select count(*) from reply_finds where status_id = ${statusId}::bigint)
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ has_more: boolean }>`
    update reply_walks set pages = pages + ${fetchedReplies.reduce((sum, { pages }) => sum + pages, 0)}
    where status_id = ${statusId}::bigint
    returning pages < ${threadLimits.pages} and exists (
      select from reply_finds where status_id = ${statusId}::bigint and not seen) as has_more`.execute(db);
  if (rows[0]?.has_more === true) enqueue(fetchThreadBatch({ statusId }));
  else await db.deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
}
