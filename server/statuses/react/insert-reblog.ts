import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
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
}

/**
 * Stores and counts a reblog. Returns false without a change if the account already reblogs the status or the uri is
 * taken.
 */
export async function insertReblog(tx: Transaction, reblog: NewReblog): Promise<boolean> {
  const { rows } = await sql<CounterRow>`
    with reblog as (
      insert into statuses (id, account_id, uri, url, local, visibility, reblog_of_id, application_id, created_at)
      values (${reblog.id}, ${reblog.accountId}, ${reblog.uri}, ${reblog.uri}, ${reblog.local}, ${reblog.visibility},
        ${reblog.reblogOfId}, ${reblog.applicationId}, ${reblog.createdAt})
      on conflict do nothing
      returning reblog_of_id
    )
    insert into status_stats (status_id, reblogs_count) select reblog_of_id, 1 from reblog
    on conflict (status_id) do update
      set reblogs_count = status_stats.reblogs_count + 1, version = status_stats.version + 1
    returning ${counterColumns}`.execute(tx.db);
  if (rows.length === 0) return false;
  adjustAccountStats(tx, [{ accountId: reblog.accountId, statuses: 1, lastStatusAt: reblog.createdAt.toISOString() }]);
  for (const counters of rows.map(buildCounters)) tx.emit(statusCountersChanged(counters));
  const { id: statusId, reblogOfId, accountId } = reblog;
  tx.emit(statusReblogged({ statusId, reblogOfId, accountId }));
  return true;
}

/** Marks a reblog as deleted and updates the counters. Returns false if it was already deleted. */
export async function deleteReblog(
  tx: Transaction,
  app: App,
  reblog: { readonly id: StatusId; readonly accountId: AccountId; readonly reblogOfId: StatusId },
): Promise<boolean> {
  const { id, accountId, reblogOfId } = reblog;
  const { rows } = await sql`
    with reblog as (
      update statuses set deleted_at = ${app.clock.now()} where id = ${id} and deleted_at is null returning id
    ), counted as (
      update status_stats set reblogs_count = greatest(reblogs_count - 1, 0), version = version + 1
      where status_id = ${reblogOfId} and exists (select from reblog)
    )
    select id from reblog`.execute(tx.db);
  if (rows.length === 0) return false;
  adjustAccountStats(tx, [{ accountId, statuses: -1 }]);
  for (const statusId of [id, reblogOfId]) tx.emit(statusChanged({ statusId }));
  tx.emit(statusUnreblogged({ statusId: id, reblogOfId, accountId }));
  return true;
}
