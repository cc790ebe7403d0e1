import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { countsRefreshRequested, statusCountersChanged } from '../events.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { buildCounters, counterColumns, type CounterRow } from '../read/status-counters.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

/** Age of counts that are refreshed, and of the statuses that have none yet. */
const maxAgeMs = 15 * 60_000;
/** Statuses that one view refreshes; the next view refreshes others. */
const maxStatuses = 20;

/**
 * Queues a refresh of the outdated counts of public and unlisted remote statuses, or of the originals of reblogs, that a
 * signed-in viewer sees.
 */
export async function queueCountsRefresh(app: App, ids: readonly StatusId[]): Promise<void> {
  if (!app.config.REFRESH_COUNTS || ids.length === 0) return;
  const statuses = [...(await loadCachedStatuses(app, ids)).values()];
  const originals = await loadCachedStatuses(
    app,
    statuses.map(({ id, reblogOfId }) => reblogOfId ?? id),
  );
  const outdatedAt = app.clock.now().getTime() - maxAgeMs;
  const outdated = [...originals.values()].filter((status) => isOutdated(status, outdatedAt)).slice(0, maxStatuses);
  if (outdated.length === 0) return;
  await transaction(app, async ({ db, emit }) => {
    // Other requests, and those of other processes, skip these.
    const { rows } = await sql<CounterRow>`
      insert into status_stats as stats (status_id, origin_counted_at)
      select id, ${app.clock.now()}::timestamptz from statuses
      where id = any(${outdated.map(({ id }) => id)}::bigint[]) order by id
      on conflict (status_id) do update set origin_counted_at = excluded.origin_counted_at, version = stats.version + 1
      where stats.origin_counted_at is null or stats.origin_counted_at <= ${new Date(outdatedAt)}::timestamptz
      returning ${counterColumns}`.execute(db);
    for (const row of rows) emit(statusCountersChanged(buildCounters(row)));
    const statusIds = rows.map((row) => row.status_id);
    if (statusIds.length > 0) emit(countsRefreshRequested({ statusIds }));
  });
}

const isOutdated = ({ local, visibility, createdAt, counters }: CachedStatus, outdatedAt: number): boolean =>
  !local &&
  isPublicOrUnlisted(visibility) &&
  Math.max(createdAt.getTime(), counters.originCountedAt ?? 0) <= outdatedAt;
