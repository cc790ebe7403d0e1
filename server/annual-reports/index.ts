// Annual reports: what an account did in a year, generated in December when its user asks for it.
import { accountDeleted } from '../accounts/index.ts';
import { inTransaction } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { generateReport } from './generate-report.ts';
import { writable } from './tables.ts';

export { currentCampaign } from './campaign.ts';
export type { ReportRow } from './find-reports.ts';
export { findSharedReport } from './find-shared-report.ts';
export { routes } from './routes.ts';
export type { Archetype } from './tables.ts';

export const subscriptions: readonly Subscription[] = [
  generateReport.subscription,
  inTransaction([accountDeleted], {
    run: async ({ db }, _app, { accountId }) => {
      await writable(db).deleteFrom('annual_reports').where('account_id', '=', accountId).execute();
    },
  }),
];
