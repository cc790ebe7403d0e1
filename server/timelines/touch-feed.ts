import type { JobRequest } from '../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { maxId } from './follow-graph.ts';
import { feedTableRefs, type FeedRef } from './feed-tables.ts';
import type { FeedSlice } from './read-feed.ts';

const dayMs = 86_400_000;

/** How a feed comes to be kept. */
export interface FeedLifecycle {
  readonly feed: FeedRef;
  /** Brings what was posted before the feed is begun. */
  readonly build: JobRequest;
  /** Waits until those have ended who change what the feed shows, when these must find it. */
  lock?(tx: Transaction, id: FeedRef['id']): Promise<void>;
}

/** Feeds for which this process is noting a use right now: ids are not shared by accounts and lists. */
const touchesInProgress = perApp(() => new Set<AccountId | ListId>());

/**
 * Notes that a feed is read. When it is not kept, it is begun: from this commit on posts are written into it, and a job
 * brings those from before. Until then it is read through the graph.
 */
export async function touchFeed(app: App, keeping: FeedLifecycle, stored: FeedSlice | undefined): Promise<void> {
  const now = app.clock.now();
  if (stored !== undefined && now.getTime() - stored.usedAt.getTime() < dayMs) return;
  const { id } = keeping.feed;
  if (touchesInProgress(app).has(id)) return;
  touchesInProgress(app).add(id);
  try {
    await (stored === undefined ? createFeed(app, keeping, now) : updateUsedAt(app, keeping, stored, now));
  } finally {
    touchesInProgress(app).delete(id);
  }
}

async function createFeed(app: App, { feed, build, lock }: FeedLifecycle, now: Date): Promise<void> {
  const { states, key } = feedTableRefs(feed.tables);
  await transaction(app, async (tx) => {
    await lock?.(tx, feed.id);
    const { numAffectedRows: begun = 0n } = await sql`
      insert into ${states} (${key}, complete_from, used_at)
      values (${feed.id}::bigint, ${maxId}::bigint, ${now}::timestamptz) on conflict do nothing`.execute(tx.db);
    if (begun > 0n) tx.enqueue(build);
  });
}

async function updateUsedAt(app: App, { feed, build }: FeedLifecycle, stored: FeedSlice, now: Date): Promise<void> {
  const { states, key } = feedTableRefs(feed.tables);
  await transaction(app, async ({ db, enqueue }) => {
    await sql`update ${states} set used_at = ${now}::timestamptz where ${key} = ${feed.id}::bigint`.execute(db);
    // A build that has not ended in a day was given up.
    if (stored.completeFrom === maxId) enqueue(build);
  });
}

/** `dropListFeeds` locks the list too: either it finds the feed, or what it changes is seen by the build. */
export async function lockList({ db }: Transaction, id: FeedRef['id']): Promise<void> {
  await sql`select 1 from lists where id = ${id}::bigint for update`.execute(db);
}
