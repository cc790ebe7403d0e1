import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { minId } from './feed-page.ts';
import { feedLimits } from './feed-limits.ts';
import { maxId, homeGraphQuery } from './follow-graph.ts';
import {
  deleteEntries,
  homeFeed,
  insertEntries,
  listFeed,
  lockFeed,
  setCompleteFrom,
  type FeedRef,
} from './feed-tables.ts';
import { loadForListBuild } from './list-graph.ts';
import type { EntryRow } from './walk-sources.ts';

/** Entries asked for in one statement of a build. */
const batchSize = 200;

/** Builds a kept home feed anew from the follow graph. */
export const buildHomeFeed = defineJob(
  'feed.build_home',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) =>
    transaction(app, (tx) =>
      fillFeed(app, tx, homeFeed(accountId), async ({ before, count }) => {
        const args = { accountId, after: minId, before, count, now: app.clock.now() };
        const { rows } = await homeGraphQuery('desc', args).execute(tx.db);
        return { rows, reached: rows.length === count ? rows.at(-1)?.id : undefined };
      }),
    ),
  'feeds',
);

/** Builds a kept feed of a list anew from what its members posted. */
export const buildListFeed = defineJob(
  'feed.build_list',
  Type.Object({ listId: idSchema<'list'>() }),
  (app, { listId }) =>
    transaction(app, (tx) =>
      fillFeed(app, tx, listFeed(listId), (stretch) =>
        loadForListBuild(tx, { listId, after: minId, ...stretch, now: app.clock.now() }),
      ),
    ),
  'feeds',
);

/** Gives the next entries below `before`, and how far it looked; nothing more to look at is `undefined`. */
type LoadOlder = (stretch: {
  before: StatusId;
  count: number;
}) => Promise<{ rows: readonly EntryRow[]; reached: StatusId | undefined }>;

async function fillFeed(app: App, tx: Transaction, feed: FeedRef, older: LoadOlder): Promise<void> {
  if ((await lockFeed(tx, feed)) === undefined) return;
  await deleteEntries(tx, feed);
  const { maxBuiltEntries } = feedLimits(app);
  let before = maxId;
  for (let stored = 0; stored < maxBuiltEntries;) {
    const count = Math.min(batchSize, maxBuiltEntries - stored);
    const { rows, reached } = await older({ before, count });
    await insertEntries(tx, feed, rows);
    stored += rows.length;
    before = reached ?? minId;
    if (rows.length < count) break;
  }
  await setCompleteFrom(tx, feed, before);
}
