import { sql } from 'kysely';
import { Type } from 'typebox';
import { perApp, type App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { type AccountId, type ListId, maxId, noId, type StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { feedLimits } from './feed-limits.ts';
import { finishFeedRefresh, startFeedRefresh } from './home-refresh.ts';
import {
  deleteEntries,
  feedTableRefs,
  feedTables,
  insertEntries,
  lockFeed,
  reportChange,
  setCompleteFrom,
  type FeedRef,
  type FeedState,
} from './feed-tables.ts';
import { homeGraphQuery } from '../graph/follow-graph.ts';
import { loadForListBuild } from '../graph/list-graph.ts';
import type { EntryRow } from '../graph/walk-sources.ts';

const dayMs = 86_400_000;

/** Entries loaded by one statement of a build. */
const batchSize = 200;

/** Feeds whose use this process is recording. Accounts and lists share one sequence of ids. */
const touchesInProgress = perApp(() => new Set<AccountId | ListId>());

/**
 * Records, once a day, that a feed was read. If it is not stored, creates it empty and queues the job that builds it:
 * new statuses are written into it from this commit on, and until it is built it is read through the graph.
 */
export async function touchFeed(app: App, feed: FeedRef, state: FeedState | undefined): Promise<void> {
  const now = app.clock.now();
  if (state !== undefined && now.getTime() - state.usedAt.getTime() < dayMs) return;
  if (touchesInProgress(app).has(feed.id)) return;
  touchesInProgress(app).add(feed.id);
  try {
    await (state === undefined ? createFeed(app, feed, now) : updateUsedAt(app, feed, state, now));
  } finally {
    touchesInProgress(app).delete(feed.id);
  }
}

/** Does the same for a feed that is streamed instead of read. */
export async function touchStreamedFeed(app: App, feed: FeedRef): Promise<void> {
  const { states, key } = feedTableRefs(feedTables[feed.kind]);
  const { rows } = await sql<{ complete_from: StatusId; used_at: Date }>`
    select complete_from, used_at from ${states} where ${key} = ${feed.id}::bigint`.execute(app.db);
  const [row] = rows;
  await touchFeed(app, feed, row && { completeFrom: row.complete_from, usedAt: row.used_at });
}

async function createFeed(app: App, feed: FeedRef, now: Date): Promise<void> {
  const { states, key } = feedTableRefs(feedTables[feed.kind]);
  await transaction(app, async (tx) => {
    if (feed.kind === 'list') await lockList(tx, feed.id);
    const { numAffectedRows: insertedCount = 0n } = await sql`
      insert into ${states} (${key}, complete_from, used_at)
      values (${feed.id}::bigint, ${maxId}::bigint, ${now}::timestamptz) on conflict do nothing`.execute(tx.db);
    if (insertedCount === 0n) return;
    reportChange(tx, feed);
    await enqueueBuild(tx, app, feed);
  });
}

/** `deleteListFeeds` locks the list too: either it finds the feed, or the build sees its change. */
async function lockList({ db }: Transaction, id: ListId): Promise<void> {
  await sql`select 1 from lists where id = ${id}::bigint for update`.execute(db);
}

async function updateUsedAt(app: App, feed: FeedRef, { completeFrom }: FeedState, now: Date): Promise<void> {
  const { states, key } = feedTableRefs(feedTables[feed.kind]);
  await transaction(app, async (tx) => {
    await sql`update ${states} set used_at = ${now}::timestamptz where ${key} = ${feed.id}::bigint`.execute(tx.db);
    reportChange(tx, feed);
    // A build that has not finished in a day was abandoned.
    if (completeFrom === maxId) await enqueueBuild(tx, app, feed);
  });
}

/** Rebuilds a stored home feed from the follow graph. */
export const buildHomeFeed = defineJob(
  'feed.build_home',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) => buildFeed(app, { kind: 'home', id: accountId }),
  'feeds',
);

/** Rebuilds the stored feed of a list from the statuses of its members. */
export const buildListFeed = defineJob(
  'feed.build_list',
  Type.Object({ listId: idSchema<'list'>() }),
  (app, { listId }) => buildFeed(app, { kind: 'list', id: listId }),
  'feeds',
);

/** Queues the build of a feed, which clients can follow if it is a home feed. */
export async function enqueueBuild(tx: Transaction, app: App, feed: FeedRef): Promise<void> {
  await startFeedRefresh(tx, app, feed);
  tx.enqueue(feed.kind === 'home' ? buildHomeFeed({ accountId: feed.id }) : buildListFeed({ listId: feed.id }));
}

/** Rebuilds a feed in one transaction, in which it stays readable. No-op if it is not stored. */
export async function buildFeed(app: App, feed: FeedRef): Promise<void> {
  const { maxBuiltEntries } = feedLimits(app);
  await transaction(app, async (tx) => {
    if ((await lockFeed(tx, feed)) === undefined) return finishFeedRefresh(tx, app, feed);
    await deleteEntries(tx, feed);
    let before: StatusId = maxId;
    for (let stored = 0; stored < maxBuiltEntries;) {
      const count = Math.min(batchSize, maxBuiltEntries - stored);
      const { rows, reached } = await loadOlderRows(tx, feed, { before, count, now: app.clock.now() });
      await insertEntries(tx, feed, rows);
      stored += rows.length;
      before = reached ?? noId;
      if (rows.length < count) break;
    }
    await setCompleteFrom(tx, feed, before);
    reportChange(tx, feed);
    await finishFeedRefresh(tx, app, feed);
  });
}

/** Returns the next rows below `before`, and the last id examined; undefined where the feed ends. */
async function loadOlderRows(
  tx: Transaction,
  feed: FeedRef,
  range: { readonly before: StatusId; readonly count: number; readonly now: Date },
): Promise<{ rows: readonly EntryRow[]; reached: StatusId | undefined }> {
  if (feed.kind === 'list') return loadForListBuild(tx, { listId: feed.id, after: noId, ...range });
  const { rows } = await homeGraphQuery('desc', { accountId: feed.id, after: noId, ...range }).execute(tx.db);
  return { rows, reached: rows.length === range.count ? rows.at(-1)?.id : undefined };
}
