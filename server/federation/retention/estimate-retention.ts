import { sql } from 'kysely';
import { estimateUnusedFiles } from '../../media/proxy/index.ts';
import { estimateOldNotifications } from '../../notifications/index.ts';
import type { App } from '../../platform/app.ts';
import { sampleTable, type Estimate } from '../../platform/database/sample-table.ts';
import { idFromDate, type StatusId } from '../../platform/ids.ts';
import { findNeededStatuses, retentionRule, type RetentionRule } from './find-needed-statuses.ts';
import { findRemovableEdits } from './remove-old-edits.ts';
import { isRemovableStatus } from './remove-old-statuses.ts';
import type { RetentionEstimate } from './schema.ts';

const dayMs = 86_400_000;
/** Statuses that are examined in one statement. */
const batchSize = 500;

/** Ages in days; 0: nothing is deleted. */
export interface RetentionAges {
  readonly remote_post_retention_days: number;
  readonly remote_edit_retention_days: number;
  readonly remote_media_retention_days: number;
  readonly notification_retention_days: number;
}

/**
 * Returns what these ages would delete. Of large tables and caches it examines a part, so that it takes seconds at most
 * with any number of posts.
 */
export function estimateRetention(app: App, ages: RetentionAges): Promise<RetentionEstimate[]> {
  const before = (days: number): Date => new Date(app.clock.now().getTime() - days * dayMs);
  const estimate = async (
    setting: keyof RetentionAges,
    count: (days: number) => Promise<Estimate>,
  ): Promise<RetentionEstimate> => {
    const days = ages[setting];
    const { number, isExact } = days === 0 ? { number: 0, isExact: true } : await count(days);
    return { setting, days, deleted: number, exact: isExact };
  };
  return Promise.all([
    estimate('remote_post_retention_days', (days) => estimateStatuses(app, retentionRule(app, days))),
    estimate('remote_edit_retention_days', (days) => estimateEdits(app, idFromDate(before(days)))),
    estimate('remote_media_retention_days', (days) => estimateUnusedFiles(app, before(days))),
    estimate('notification_retention_days', (days) => estimateOldNotifications(app, days)),
  ]);
}

async function estimateStatuses(app: App, rule: RetentionRule): Promise<Estimate> {
  const sample = await sampleTable(app, 'statuses');
  const { rows } = await sql<{ id: StatusId }>`
    select id from ${sample.rows} where ${isRemovableStatus(rule)}`.execute(app.db);
  const ids = rows.map(({ id }) => id);
  let found = 0;
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    found += batch.length - (await findNeededStatuses(app.db, batch, rule)).size;
  }
  return sample.estimate(found);
}

async function estimateEdits(app: App, cutoff: string): Promise<Estimate> {
  const sample = await sampleTable(app, 'status_edits');
  const rows = await findRemovableEdits(
    app.db,
    sql`select id, status_id from ${sample.rows} where id < ${cutoff}::bigint`,
  );
  return sample.estimate(rows.filter((row) => row.is_removable).length);
}
