// Suggestions: accounts that a user may want to follow.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { deleteAccountSuggestions } from './dismiss-suggestion.ts';
import { refreshPopularAccounts } from './refresh-popular-accounts.ts';

export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [deleteAccountSuggestions];

export const schedules: readonly Schedule[] = [refreshPopularAccounts];
