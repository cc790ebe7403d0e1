import { perApp, type App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { buildFeed } from './build-feed.ts';
import { endOfTime } from './follow-graph.ts';
import type { StoredStretch } from './stored-feed.ts';

const millisecondsOfDay = 86_400_000;

/** Accounts for which this process is noting a use right now. */
const noting = perApp(() => new Set<AccountId>());

/**
 * Notes that a home is read. When no feed is kept for it, one is begun: from this commit on posts are written into it,
 * and a job brings those from before. Until then the home is read through the follow graph.
 */
export async function noteUse(app: App, accountId: AccountId, stored: StoredStretch | undefined): Promise<void> {
  const now = app.clock.now();
  if (stored !== undefined && now.getTime() - stored.usedAt.getTime() < millisecondsOfDay) return;
  if (noting(app).has(accountId)) return;
  noting(app).add(accountId);
  try {
    await (stored === undefined ? beginFeed(app, accountId, now) : markUsed(app, accountId, stored, now));
  } finally {
    noting(app).delete(accountId);
  }
}

async function beginFeed(app: App, accountId: AccountId, now: Date): Promise<void> {
  await write(app, async ({ db, enqueue }) => {
    const { numInsertedOrUpdatedRows: begun = 0n } = await db
      .insertInto('home_feed_states')
      .values({ account_id: accountId, complete_from: endOfTime, used_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (begun > 0n) enqueue(buildFeed({ accountId }));
  });
}

async function markUsed(app: App, accountId: AccountId, stored: StoredStretch, now: Date): Promise<void> {
  await write(app, async ({ db, enqueue }) => {
    await db.updateTable('home_feed_states').set({ used_at: now }).where('account_id', '=', accountId).execute();
    // A build that has not ended in a day was given up.
    if (stored.completeFrom === endOfTime) enqueue(buildFeed({ accountId }));
  });
}
