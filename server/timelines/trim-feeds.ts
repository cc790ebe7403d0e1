import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { StatusId } from '../platform/ids.ts';
import { feedLimits } from './feed-limits.ts';
import { homeTables, listTables, feedTableRefs, type FeedTables, type FeedRef } from './feed-tables.ts';

const dayMs = 86_400_000;

/** Feeds looked at in one transaction. */
const batchSize = 200;

type FeedId = FeedRef['id'];

/** Cuts feeds to their newest entries; what was cut off is read through the graph from then on. */
export const trimFeeds: Schedule = {
  name: 'feed.trim_feeds',
  pattern: '23 */6 * * *',
  async run(app) {
    for (const tables of [homeTables, listTables]) await forEachBatch((after) => trimBatch(app, tables, after));
  },
};

/** Drops the feeds that nobody read for weeks; a person who returns gets a new one. */
export const cleanUpUnusedFeeds: Schedule = {
  name: 'feed.clean_up_unused',
  pattern: '41 3 * * *',
  async run(app) {
    for (const tables of [homeTables, listTables]) while ((await deleteUnusedBatch(app, tables)) === batchSize);
  },
};

async function forEachBatch(run: (after: FeedId) => Promise<FeedId | undefined>): Promise<void> {
  let after: FeedId | undefined = '-9223372036854775808' as FeedId;
  while (after !== undefined) after = await run(after);
}

/** Trims the next feeds by id; gives the last one looked at, undefined when there are no more. */
async function trimBatch(app: App, tables: FeedTables, after: FeedId): Promise<FeedId | undefined> {
  const { maxStoredEntries } = feedLimits(app);
  const { states, entries, key } = feedTableRefs(tables);
  return transaction(app, async ({ db }) => {
    const { rows } = await sql<{ id: FeedId; keep_from: StatusId | null }>`
      select h.${key} as id, (
        select status_id + 1 from ${entries}
        where ${key} = h.${key} and status_id >= h.complete_from
        order by status_id desc offset ${maxStoredEntries}::int limit 1
      ) as keep_from
      from ${states} h where h.${key} > ${after}::bigint
      order by h.${key} limit ${batchSize}::int for update of h`.execute(db);
    const long = rows.filter(({ keep_from }) => keep_from !== null);
    if (long.length > 0) {
      await sql`
        with cut as (
          update ${states} h set complete_from = t.keep_from
          from unnest(${long.map(({ id }) => id)}::bigint[], ${long.map(({ keep_from }) => keep_from)}::bigint[])
            t (id, keep_from)
          where h.${key} = t.id
          returning t.id, h.complete_from
        )
        delete from ${entries} e using cut where e.${key} = cut.id and e.status_id < cut.complete_from`.execute(db);
    }
    return rows.length === batchSize ? rows.at(-1)?.id : undefined;
  });
}

async function deleteUnusedBatch(app: App, tables: FeedTables): Promise<number> {
  const { states, entries, key } = feedTableRefs(tables);
  const usedBefore = new Date(app.clock.now().getTime() - feedLimits(app).maxUnusedDays * dayMs);
  return transaction(app, async ({ db }) => {
    const { rows } = await sql<{ id: FeedId }>`
      delete from ${states} where ${key} in (
        select ${key} from ${states} where used_at < ${usedBefore}::timestamptz
        order by used_at limit ${batchSize}::int for update skip locked)
      returning ${key} as id`.execute(db);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await sql`delete from ${entries} where ${key} = any(${ids}::bigint[])`.execute(db);
    return rows.length;
  });
}
