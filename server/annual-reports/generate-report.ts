import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { findRefresh, finishRefresh, refreshHeader, startRefresh, type RefreshKey } from '../refreshes/index.ts';
import { buildReport } from './build-report.ts';
import { currentCampaign } from './campaign.ts';
import { findReport } from './find-reports.ts';
import { isEligible, type AccountYear } from './posts-of-year.ts';
import { writable } from './tables.ts';

/** Form of the data of new reports (reference/entities.tsv, AnnualReport). */
const schemaVersion = 2;
/** Seconds after which clients ask for the progress. */
const retrySeconds = 2;

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible';

const refreshKey = ({ accountId, year }: AccountYear): RefreshKey => `annual_report:${accountId}:${year}`;

/** Returns the header by which clients follow the generation of a report. */
export const reportRefreshHeader = (app: App, accountYear: AccountYear): Promise<Record<string, string>> =>
  refreshHeader(app, refreshKey(accountYear), { retrySeconds });

/** Returns whether a report exists, is being generated, or can be generated now. */
export async function loadReportState(app: App, accountYear: AccountYear): Promise<ReportState> {
  if ((await findReport(app, accountYear)) !== undefined) return 'available';
  if ((await findRefresh(app, refreshKey(accountYear)))?.isRunning === true) return 'generating';
  const isInCampaign = (await currentCampaign(app)) === accountYear.year;
  return isInCampaign && (await isEligible(app, accountYear)) ? 'eligible' : 'ineligible';
}

/** Queues the generation of a report. Returns false outside the campaign of the year, or if the report exists. */
export async function requestReport(app: App, accountYear: AccountYear): Promise<boolean> {
  if ((await currentCampaign(app)) !== accountYear.year) return false;
  if ((await findReport(app, accountYear)) !== undefined) return false;
  await transaction(app, async (tx) => {
    if (await startRefresh(tx, app, refreshKey(accountYear))) tx.enqueue(generateReport({ ...accountYear }));
  });
  return true;
}

/** Generates and stores a report. No-op if it exists, or the account was deleted. */
export const generateReport = defineJob(
  'annual_report.generate',
  Type.Object({ accountId: idSchema<'account'>(), year: Type.Integer() }),
  async (app, { accountId, year }) => {
    const data = await buildReport(app, { accountId, year });
    await transaction(app, async (tx) => {
      const account = await tx.db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .where('deleted_at', 'is', null)
        .forShare()
        .executeTakeFirst();
      if (account !== undefined) {
        const now = app.clock.now();
        await writable(tx.db)
          .insertInto('annual_reports')
          .values({
            account_id: accountId,
            year,
            schema_version: schemaVersion,
            data: JSON.stringify(data),
            share_key: randomBytes(12).toString('hex'),
            created_at: now,
          })
          .onConflict((conflict) => conflict.columns(['account_id', 'year']).doNothing())
          .execute();
      }
      await finishRefresh(tx, app, refreshKey({ accountId, year }));
    });
  },
  'background',
);
