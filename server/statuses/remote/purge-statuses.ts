import { sql } from 'kysely';
import { deleteRemoteMedia } from '../../media/remote/index.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { MediaId, StatusId } from '../../platform/ids.ts';
import { repliesChanged, statusChanged } from '../events.ts';

/**
 * Deletes the rows of remote statuses with everything that belongs to them, also their reblogs, so that they can be fetched
 * again. Unlike `deleteStatus`, notifies nobody: neither clients nor other servers. Returns the ids of the deleted rows.
 * The caller has locked the rows and checked that no local user needs them.
 */
export async function purgeRemoteStatuses(tx: Transaction, ids: readonly StatusId[]): Promise<StatusId[]> {
  if (ids.length === 0) return [];
  const { db, emit } = tx;
  const { rows: reblogs } = await sql<{ id: StatusId }>`
    select id from statuses where reblog_of_id = any(${ids}::bigint[])`.execute(db);
  const all = [...new Set([...ids, ...reblogs.map(({ id }) => id)])];
  const { rows: edits } = await sql<{ id: MediaId }>`
    select distinct unnest(media_ids) as id from status_edits where status_id = any(${ids}::bigint[])`.execute(db);
  const changed = await lowerCounters(tx, all);
  await deleteRemoteMedia(
    tx,
    ids,
    edits.map(({ id }) => id),
  );
  const { rows: replies } = await sql<{ parent_id: StatusId }>`
    with purged as (
      delete from statuses where id = any(${all}::bigint[]) and not local returning in_reply_to_id
    )
    select distinct in_reply_to_id as parent_id from purged where in_reply_to_id is not null`.execute(db);
  for (const statusId of [...all, ...changed]) emit(statusChanged({ statusId }));
  for (const { parent_id: statusId } of replies) emit(repliesChanged({ statusId }));
  return all;
}

/**
 * Subtracts replies, reblogs and quotes from the statuses that remain; the servers of remote ones still count them. Returns
 * their ids.
 */
async function lowerCounters({ db }: Transaction, ids: readonly StatusId[]): Promise<StatusId[]> {
  const { rows: quoted } = await sql<{ id: StatusId }>`
    select quoted_status_id as id from quotes
    where status_id = any(${ids}::bigint[]) and state = 'accepted' and quoted_status_id is not null`.execute(db);
  const { rows } = await sql<{ status_id: StatusId }>`
    with purged as (
      select id, in_reply_to_id, reblog_of_id from statuses where id = any(${ids}::bigint[])
    ), lost as (
      select status_id, sum(replied)::int as replied, sum(reblogged)::int as reblogged, sum(quoted)::int as quoted from (
        select in_reply_to_id as status_id, 1 as replied, 0 as reblogged, 0 as quoted from purged
        union all select reblog_of_id, 0, 1, 0 from purged
        union all select id, 0, 0, 1 from unnest(${quoted.map(({ id }) => id)}::bigint[]) as quoted(id)
      ) reference
      where status_id is not null and status_id <> all(${ids}::bigint[]) group by status_id
    ), locked as materialized (
      select status_id from status_stats where status_id in (select status_id from lost) order by status_id for update
    )
    update status_stats stats set replies_count = greatest(stats.replies_count - lost.replied, 0),
      reblogs_count = greatest(stats.reblogs_count - lost.reblogged, 0),
      unseen_replies_count = stats.unseen_replies_count
        + case when origin_counted_at is null then 0 else least(stats.replies_count, lost.replied) end,
      unseen_reblogs_count = stats.unseen_reblogs_count
        + case when origin_counted_at is null then 0 else least(stats.reblogs_count, lost.reblogged) end,
      quotes_count = greatest(stats.quotes_count - lost.quoted, 0), version = stats.version + 1
    from lost join locked using (status_id) where stats.status_id = lost.status_id
    returning stats.status_id`.execute(db);
  return rows.map((row) => row.status_id);
}
