import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { idSchema, type AccountId, type StatusId } from '../platform/ids.ts';
import { defineJob } from '../platform/jobs/events.ts';
import { beginning } from './feed-page.ts';
import { feedLimits } from './feed-limits.ts';
import { endOfTime, homeQuery } from './follow-graph.ts';
import type { EntryRow } from './walk-sources.ts';

/** Statuses asked for in one statement of a build. */
const step = 200;

/** Builds a kept feed anew from the follow graph. */
export const buildFeed = defineJob(
  'feeds-build',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) => write(app, (write) => fillFeed(app, write, accountId)),
  'feeds',
);

async function fillFeed(app: App, write: Write, accountId: AccountId): Promise<void> {
  if ((await lockFeed(write, accountId)) === undefined) return;
  await write.db.deleteFrom('home_feed').where('account_id', '=', accountId).execute();
  const { built } = feedLimits(app);
  const now = app.clock.now();
  let before = endOfTime;
  for (let stored = 0; ;) {
    const count = Math.min(step, built - stored);
    const args = { accountId, after: beginning, before, count, now };
    const { rows } = await homeQuery('desc', args).execute(write.db);
    await insertEntries(write, accountId, rows);
    stored += rows.length;
    before = rows.at(-1)?.id ?? before;
    if (rows.length === count && stored < built) continue;
    await setHorizon(write, accountId, rows.length === count ? before : beginning);
    return;
  }
}

/** Keeps others from changing this feed until the transaction ends; gives its horizon, undefined when none is kept. */
export async function lockFeed({ db }: Write, accountId: AccountId): Promise<StatusId | undefined> {
  const state = await db
    .selectFrom('home_feed_states')
    .select('complete_from')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return state?.complete_from;
}

/** Says that the feed is complete from `completeFrom` on. */
export async function setHorizon({ db }: Write, accountId: AccountId, completeFrom: StatusId): Promise<void> {
  await db
    .updateTable('home_feed_states')
    .set({ complete_from: completeFrom })
    .where('account_id', '=', accountId)
    .execute();
}

/** Puts entries into a feed; those that stand there already stay. */
export async function insertEntries({ db }: Write, accountId: AccountId, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into home_feed (account_id, status_id, reblog_of_id)
    select ${accountId}::bigint, entry.* from unnest(
      ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ reblog_of_id }) => reblog_of_id)}::bigint[]) entry
    on conflict do nothing`.execute(db);
}
