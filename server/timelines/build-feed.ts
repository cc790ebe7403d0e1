import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { beginning } from './feed-page.ts';
import { feedLimits } from './feed-limits.ts';
import { endOfTime, homeQuery } from './follow-graph.ts';
import { clearEntries, homeFeed, insertEntries, listFeed, lockFeed, setHorizon, type KeptFeed } from './kept-feed.ts';
import { readForBuild } from './list-graph.ts';
import type { EntryRow } from './walk-sources.ts';

/** Entries asked for in one statement of a build. */
const step = 200;

/** Builds a kept home feed anew from the follow graph. */
export const buildFeed = defineJob(
  'feeds-build',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) =>
    write(app, (write) =>
      fillFeed(app, write, homeFeed(accountId), async ({ before, count }) => {
        const args = { accountId, after: beginning, before, count, now: app.clock.now() };
        const { rows } = await homeQuery('desc', args).execute(write.db);
        return { rows, reached: rows.length === count ? rows.at(-1)?.id : undefined };
      }),
    ),
  'feeds',
);

/** Builds a kept feed of a list anew from what its members posted. */
export const buildListFeed = defineJob(
  'feeds-build-list',
  Type.Object({ listId: idSchema<'list'>() }),
  (app, { listId }) =>
    write(app, (write) =>
      fillFeed(app, write, listFeed(listId), (stretch) =>
        readForBuild(write, { listId, after: beginning, ...stretch, now: app.clock.now() }),
      ),
    ),
  'feeds',
);

/** Gives the next entries below `before`, and how far it looked; nothing more to look at is `undefined`. */
type ReadOlder = (stretch: {
  before: StatusId;
  count: number;
}) => Promise<{ rows: readonly EntryRow[]; reached: StatusId | undefined }>;

async function fillFeed(app: App, write: Write, feed: KeptFeed, older: ReadOlder): Promise<void> {
  if ((await lockFeed(write, feed)) === undefined) return;
  await clearEntries(write, feed);
  const { built } = feedLimits(app);
  let before = endOfTime;
  for (let stored = 0; stored < built;) {
    const count = Math.min(step, built - stored);
    const { rows, reached } = await older({ before, count });
    await insertEntries(write, feed, rows);
    stored += rows.length;
    before = reached ?? beginning;
    if (rows.length < count) break;
  }
  await setHorizon(write, feed, before);
}
