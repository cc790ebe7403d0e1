import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusCountersChanged } from '../events.ts';
import { buildCounters, counterColumns, type CounterRow } from '../read/status-counters.ts';
import { isCountedReplySql } from '../visibility/visibility-sql.ts';
import type { OriginCounts } from './remote-status.ts';

/** The counts that the server of a remote status sent. */
export interface CountedStatus {
  readonly statusId: StatusId;
  readonly counts: OriginCounts;
}

/** Time within which a local reaction may not have reached the server of the status, or its caches. */
const deliveryMs = 5 * 60_000;

/** Like `recordOriginCounts`, in a transaction of its own. */
export async function storeOriginCounts(app: App, list: readonly CountedStatus[]): Promise<void> {
  if (list.length > 0) await transaction(app, (tx) => recordOriginCounts(tx, app, list));
}

/**
 * Stores the counts that the servers of remote statuses sent, as what they exceed the reactions that are known here. Ignores
 * local statuses. Recent local reactions, which a server may not have counted yet, stay counted.
 */
export async function recordOriginCounts(
  { db, emit }: Transaction,
  app: App,
  list: readonly CountedStatus[],
): Promise<void> {
  const byStatus = [...new Map(list.map((each) => [each.statusId, each.counts]))];
  const now = app.clock.now();
  const since = sql`${new Date(now.getTime() - deliveryMs)}::timestamptz`;
  const recentReplies = sql`(select count(*) from statuses reply where reply.in_reply_to_id = stats.status_id and reply.local
    and reply.deleted_at is null and reply.created_at > ${since}
    and ${isCountedReplySql(sql`reply.visibility`, sql`stats.status_id`)})`;
  const recentReblogs = sql`(select count(*) from statuses reblog where reblog.reblog_of_id = stats.status_id
    and reblog.local and reblog.deleted_at is null and reblog.created_at > ${since})`;
  const recentFavourites = sql`(select count(*) from favourites favourite where favourite.status_id = stats.status_id
    and favourite.created_at > ${since})`;
  const { rows } = await sql<CounterRow>`
    insert into status_stats as stats (status_id, unseen_replies_count, unseen_reblogs_count, unseen_favourites_count,
      origin_counted_at)
    select id, replies, reblogs, favourites, ${now}::timestamptz
    from unnest(${byStatus.map(([id]) => id)}::bigint[], ${countsOf(byStatus, 'replies')}::int[],
        ${countsOf(byStatus, 'reblogs')}::int[], ${countsOf(byStatus, 'favourites')}::int[])
      as counted(id, replies, reblogs, favourites)
      join statuses using (id)
    where not statuses.local and statuses.deleted_at is null
    order by id
    on conflict (status_id) do update set
      unseen_replies_count = ${unseenSql('replies', recentReplies)},
      unseen_reblogs_count = ${unseenSql('reblogs', recentReblogs)},
      unseen_favourites_count = ${unseenSql('favourites', recentFavourites)},
      origin_counted_at = excluded.origin_counted_at, version = stats.version + 1
    returning ${counterColumns}`.execute(db);
  for (const row of rows) emit(statusCountersChanged(buildCounters(row)));
}

type Counter = keyof OriginCounts;

const countsOf = (list: readonly (readonly [StatusId, OriginCounts])[], name: Counter): (number | null)[] =>
  list.map(([, counts]) => counts[name] ?? null);

/**
 * Returns what a server counts in addition to the reactions that are known here, from its new count (`excluded`). `recent`:
 * how many of those known here it may not have counted yet; the number does not fall because of them. Without a new count,
 * the earlier one stays.
 */
function unseenSql(name: Counter, recent: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = `unseen_${name}_count`;
  const before = sql.ref(`stats.${column}`);
  const now = sql`(${sql.ref(`excluded.${column}`)} - ${sql.ref(`stats.${name}_count`)})`;
  return sql`greatest(${now}, least(coalesce(${before}, ${now}), coalesce(${now}, ${before}) + ${recent}))`;
}
