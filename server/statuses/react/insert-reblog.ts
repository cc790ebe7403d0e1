import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, ApplicationId, StatusId } from '../../platform/ids.ts';
import { statusChanged, statusCountersChanged, statusReblogged, statusUnreblogged } from '../events.ts';
import { counterColumns, buildCounters, type CounterRow } from '../read/status-counters.ts';
import type { Visibility } from '../tables.ts';

export interface NewReblog {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly reblogOfId: StatusId;
  readonly uri: string;
  readonly local: boolean;
  readonly visibility: Visibility;
  readonly applicationId: ApplicationId | null;
  readonly createdAt: Date;
  /** Read from the outbox of its author, not delivered. */
  readonly backfilled?: boolean | undefined;
}

export interface ReblogKey {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly reblogOfId: StatusId;
}

/**
 * Stores and counts a reblog, together with others. Returns false without a change if the account already reblogs the
 * status or the uri is taken.
 */
export const storeReblog = groupCommit<NewReblog, boolean>(async (tx, _app, reblogs) => {
  const stored = await insertReblogs(tx, reblogs);
  return reblogs.map((reblog) => stored.has(reblog));
});

/** Like `storeReblog`, in an open transaction. */
export async function insertReblog(tx: Transaction, reblog: NewReblog): Promise<boolean> {
  return (await insertReblogs(tx, [reblog])).has(reblog);
}

/** Stores and counts reblogs in one statement. Returns those that were stored. */
async function insertReblogs(tx: Transaction, reblogs: readonly NewReblog[]): Promise<ReadonlySet<NewReblog>> {
  // Random ids may be equal; the later reblog is not stored.
  const byId = new Map(reblogs.toReversed().map((reblog) => [reblog.id, reblog]));
  const records = [...byId.values()];
  const { rows } = await sql<CounterRow & { id: StatusId; originalLocal: boolean }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(records)}::json) as input(id bigint, "accountId" bigint,
        "reblogOfId" bigint, uri text, local boolean, visibility text, "applicationId" bigint, "createdAt" timestamptz,
        backfilled boolean)
    ), reblog as (
      insert into statuses (id, account_id, uri, url, local, visibility, reblog_of_id, application_id, created_at,
        backfilled)
      select id, "accountId", uri, uri, local, visibility, "reblogOfId", "applicationId", "createdAt",
        coalesce(backfilled, false)
      from input
      on conflict do nothing
      returning id, reblog_of_id, local
    ), counted as (
      insert into status_stats (status_id, reblogs_count, unseen_reblogs_count)
      select reblog_of_id, count(*), -count(*) filter (where not local)
      from reblog group by reblog_of_id order by reblog_of_id
      on conflict (status_id) do update set
        reblogs_count = status_stats.reblogs_count + excluded.reblogs_count,
        unseen_reblogs_count = status_stats.unseen_reblogs_count + excluded.unseen_reblogs_count,
        version = status_stats.version + 1
      returning ${counterColumns}
    )
    select reblog.id, original.local as "originalLocal", ${counterColumns}
    from reblog join counted on counted.status_id = reblog.reblog_of_id
      join statuses original on original.id = reblog.reblog_of_id`.execute(tx.db);
  const originalLocal = new Map(rows.map((row) => [row.id, row.originalLocal]));
  const stored = reblogs.filter((reblog) => originalLocal.has(reblog.id) && byId.get(reblog.id) === reblog);
  adjustAccountStats(
    tx,
    stored.map(({ accountId, createdAt, backfilled }) => ({
      accountId,
      ...(backfilled !== true && { statuses: 1 }),
      lastStatusAt: createdAt.toISOString(),
    })),
  );
  emitCounters(tx, rows);
  const delivered = stored.filter(({ backfilled }) => backfilled !== true);
  for (const { id: statusId, reblogOfId, accountId, local } of delivered)
    tx.emit(
      statusReblogged({ statusId, reblogOfId, accountId, local, originalLocal: originalLocal.get(statusId) === true }),
    );
  return new Set(stored);
}

/** Emits the counters of each status once. */
function emitCounters(tx: Transaction, rows: readonly CounterRow[]): void {
  const byStatus = new Map(rows.map((row) => [row.status_id, row]));
  for (const row of byStatus.values()) tx.emit(statusCountersChanged(buildCounters(row)));
}

/** Undoes a reblog, together with others. Returns false if it was already deleted. */
export const undoReblog = groupCommit<ReblogKey, boolean>(async (tx, app, reblogs) => {
  const deleted = await deleteReblogs(tx, app, reblogs);
  return reblogs.map(({ id }) => deleted.has(id));
});

/** Like `undoReblog`, in an open transaction. */
export async function deleteReblog(tx: Transaction, app: App, reblog: ReblogKey): Promise<boolean> {
  return (await deleteReblogs(tx, app, [reblog])).has(reblog.id);
}

/** Marks reblogs as deleted and updates the counters in one statement. Returns the ids of those that were not yet deleted. */
async function deleteReblogs(tx: Transaction, app: App, reblogs: readonly ReblogKey[]): Promise<ReadonlySet<StatusId>> {
  const { rows } = await sql<{ id: StatusId; uri: string }>`
    with reblog as (
      update statuses set deleted_at = ${app.clock.now()}
      where id = any(${reblogs.map(({ id }) => id)}::bigint[]) and deleted_at is null
      returning id, uri, reblog_of_id
    ), locked as materialized (
      select status_id from status_stats where status_id in (select reblog_of_id from reblog) order by status_id
      for update
    ), counted as (
      update status_stats as stats
      set reblogs_count = greatest(stats.reblogs_count - undone.count, 0), version = stats.version + 1
      from (select reblog_of_id, count(*)::int as count from reblog group by reblog_of_id) as undone, locked
      where stats.status_id = undone.reblog_of_id and locked.status_id = undone.reblog_of_id
    )
    select id, uri from reblog`.execute(tx.db);
  const byId = new Map(reblogs.map((reblog) => [reblog.id, reblog]));
  const gone = rows.flatMap(({ id, uri }) => {
    const reblog = byId.get(id);
    return reblog === undefined ? [] : [{ ...reblog, uri }];
  });
  adjustAccountStats(
    tx,
    gone.map(({ accountId }) => ({ accountId, statuses: -1 })),
  );
  for (const statusId of new Set(gone.flatMap(({ id, reblogOfId }) => [id, reblogOfId])))
    tx.emit(statusChanged({ statusId }));
  for (const { id: statusId, reblogOfId, accountId, uri } of gone)
    tx.emit(statusUnreblogged({ statusId, reblogOfId, accountId, uri }));
  return new Set(rows.map(({ id }) => id));
}
