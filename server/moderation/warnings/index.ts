// Decisions of staff about accounts, presented to their users.
export { presentWarnings } from './present-warnings.ts';
export { AccountWarning, type WarningId } from './schema.ts';
