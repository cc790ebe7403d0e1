// Reports: what local users and other servers report to the staff, with copies of the reported posts.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { cleanUpReportedStatuses } from './clean-up-reported-statuses.ts';
import { anonymizeReportsOfDeletedAccount } from './delete-account-reports.ts';
import { mailStaff } from './mail-staff.ts';

export { reportCreated, reportForwarded, reportUpdated } from './events.ts';
export { parseRules } from './parse-rules.ts';
export { presentReportsById } from './present-reports.ts';
export { reportAccount } from './report-account.ts';
export { resolveReports } from './resolve-reports.ts';
export { routes } from './routes.ts';
export { Report, ReportCategory } from './schema.ts';
export { storeReport } from './store-report.ts';
export { storeRemoteReport } from './store-remote-report.ts';
export type { ReportId, ReportTables } from './tables.ts';

export const subscriptions: readonly Subscription[] = [mailStaff, anonymizeReportsOfDeletedAccount];

export const schedules: readonly Schedule[] = [cleanUpReportedStatuses];
