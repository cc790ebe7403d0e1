import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { threadViewed } from '../../statuses/index.ts';
import { storeOriginCounts, threadRefreshKey } from '../../statuses/remote/index.ts';
import { countResults, findRefresh, finishRefresh } from '../../refreshes/index.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { isNote, parseNote } from '../documents/parse-note.ts';
import { hostOf, idOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { writable } from '../tables.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { fetchCollectionItems, type CollectionItems } from './fetch-collection.ts';
import { storeNote } from './store-note.ts';

/** Per thread (reference/limits.tsv, "fetch-all-replies"); deeper replies are found from the thread of a reply. */
const threadLimits = { posts: 1000, pages: 500, depth: 60, milliseconds: 10 * 60_000 };
/** Per collection of replies, and for the context of the viewed post. */
const collectionLimits = { pages: 10, items: 500 };
/** Posts that are fetched concurrently in one batch. */
const batchSize = 5;

/** Fetches the replies to a remote status from its server after a user opened the thread. */
export const fetchThread = later('remote', [threadViewed], {
  name: 'status.fetch_thread',
  run: async (app, { statusId }) => {
    const key = threadRefreshKey(statusId);
    const refresh = await findRefresh(app, key);
    if (refresh?.isRunning !== true) return;
    const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
    await transaction(app, async (tx) => {
      if (status === undefined || status.local) return finishRefresh(tx, app, key);
      // A repeated job does not restart the walk.
      const { rows } = await sql`
        insert into reply_walks (status_id, started_at) values (${statusId}, ${refresh.startedAt})
        on conflict (status_id) do update set started_at = excluded.started_at, pages = 0
        where reply_walks.started_at < excluded.started_at
        returning status_id`.execute(tx.db);
      if (rows.length === 0) return;
      await writable(tx.db).deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
      await writable(tx.db).insertInto('reply_finds').values({ status_id: statusId, uri: status.uri }).execute();
      enqueueBatch(tx, status.uri, { statusId, seen: 0 });
    });
  },
});

/**
 * Fetches a batch of posts of a thread, and records their replies for the next batch. `seen`: number of posts that earlier
 * batches fetched. If it is higher, this batch was recorded already, and the next one is stored.
 */
export const fetchThreadBatch = defineJob(
  'status.fetch_thread_batch',
  Type.Object({ statusId: idSchema<'status'>(), seen: Type.Optional(Type.Integer()) }),
  async (app, { statusId, seen }) => {
    const pending = await listPendingPosts(app, statusId, seen);
    if (pending.length === 0) return;
    const fetched = await Promise.all(pending.map((post) => fetchReplies(app, statusId, post)));
    await transaction(app, (tx) => recordFetchedReplies(tx, app, { statusId, fetched }));
  },
  'remote',
);

function enqueueBatch({ enqueue }: Transaction, rootUri: string, batch: { statusId: StatusId; seen: number }): void {
  const host = hostOf(rootUri);
  enqueue(fetchThreadBatch(batch, host === undefined ? {} : { host }));
}

const countSeen = (statusId: StatusId) => sql`
  (select count(*)::int from reply_finds where status_id = ${statusId}::bigint and seen)`;

/** Returns the next posts, from as many hosts as possible, so that one slow host does not delay the replies on others. */
async function listPendingPosts(
  app: App,
  statusId: StatusId,
  seen: number | undefined,
): Promise<{ uri: string; depth: number }[]> {
  const { rows } = await sql<{ uri: string; depth: number }>`
    select uri, depth from reply_finds where status_id = ${statusId}::bigint and not seen
      and (${seen ?? null}::int is null or ${countSeen(statusId)} = ${seen ?? null}::int)
    order by row_number() over (partition by split_part(uri, '/', 3) order by depth, uri), uri
    limit ${batchSize}`.execute(app.db);
  return rows;
}

/** A post of a thread and the replies that its server lists. */
interface FetchedReplies {
  readonly uri: string;
  readonly depth: number;
  readonly replies: readonly string[];
  readonly pages: number;
  /** Whether the post was stored just now. */
  readonly isNew: boolean;
}

/**
 * Fetches a post and the list of its replies; of the viewed post also the posts of its context (FEP-7888, FEP-f228). Each
 * post has its own fetch budget, also for what storing it causes.
 */
async function fetchReplies(
  parent: App,
  statusId: StatusId,
  { uri, depth }: { readonly uri: string; readonly depth: number },
): Promise<FetchedReplies> {
  const app = withFetchBudget(parent, new StoredFetchBudget(parent));
  const nothing = { uri, depth, replies: [], pages: 0, isNew: false };
  try {
    const document = await fetchObject(app, uri);
    const place = await storeIfInThread(app, statusId, document);
    if (place === 'outside') return nothing;
    const parts = [await listPosts(app, document['replies'], uri)];
    const context = idOf(document['context']);
    if (depth === 0 && context !== undefined) parts.push(await listPosts(app, context, context));
    return {
      uri,
      depth,
      replies: parts.flatMap(({ items }) => items.map(idOf)).filter((id) => id !== undefined),
      pages: parts.reduce((sum, { fetchedPages }) => sum + fetchedPages, 0),
      isNew: place === 'new',
    };
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return nothing;
    throw error;
  }
}

/** Returns the items of a collection on the server of `owner`; none if it cannot be fetched. */
async function listPosts(
  app: App,
  collection: unknown,
  owner: string,
): Promise<Pick<CollectionItems, 'items' | 'fetchedPages'>> {
  try {
    return await fetchCollectionItems(app, collection, owner, collectionLimits);
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return { items: [], fetchedPages: 0 };
    throw error;
  }
}

/**
 * Stores a post if it replies to a stored post, or to one that this walk found, which is then fetched as its parent. Other
 * posts do not belong to the thread, even if a server lists them. It was not delivered, so it is no news.
 */
async function storeIfInThread(app: App, statusId: StatusId, document: Json): Promise<'new' | 'known' | 'outside'> {
  if (!isNote(document)) return 'outside';
  const note = parseNote(document);
  const known = await findStatusByUri(app, note.uri);
  if (known !== undefined) {
    await storeOriginCounts(app, [{ statusId: known.id, counts: note.counts }]);
    return 'known';
  }
  if (note.inReplyTo === undefined) return 'outside';
  if ((await findStatusByUri(app, note.inReplyTo)) === undefined && !(await isFound(app, statusId, note.inReplyTo)))
    return 'outside';
  return (await storeNote(app, note, { backfilled: true })) === undefined ? 'outside' : 'new';
}

async function isFound(app: App, statusId: StatusId, uri: string): Promise<boolean> {
  const found = await app.db
    .selectFrom('reply_finds')
    .select('uri')
    .where('status_id', '=', statusId)
    .where('uri', '=', uri)
    .executeTakeFirst();
  return found !== undefined;
}

async function recordFetchedReplies(
  tx: Transaction,
  app: App,
  { statusId, fetched }: { statusId: StatusId; fetched: readonly FetchedReplies[] },
): Promise<void> {
  const { db } = tx;
  const key = threadRefreshKey(statusId);
  const uris = fetched.map(({ uri }) => uri);
  const found = findNextPosts(app, fetched);
  const { numAffectedRows } = await sql`
    update reply_finds set seen = true
    where status_id = ${statusId}::bigint and uri = any(${uris}::text[]) and not seen`.execute(db);
  // The same job ran twice at once, and the other run stored the next batch.
  if (numAffectedRows !== BigInt(uris.length)) return;
  await sql`
    insert into reply_finds (status_id, uri, depth)
    select walk.status_id, found.uri, found.depth
    from reply_walks walk, unnest(${[...found.keys()]}::text[], ${[...found.values()]}::int[])
      with ordinality as found(uri, depth, place)
    where walk.status_id = ${statusId}::bigint
      and place <= ${threadLimits.posts} - (select count(*) from reply_finds where status_id = ${statusId}::bigint)
    on conflict do nothing`.execute(db);
  await countResults(tx, key, fetched.filter(({ isNew }) => isNew).length);
  const startedAfter = new Date(app.clock.now().getTime() - threadLimits.milliseconds);
  const { rows } = await sql<{ has_more: boolean; seen: number }>`
    update reply_walks set pages = pages + ${fetched.reduce((sum, { pages }) => sum + pages, 0)}
    where status_id = ${statusId}::bigint
    returning pages < ${threadLimits.pages} and started_at > ${startedAfter} and exists (
      select from reply_finds where status_id = ${statusId}::bigint and not seen) as has_more,
      ${countSeen(statusId)} as seen`.execute(db);
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  const [walk] = rows;
  if (walk?.has_more === true && status !== undefined)
    return enqueueBatch(tx, status.uri, { statusId, seen: walk.seen });
  await writable(db).deleteFrom('reply_finds').where('status_id', '=', statusId).execute();
  await finishRefresh(tx, app, key);
}

/** Returns the remote replies of fetched posts with their depth, without those that are too deep. */
function findNextPosts({ config }: App, fetched: readonly FetchedReplies[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { depth, replies } of fetched) {
    if (depth >= threadLimits.depth) continue;
    for (const uri of replies) {
      const isRemote = ![undefined, config.webDomain, config.domain].includes(hostOf(uri));
      if (isRemote) found.set(uri, Math.min(depth + 1, found.get(uri) ?? Infinity));
    }
  }
  return found;
}
