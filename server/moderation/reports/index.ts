// Reports: what staff see of them and do with them.
export { addReportNote, listReportNotes } from './report-notes.ts';
export { assignReport, forwardReport, reopenReport, resolveReport, updateReport } from './review-report.ts';
export { listReportedStatuses } from './present-copies.ts';
export { presentAdminReport, presentAdminReports } from './present-admin-reports.ts';
export { AdminReport } from './schema.ts';
