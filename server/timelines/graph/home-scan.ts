import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { compareIds, type AccountId, type StatusId } from '../../platform/ids.ts';
import type { FeedEntry } from '../read/hide-repeats.ts';
import { belongsInHome, involvedAccounts } from './belongs-in-home.ts';
import { homeSources } from './follow-graph.ts';
import { nearbyStatuses } from './nearby-statuses.ts';
import { tagGraphQuery } from './tag-graph.ts';

type Direction = 'asc' | 'desc';

/** A range of a home feed. */
interface HomeRange {
  readonly accountId: AccountId;
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
  readonly count: number;
}

interface ScanArgs extends HomeRange {
  /** Statuses of followed accounts to scan, from the end where reading starts. */
  readonly maxScanned: number;
  readonly now: Date;
}

interface ScanRow {
  readonly id: StatusId;
  readonly reblog_of_id: StatusId | null;
  readonly belongs: boolean;
  readonly is_by_tag: boolean;
}

const maxScannedStatuses = 5_000;

/**
 * Selects the first `maxScanned` statuses of the followed accounts, with whether they belong in the feed, and those with
 * followed hashtags. If the followed accounts wrote enough of the neighbouring statuses, these are all that is read; else
 * one probe per account finds where to read.
 */
function scanQuery(direction: Direction, args: ScanArgs): RawBuilder<ScanRow> {
  const order = sql.raw(direction);
  const { accountId, after, before, count, now } = args;
  const scan = sql`${args.maxScanned}::int`;
  const isInRange = sql`s.id > ${after}::bigint and s.id < ${before}::bigint`;
  const posts = sql`from statuses s where s.account_id = f.target_account_id and s.deleted_at is null and ${isInRange}`;
  const isWithin =
    direction === 'desc'
      ? sql`s.id >= (select case when count(*) < ${scan} then 0 else min(head) end from heads)`
      : sql`s.id <= (select case when count(*) < ${scan} then 9223372036854775807 else max(head) end from heads)`;
  return sql<ScanRow>`
    with sources as materialized (${homeSources(accountId)}), nearby as materialized (
      ${nearbyStatuses({ isInRange, direction, scan })}
    ), heads as materialized (
      select f.*, first.id as head from sources f
      cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
      where (select count(*) from nearby) < ${scan}
      order by first.id ${order} limit ${scan}
    ), candidates as materialized (
      select account_id, target_account_id, show_reblogs, languages, status_id from nearby
      where (select count(*) from nearby) = ${scan}
      union all (
        select f.account_id, f.target_account_id, f.show_reblogs, f.languages, post.id from heads f
        cross join lateral (select s.id ${posts} and ${isWithin} order by s.id ${order} limit ${scan}) post
        order by post.id ${order} limit ${scan})
    )
    select s.id, s.reblog_of_id, ${belongsInHome(now)} as belongs, false as is_by_tag
    from candidates f join statuses s on s.id = f.status_id ${involvedAccounts}
    union all
    select id, reblog_of_id, true, true
    from (${tagGraphQuery(direction, { accountId, after, before, count, now, tags: null })}) by_tags`;
}

const statement = (direction: Direction) =>
  preparedQuery<ScanRow>()((db, args: ScanArgs) => ({ compile: () => scanQuery(direction, args).compile(db) }));

const statements = { asc: statement('asc'), desc: statement('desc') };

/**
 * Loads a range of a home feed from the followed accounts and hashtags, at any depth, in ever larger batches. Returns
 * fewer than `count` entries only where the feed ends.
 */
export async function scanHome(app: App, direction: Direction, range: HomeRange): Promise<FeedEntry[]> {
  const isFarther = (a: StatusId, b: StatusId) => (direction === 'desc' ? compareIds(a, b) < 0 : compareIds(a, b) > 0);
  const entries: FeedEntry[] = [];
  let maxScanned = Math.ceil(range.count * 1.5);
  for (let rest: HomeRange | undefined = range; rest !== undefined;) {
    const rows: readonly ScanRow[] = await statements[direction](app, { ...rest, maxScanned, now: app.clock.now() });
    const sorted = rows.toSorted((a, b) => (a.id === b.id ? 0 : isFarther(a.id, b.id) ? 1 : -1));
    const ends: StatusId[] = [
      lastOfFull(
        sorted.filter(({ is_by_tag }) => !is_by_tag),
        maxScanned,
      ),
      lastOfFull(
        sorted.filter(({ is_by_tag }) => is_by_tag),
        rest.count,
      ),
    ].filter((id) => id !== undefined);
    // Both parts are complete up to the nearer of their ends.
    const reached: StatusId | undefined = ends.toSorted((a, b) => (isFarther(a, b) ? 1 : -1))[0];
    const found = sorted.filter(({ id, belongs }) => belongs && (reached === undefined || !isFarther(id, reached)));
    const byId = new Map(found.map(({ id, reblog_of_id }) => [id, { id, reblogOfId: reblog_of_id ?? undefined }]));
    entries.push(...byId.values());
    const count = range.count - entries.length;
    const bound = direction === 'desc' ? 'before' : 'after';
    rest = count > 0 && reached !== undefined ? { ...rest, count, [bound]: reached } : undefined;
    maxScanned = Math.min(maxScanned * 4, maxScannedStatuses);
  }
  return entries.slice(0, range.count);
}

/** Returns the last id of a part if there may be more. */
const lastOfFull = (rows: readonly ScanRow[], limit: number): StatusId | undefined =>
  rows.length >= limit ? rows.at(-1)?.id : undefined;
