import type { AccountId } from '../platform/ids.ts';

/** The account of a staff member, or `system` for the command line and the server itself. */
export type Staff = AccountId | 'system';

/** Returns the account of a staff member for an event; null for `system`. */
export const staffAccountId = (staff: Staff): AccountId | null => (staff === 'system' ? null : staff);
