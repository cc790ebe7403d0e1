import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { ListId, StatusId } from '../platform/ids.ts';
import { involvedAccounts } from './belongs-in-home.ts';
import { belongsInList, visibleListMembers } from './belongs-in-list.ts';
import type { FeedEntry } from './hide-repeats.ts';
import { parseEntries } from './read-feed.ts';
import type { EntryRow } from './walk-sources.ts';

/** A stretch of a list, read from what its members posted rather than from the stored feed. */
export interface ListGraphArgs {
  readonly listId: ListId;
  /** Ids above this one only. */
  readonly after: StatusId;
  /** Ids below this one only. */
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

interface ListScanArgs extends ListGraphArgs {
  /** Posts of members that are looked at, from the end where reading begins. */
  readonly maxScanned: number;
}

interface ListScanRow {
  /** As `readEntries` takes them. */
  readonly entries: string | null;
  /** The last post that was looked at; null when there are no more. */
  readonly reached: StatusId | null;
}

/**
 * Of the first `scan` posts of the members, found in an index alone, those that the list shows. Of a member only some
 * posts are read: who wrote more ends the stretch of which all is known.
 */
function scanQuery(direction: 'asc' | 'desc', args: ListScanArgs): RawBuilder<ListScanRow> {
  const order = sql.raw(direction);
  const [farthest, nearest, within, none] =
    direction === 'desc'
      ? [sql`min`, sql`max`, sql`>=`, sql`0`]
      : [sql`max`, sql`min`, sql`<=`, sql`9223372036854775807`];
  const scan = sql`${args.maxScanned}::int`;
  const posts = sql`
    from statuses s where s.account_id = f.target_account_id and s.deleted_at is null
      and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint`;
  return sql<ListScanRow>`
    with members as (${visibleListMembers(sql`m.list_id = ${args.listId}::bigint`)}), heads as materialized (
      select f.*, first.id as head from members f
      cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
      order by first.id ${order} limit ${scan}
    ), most as materialized (
      select greatest(8, least(${scan}, 4 * ${scan} / greatest(count(*), 1))) as posts from heads
    ), stretches as materialized (
      select f.*, array(
        select s.id ${posts}
          and s.id ${within} (select case when count(*) < ${scan} then ${none} else ${farthest}(head) end from heads)
        order by s.id ${order} limit (select posts from most)
      ) as ids from heads f
    ), known as materialized (
      select coalesce(${nearest}(ids[(select posts from most)]), ${none}) as until from stretches
    ), candidates as materialized (
      select f.*, post.id from stretches f cross join unnest(f.ids) as post(id)
      where post.id ${within} (select until from known) order by post.id ${order} limit ${scan}
    ), entries as (
      select s.id, s.reblog_of_id from candidates f join statuses s on s.id = f.id ${involvedAccounts}
      where ${belongsInList(args.now)}
      order by s.id ${order} limit ${args.count}::int
    )
    select
      (select string_agg(id || coalesce(':' || reblog_of_id, ''), ',' order by id ${order}) from entries) as entries,
      (select case
        when count(*) = ${scan} then ${farthest}(id)
        else nullif((select until from known), ${none})
      end from candidates) as reached`;
}

const statement = (direction: 'asc' | 'desc') =>
  preparedQuery<ListScanRow>()((db, args: ListScanArgs) => ({ compile: () => scanQuery(direction, args).compile(db) }));

const statements = { asc: statement('asc'), desc: statement('desc') };

/** Most posts that one statement looks at. */
const maxScannedStatuses = 10_000;

/** Statements that a build waits for: what lies beyond is left to the reading. */
const maxBuildQueries = 6;

interface ListScanResult {
  readonly entries: FeedEntry[];
  /** All before this id is known, and itself; undefined where the list ends. */
  readonly reached: StatusId | undefined;
}

/** Reads on, in ever longer steps, where a list shows little of what its members post. */
async function scanUntilFull(
  direction: 'asc' | 'desc',
  args: ListGraphArgs,
  scanPosts: (args: ListScanArgs) => Promise<ListScanRow | undefined>,
  mostSteps: number,
): Promise<ListScanResult> {
  const entries: FeedEntry[] = [];
  let { after, before } = args;
  for (let scan = Math.ceil(args.count * 1.5), steps = 1; ; scan = Math.min(scan * 4, maxScannedStatuses), steps += 1) {
    const row = await scanPosts({ ...args, after, before, count: args.count - entries.length, maxScanned: scan });
    entries.push(...parseEntries(row?.entries ?? null));
    if (entries.length === args.count) return { entries, reached: entries.at(-1)?.id };
    if (!row?.reached) return { entries, reached: undefined };
    if (steps === mostSteps) return { entries, reached: row.reached };
    if (direction === 'desc') before = row.reached;
    else after = row.reached;
  }
}

/**
 * Up to `count` entries of a list between two ids, from the new end (`desc`) or the old end (`asc`), at the price of a
 * probe for each member. Fewer only where the list ends.
 */
export async function loadFromListGraph(
  app: App,
  direction: 'asc' | 'desc',
  args: ListGraphArgs,
): Promise<FeedEntry[]> {
  const scanPosts = async (scanArgs: ListScanArgs) => (await statements[direction](app, scanArgs))[0];
  return (await scanUntilFull(direction, args, scanPosts, Number.POSITIVE_INFINITY)).entries;
}

/** As `readListGraph`, newest first and as rows, within a transaction; gives up where the list shows very little. */
export async function loadForListBuild(
  { db }: Transaction,
  args: ListGraphArgs,
): Promise<{ rows: EntryRow[]; reached: StatusId | undefined }> {
  const scanPosts = async (scanArgs: ListScanArgs) => (await scanQuery('desc', scanArgs).execute(db)).rows[0];
  const { entries, reached } = await scanUntilFull('desc', args, scanPosts, maxBuildQueries);
  return { rows: entries.map(({ id, reblogOfId }) => ({ id, reblog_of_id: reblogOfId ?? null })), reached };
}
