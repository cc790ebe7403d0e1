// Decisions of staff about accounts, presented to their users.
export { listStrikes } from './list-strikes.ts';
export { presentWarnings } from './present-warnings.ts';
export { AccountWarning, type WarningId } from './schema.ts';
