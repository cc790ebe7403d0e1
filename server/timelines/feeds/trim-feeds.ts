import type { Schedule } from '../../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { minId, type StatusId } from '../../platform/ids.ts';
import { feedLimits } from './feed-limits.ts';
import { feedTableRefs, feedTables, type FeedTables, type FeedRef } from './feed-tables.ts';

const dayMs = 86_400_000;

/** Feeds per transaction. */
const batchSize = 200;

type FeedId = FeedRef['id'];

const beforeAllFeeds = minId;

/** Trims feeds to their newest entries. Older ones are read through the graph from then on. */
export const trimFeeds: Schedule = {
  name: 'feed.trim_feeds',
  pattern: '23 */6 * * *',
  async run(app) {
    for (const tables of Object.values(feedTables)) {
      for (let after: FeedId | undefined = beforeAllFeeds; after !== undefined;)
        after = await trimBatch(app, tables, after);
    }
  },
};

/** Deletes feeds that were not read for weeks. The next read creates a new one. */
export const cleanUpUnusedFeeds: Schedule = {
  name: 'feed.clean_up_unused',
  pattern: '41 3 * * *',
  async run(app) {
    for (const tables of Object.values(feedTables)) while ((await deleteUnusedBatch(app, tables)) === batchSize);
  },
};

/** Trims the feeds with the next ids. Returns the last id; undefined after the last batch. */
async function trimBatch(app: App, tables: FeedTables, after: FeedId): Promise<FeedId | undefined> {
  const { maxStoredEntries } = feedLimits(app);
  const { states, entries, key } = feedTableRefs(tables);
  return transaction(app, async ({ db }) => {
    const { rows } = await sql<{ id: FeedId; trim_to: StatusId | null }>`
      select h.${key} as id, (
        select status_id + 1 from ${entries}
        where ${key} = h.${key} and status_id >= h.complete_from
        order by status_id desc offset ${maxStoredEntries}::int limit 1
      ) as trim_to
      from ${states} h where h.${key} > ${after}::bigint
      order by h.${key} limit ${batchSize}::int for update of h`.execute(db);
    const toTrim = rows.filter(({ trim_to }) => trim_to !== null);
    if (toTrim.length > 0) {
      await sql`
        with trimmed as (
          update ${states} h set complete_from = t.trim_to
          from unnest(${toTrim.map(({ id }) => id)}::bigint[], ${toTrim.map(({ trim_to }) => trim_to)}::bigint[])
            t (id, trim_to)
          where h.${key} = t.id
          returning t.id, h.complete_from
        )
        delete from ${entries} e using trimmed t where e.${key} = t.id and e.status_id < t.complete_from`.execute(db);
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
