import type { AnyCache } from '../platform/write/subscriptions.ts';
import { outgoingCache, incomingCache } from './delivery/followers-digest.ts';
import { pausedHostsCache } from './delivery/paused-hosts.ts';
import { remoteFollowers } from './delivery/remote-recipients.ts';
import { subscribedCache } from './delivery/subscribed-relays.ts';
import { recentProofs } from './ed25519-hosts.ts';
import { actorFlight, handleFlight, recentRefreshes } from './fetch/resolve-account.ts';
import { plainHosts, rfc9421Hosts } from './fetch/fetch-document.ts';
import { collectionFlight } from './fetch/resolve-collection.ts';
import { statusFlight } from './fetch/resolve-status.ts';
import { lrddTemplates } from './fetch/webfinger.ts';
import { healthyHosts, reachedHosts } from './host-health.ts';
import { backlogs } from './inbox/backlog.ts';
import { lastChecks } from './inbox/recheck-suspension.ts';
import { keyCache, keyFlight, recentRefetches } from './keys/find-key.ts';
import { knownSenders } from './keys/stranger-budget.ts';
import { usageCache } from './serving/nodeinfo-routes.ts';
import { recentRequests } from './synchronization/compare-followers.ts';

export const caches: readonly AnyCache[] = [
  outgoingCache,
  incomingCache,
  pausedHostsCache,
  remoteFollowers,
  subscribedCache,
  recentRefreshes,
  lrddTemplates,
  healthyHosts,
  reachedHosts,
  plainHosts,
  rfc9421Hosts,
  recentProofs,
  backlogs,
  lastChecks,
  keyCache,
  recentRefetches,
  knownSenders,
  usageCache,
  recentRequests,
  ...[actorFlight, handleFlight, statusFlight, collectionFlight, keyFlight].map(({ failures }) => failures),
];
