import type { AccountId } from '../platform/ids.ts';

/** Who decides: the account of a staff member, or `system` for the command line and for the server itself. */
export type Staff = AccountId | 'system';

/** The account of a staff member for an event; null for `system`. */
export const staffAccountId = (staff: Staff): AccountId | null => (staff === 'system' ? null : staff);
