// What staff decided about accounts, as their users read it.
export { presentWarnings } from './present-warnings.ts';
export { AccountWarning, type WarningId } from './schema.ts';
