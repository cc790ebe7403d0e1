import { within, type Subscription } from '../platform/jobs/events.ts';
import { dropAccountsAfter } from './account-cache.ts';
import { accountStatsChanged } from './events.ts';

/** Counters are part of an account's JSON: whoever changes them has it read anew. */
export const cacheDrops: Subscription[] = [
  within(accountStatsChanged, 'accounts.drop-counted', async (write, app, { accountIds }) => {
    dropAccountsAfter(write, app, accountIds);
  }),
];
