import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Schedule } from '../platform/jobs/events.ts';
import { feedLimits } from './feed-limits.ts';

const millisecondsOfDay = 86_400_000;

/** Feeds looked at in one transaction. */
const batch = 200;

/** Cuts feeds to their newest entries; what was cut off is read through the follow graph from then on. */
export const trimFeeds: Schedule = {
  name: 'trim-home-feeds',
  pattern: '23 */6 * * *',
  run: (app) => inBatches((after) => trimBatch(app, after)),
};

/** Drops the feeds that nobody read for weeks; a person who returns gets a new one. */
export const dropUnusedFeeds: Schedule = {
  name: 'drop-unused-home-feeds',
  pattern: '41 3 * * *',
  run: async (app) => {
    while ((await dropBatch(app)) === batch);
  },
};

async function inBatches(run: (after: AccountId) => Promise<AccountId | undefined>): Promise<void> {
  let after: AccountId | undefined = '-9223372036854775808' as AccountId;
  while (after !== undefined) after = await run(after);
}

/** Trims the next feeds by account id; gives the last account looked at, undefined when there are no more. */
async function trimBatch(app: App, after: AccountId): Promise<AccountId | undefined> {
  const { kept } = feedLimits(app);
  return write(app, async ({ db }) => {
    const { rows } = await sql<{ account_id: AccountId; keep_from: StatusId | null }>`
      select h.account_id, (
        select status_id + 1 from home_feed
        where account_id = h.account_id and status_id >= h.complete_from
        order by status_id desc offset ${kept}::int limit 1
      ) as keep_from
      from home_feed_states h where h.account_id > ${after}::bigint
      order by h.account_id limit ${batch}::int for update of h`.execute(db);
    const long = rows.filter(({ keep_from }) => keep_from !== null);
    if (long.length > 0) {
      await sql`
        with cut as (
          update home_feed_states h set complete_from = t.keep_from
          from unnest(${long.map(({ account_id }) => account_id)}::bigint[], ${long.map(({ keep_from }) => keep_from)}::bigint[])
            t (account_id, keep_from)
          where h.account_id = t.account_id
          returning h.account_id, h.complete_from
        )
        delete from home_feed e using cut where e.account_id = cut.account_id and e.status_id < cut.complete_from`.execute(
        db,
      );
    }
    return rows.length === batch ? rows.at(-1)?.account_id : undefined;
  });
}

async function dropBatch(app: App): Promise<number> {
  const usedBefore = new Date(app.clock.now().getTime() - feedLimits(app).unusedDays * millisecondsOfDay);
  return write(app, async ({ db }) => {
    const dropped = await db
      .deleteFrom('home_feed_states')
      .where('account_id', 'in', (eb) =>
        eb
          .selectFrom('home_feed_states')
          .select('account_id')
          .where('used_at', '<', usedBefore)
          .orderBy('used_at')
          .limit(batch)
          .forUpdate()
          .skipLocked(),
      )
      .returning('account_id')
      .execute();
    const ids = dropped.map((row) => row.account_id);
    if (ids.length > 0) await sql`delete from home_feed where account_id = any(${ids}::bigint[])`.execute(db);
    return ids.length;
  });
}
