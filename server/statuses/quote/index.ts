// Quoting statuses.
export { lockQuotableStatus } from './quote-status.ts';
