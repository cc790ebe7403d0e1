import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { ListId, StatusId } from '../../platform/ids.ts';
import { involvedAccounts } from './belongs-in-home.ts';
import { belongsInList, visibleListMembers } from './belongs-in-list.ts';
import { nearbyStatuses } from './nearby-statuses.ts';
import { parseEntries } from '../feeds/feed-tables.ts';
import type { FeedEntry } from '../read/hide-repeats.ts';
import type { EntryRow } from './walk-sources.ts';

type Direction = 'asc' | 'desc';

/** A range of a list, read from the statuses of its members instead of the stored feed. */
export interface ListGraphArgs {
  readonly listId: ListId;
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

interface ListScanArgs extends ListGraphArgs {
  /** Statuses of members to scan, from the end where reading starts. */
  readonly maxScanned: number;
}

interface ListScanRow {
  /** As `parseEntries` takes them. */
  readonly entries: string | null;
  /** The last id scanned; null where the list ends. */
  readonly reached: StatusId | null;
}

const memberColumns = sql`f.list_id, f.replies_policy, f.account_id, f.target_account_id, f.show_reblogs, f.languages`;

/**
 * Selects what the list shows of the first `maxScanned` statuses of its members. If the members wrote enough of the
 * neighbouring statuses, these are all that is read; else one index finds those of each member. Only some statuses of each
 * member are read then; a member with more limits the range that the result covers.
 */
function scanQuery(direction: Direction, args: ListScanArgs): RawBuilder<ListScanRow> {
  const order = sql.raw(direction);
  const [farthest, nearest, isWithin, none] =
    direction === 'desc'
      ? [sql`min`, sql`max`, sql`>=`, sql`0`]
      : [sql`max`, sql`min`, sql`<=`, sql`9223372036854775807`];
  const scan = sql`${args.maxScanned}::int`;
  const isInRange = sql`s.id > ${args.after}::bigint and s.id < ${args.before}::bigint`;
  const posts = sql`from statuses s where s.account_id = f.target_account_id and s.deleted_at is null and ${isInRange}`;
  return sql<ListScanRow>`
    with sources as materialized (
      ${visibleListMembers(sql`m.list_id = ${args.listId}::bigint`)}
    ), nearby as materialized (
      ${nearbyStatuses({ isInRange, direction, scan })}
    ), heads as materialized (
      select f.*, first.id as head from sources f
      cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
      where (select count(*) from nearby) < ${scan}
      order by first.id ${order} limit ${scan}
    ), per_member as materialized (
      select greatest(8, least(${scan}, 4 * ${scan} / greatest(count(*), 1))) as posts from heads
    ), scans as materialized (
      select f.*, array(
        select s.id ${posts}
          and s.id ${isWithin} (select case when count(*) < ${scan} then ${none} else ${farthest}(head) end from heads)
        order by s.id ${order} limit (select posts from per_member)
      ) as ids from heads f
    ), covered as materialized (
      select coalesce(${nearest}(ids[(select posts from per_member)]), ${none}) as until from scans
    ), candidates as materialized (
      select ${memberColumns}, status_id from nearby f where (select count(*) from nearby) = ${scan}
      union all (
        select ${memberColumns}, post.id from scans f cross join unnest(f.ids) as post(id)
        where post.id ${isWithin} (select until from covered) order by post.id ${order} limit ${scan})
    ), entries as (
      select s.id, s.reblog_of_id from candidates f join statuses s on s.id = f.status_id ${involvedAccounts}
      where ${belongsInList(args.now)}
      order by s.id ${order} limit ${args.count}::int
    )
    select
      (select string_agg(id || coalesce(':' || reblog_of_id, ''), ',' order by id ${order}) from entries) as entries,
      (select case
        when count(*) = ${scan} then ${farthest}(status_id)
        else nullif((select until from covered), ${none})
      end from candidates) as reached`;
}

const statement = (direction: Direction) =>
  preparedQuery<ListScanRow>()((db, args: ListScanArgs) => ({ compile: () => scanQuery(direction, args).compile(db) }));

const statements = { asc: statement('asc'), desc: statement('desc') };

/** Statuses that one statement scans at most. */
const maxScannedStatuses = 10_000;

/** Statements of a build at most. A feed that they do not fill is complete only as far as they reached. */
const maxBuildQueries = 6;

/** A scan of a list in ever larger batches, for lists that show few of the statuses of their members. */
class ListScan {
  readonly entries: FeedEntry[] = [];
  /** The last id scanned, up to which all entries are found; undefined once the list has ended. */
  reached: StatusId | undefined;
  readonly #direction: Direction;
  #args: ListScanArgs;
  #isDone = false;

  constructor(direction: Direction, args: ListGraphArgs) {
    this.#direction = direction;
    this.#args = { ...args, maxScanned: Math.ceil(args.count * 1.5) };
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Arguments of the next statement. */
  get args(): ListScanArgs {
    return this.#args;
  }

  add(row: ListScanRow | undefined): void {
    const found = parseEntries(row?.entries ?? null);
    this.entries.push(...found);
    const isFull = found.length === this.#args.count;
    this.reached = isFull ? found.at(-1)?.id : (row?.reached ?? undefined);
    this.#isDone = isFull || this.reached === undefined;
    if (this.reached === undefined) return;
    this.#args = {
      ...this.#args,
      [this.#direction === 'desc' ? 'before' : 'after']: this.reached,
      count: this.#args.count - found.length,
      maxScanned: Math.min(this.#args.maxScanned * 4, maxScannedStatuses),
    };
  }
}

/**
 * Returns up to `count` entries of a list between two ids, from the new end (`desc`) or the old end (`asc`). Fewer only
 * where the list ends.
 */
export async function loadFromListGraph(app: App, direction: Direction, args: ListGraphArgs): Promise<FeedEntry[]> {
  const scan = new ListScan(direction, args);
  while (!scan.isDone) scan.add((await statements[direction](app, scan.args))[0]);
  return scan.entries;
}

/** Returns the newest rows of a list within a transaction, and the last id scanned; undefined where the list ends. */
export async function loadForListBuild(
  { db }: Transaction,
  args: ListGraphArgs,
): Promise<{ rows: EntryRow[]; reached: StatusId | undefined }> {
  const scan = new ListScan('desc', args);
  for (let queries = 0; queries < maxBuildQueries && !scan.isDone; queries += 1) {
    scan.add((await scanQuery('desc', scan.args).execute(db)).rows[0]);
  }
  const rows = scan.entries.map(({ id, reblogOfId }) => ({ id, reblog_of_id: reblogOfId ?? null }));
  return { rows, reached: scan.reached };
}
