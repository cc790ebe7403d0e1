// Auxiliary services: providers (FASP) that staff register for tasks such as search across many servers.
import type { Route } from '../platform/http/routes.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteFoundAccounts } from './accounts/delete-accounts.ts';
import { requestRecommendations } from './accounts/recommend-accounts.ts';
import { searchAtProviders } from './accounts/search-accounts.ts';
import { announceCapability } from './calls/announce-capability.ts';
import { refreshProvider, refreshProviders } from './calls/refresh-provider.ts';
import { sendTestCall } from './calls/send-test-call.ts';
import { incomingRoutes } from './incoming/routes.ts';
import { staffRoutes } from './routes.ts';
import { sendBackfill } from './sharing/backfills.ts';
import { sendAnnouncements } from './sharing/send-announcements.ts';
import { sharingReactions } from './sharing/sharing-reactions.ts';
import { withdrawPosts } from './sharing/withdraw-posts.ts';
import { fetchAllTrends, fetchTrends } from './trends/fetch-trends.ts';

export { queueRecommendations } from './accounts/recommend-accounts.ts';
export { listProviderResults, queueAccountSearch } from './accounts/search-accounts.ts';
export { providersChanged } from './events.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [...incomingRoutes, ...staffRoutes];

export const subscriptions: readonly Subscription[] = [
  refreshProvider.subscription,
  announceCapability.subscription,
  sendTestCall.subscription,
  searchAtProviders.subscription,
  requestRecommendations.subscription,
  deleteFoundAccounts,
  ...sharingReactions,
  sendAnnouncements.subscription,
  sendBackfill.subscription,
  withdrawPosts.subscription,
  fetchTrends.subscription,
];

export const schedules: readonly Schedule[] = [refreshProviders, fetchAllTrends];
