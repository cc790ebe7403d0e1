import type { JobRequest } from '../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { endOfTime } from './follow-graph.ts';
import { namesOf, type KeptFeed } from './kept-feed.ts';
import type { StoredStretch } from './stored-feed.ts';

const millisecondsOfDay = 86_400_000;

/** How a feed comes to be kept. */
export interface Keeping {
  readonly feed: KeptFeed;
  /** Brings what was posted before the feed is begun. */
  readonly build: JobRequest;
  /** Waits until those have ended who change what the feed shows, when these must find it. */
  lock?(write: Write, id: KeptFeed['id']): Promise<void>;
}

/** Feeds for which this process is noting a use right now: ids are not shared by accounts and lists. */
const noting = perApp(() => new Set<AccountId | ListId>());

/**
 * Notes that a feed is read. When it is not kept, it is begun: from this commit on posts are written into it, and a job
 * brings those from before. Until then it is read through the graph.
 */
export async function noteUse(app: App, keeping: Keeping, stored: StoredStretch | undefined): Promise<void> {
  const now = app.clock.now();
  if (stored !== undefined && now.getTime() - stored.usedAt.getTime() < millisecondsOfDay) return;
  const { id } = keeping.feed;
  if (noting(app).has(id)) return;
  noting(app).add(id);
  try {
    await (stored === undefined ? beginFeed(app, keeping, now) : markUsed(app, keeping, stored, now));
  } finally {
    noting(app).delete(id);
  }
}

async function beginFeed(app: App, { feed, build, lock }: Keeping, now: Date): Promise<void> {
  const { states, key } = namesOf(feed.tables);
  await write(app, async (write) => {
    await lock?.(write, feed.id);
    const { numAffectedRows: begun = 0n } = await sql`
      insert into ${states} (${key}, complete_from, used_at)
      values (${feed.id}::bigint, ${endOfTime}::bigint, ${now}::timestamptz) on conflict do nothing`.execute(write.db);
    if (begun > 0n) write.enqueue(build);
  });
}

async function markUsed(app: App, { feed, build }: Keeping, stored: StoredStretch, now: Date): Promise<void> {
  const { states, key } = namesOf(feed.tables);
  await write(app, async ({ db, enqueue }) => {
    await sql`update ${states} set used_at = ${now}::timestamptz where ${key} = ${feed.id}::bigint`.execute(db);
    // A build that has not ended in a day was given up.
    if (stored.completeFrom === endOfTime) enqueue(build);
  });
}

/** `dropListFeeds` locks the list too: either it finds the feed, or what it changes is seen by the build. */
export async function lockList({ db }: Write, id: KeptFeed['id']): Promise<void> {
  await sql`select 1 from lists where id = ${id}::bigint for update`.execute(db);
}
