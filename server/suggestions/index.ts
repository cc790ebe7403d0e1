// Suggestions: accounts that a user may want to follow.
import type { Subscription } from '../platform/events/subscriptions.ts';
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { deleteAccountSuggestions } from './dismiss-suggestion.ts';
import { refreshPopularAccounts } from './refresh-popular-accounts.ts';

export { routes } from './routes.ts';

export const subscriptions: readonly Subscription[] = [deleteAccountSuggestions];

export const schedules: readonly Schedule[] = [refreshPopularAccounts];
