import { sql } from 'kysely';
import { transaction } from '../platform/write/transaction.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';

const batchSize = 500;
const dayMs = 86_400_000;
/** After a report was resolved, for appeals. */
const resolvedRetentionDays = 30;
/** After the reported account was deleted. */
const deletedRetentionDays = 90;

/** Deletes the copies of reported posts when the staff no longer need them, in batches. */
export const cleanUpReportedStatuses: Schedule = {
  name: 'report.clean_up_statuses',
  pattern: '41 3 * * *',
  async run(app) {
    const before = (days: number): Date => new Date(app.clock.now().getTime() - days * dayMs);
    for (let deletedCount = batchSize; deletedCount === batchSize;) {
      deletedCount = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from reported_statuses where (report_id, status_id) in (
            select copy.report_id, copy.status_id from reported_statuses copy
              join reports on reports.id = copy.report_id
              join accounts target on target.id = reports.target_account_id
            where reports.action_taken_at < ${before(resolvedRetentionDays)}
              or target.deleted_at < ${before(deletedRetentionDays)}
            limit ${batchSize})
          returning report_id`.execute(db);
        return rows.length;
      });
    }
  },
};
