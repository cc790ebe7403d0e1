// What staff do with reports. The callers check permissions and write the audit log.
export { assignReport, changeCategory, reopenReport, resolveReport } from './change-report.ts';
export { forwardReport } from './forward-report.ts';
export { listReports, type ReportFilters } from './list-reports.ts';
export { lockReport, type ReportRow } from './lock-report.ts';
