// Federation: exchanges accounts, posts and reactions with other servers over ActivityPub.
import type { Schedule } from '../platform/work/run-schedules.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Route } from '../platform/http/routes.ts';
import type { Worker } from '../platform/work/worker-loop.ts';
import type { MetricSource } from '../platform/metrics/metric-source.ts';
import { favouriteDeliveries } from './delivery/deliver-favourites.ts';
import { featuredDeliveries } from './delivery/deliver-featured.ts';
import { moveDeliveries } from './delivery/deliver-move.ts';
import { approvalDeliveries } from './delivery/deliver-approvals.ts';
import { emojiReactionDeliveries } from './delivery/deliver-emoji-reactions.ts';
import { quoteDeliveries } from './delivery/deliver-quotes.ts';
import { profileDeliveries } from './delivery/deliver-profile.ts';
import { groupDeliveries } from './delivery/deliver-group-activities.ts';
import { reblogDeliveries } from './delivery/deliver-reblogs.ts';
import { relationshipDeliveries } from './delivery/deliver-relationships.ts';
import { reportDeliveries } from './delivery/deliver-reports.ts';
import { statusDeliveries } from './delivery/deliver-statuses.ts';
import { resendFollows, resendFollowsBatch } from './delivery/resend-follows.ts';
import { voteDeliveries } from './delivery/deliver-votes.ts';
import { collectionDeliveries } from './delivery/deliver-collections.ts';
import { suspensionDeliveries } from './delivery/deliver-suspensions.ts';
import { deleteDeliveriesOfSuspended } from './delivery/delete-deliveries-of-suspended.ts';
import { expireDeliveries } from './delivery/expire-deliveries.ts';
import { deliveryMetrics } from './delivery/delivery-metrics.ts';
import { deliveryWorker } from './delivery/worker.ts';
import { fetchMoveTarget } from './fetch/fetch-move-target.ts';
import { fetchFirstReplies } from './fetch/fetch-first-replies.ts';
import { readFollowedOutbox, readOutbox } from './fetch/read-outbox.ts';
import { refreshCollections, refreshFeaturedOnUpdate } from './fetch/refresh-collections.ts';
import { refreshCounts } from './fetch/refresh-counts.ts';
import { refreshUnsuspended } from './fetch/refresh-unsuspended.ts';
import { refreshPoll } from './fetch/refresh-poll.ts';
import { refreshAccount, refreshViewedAccount } from './fetch/resolve-account.ts';
import { resolveCardCreator } from './fetch/resolve-card-creator.ts';
import { resolvePendingMentions } from './fetch/resolve-mentions.ts';
import { fetchThread, fetchThreadBatch } from './fetch/fetch-thread.ts';
import { refreshViewedCollections } from './fetch/resolve-collection.ts';
import { fetchListedItems } from './fetch/store-featured-collection.ts';
import { verifyItems } from './fetch/verify-items.ts';
import { quoteVerification } from './fetch/verify-quote.ts';
import { cleanUpActivities } from './clean-up-activities.ts';
import { hostRoutes } from './hosts/routes.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { inboxWorker } from './inbox/worker.ts';
import { relayRoutes } from './relays/routes.ts';
import { resolveRelay } from './relays/subscribe-relay.ts';
import { applyRetention, removeOldFiles } from './retention/apply-retention.ts';
import { purgeDomainStep } from './retention/purge-domain.ts';
import { retentionRoutes } from './retention/routes.ts';
import { actorRoutes } from './serving/actor-routes.ts';
import { contextRoutes } from './serving/context-route.ts';
import { collectionRoutes } from './serving/collection-routes.ts';
import { emojiRoutes } from './serving/emoji-route.ts';
import { featuredCollectionRoutes } from './serving/featured-collection-routes.ts';
import { nodeinfoRoutes } from './serving/nodeinfo-routes.ts';
import { objectRoutes } from './serving/object-routes.ts';
import { outboxRoute } from './serving/outbox-route.ts';
import { followersSynchronizationRoute } from './serving/synchronization-route.ts';
import { synchronizeFollowers } from './synchronization/synchronize-followers.ts';
import { interactionAuthorizationRoutes } from './serving/approval-routes.ts';
import { quoteAuthorizationRoutes } from './serving/quote-routes.ts';
import { reactionRoutes } from './serving/reaction-routes.ts';
import { webfingerRoutes } from './serving/webfinger-routes.ts';
import { withNumericPaths } from './serving/numeric-paths.ts';
import { withUlids } from './serving/ulid-paths.ts';
import { storeTombstonesOfStaff } from './tombstones.ts';
import { workerWakeups } from './wake-workers.ts';

export { archiveActivities, archiveActor, archiveContext } from './serving/archive-documents.ts';
export { isBlockedDomain } from './domain-policy.ts';
export { resolveAccount } from './fetch/resolve-account.ts';
export { resolveCollection } from './fetch/resolve-collection.ts';
export { resolveStatus } from './fetch/resolve-status.ts';
export { resolveUrl, type ResolvedUrl } from './fetch/resolve-url.ts';
export { findStatusByUri } from './find-status-by-uri.ts';
export { parseStatusAddress } from './local-addresses.ts';
export { negotiateActor } from './serving/actor-routes.ts';
export { negotiateCollection } from './serving/featured-collection-routes.ts';
export { wantsActivity } from './serving/negotiation.ts';
export { negotiateObject } from './serving/object-routes.ts';
export { negotiateTag } from './serving/negotiate-tag.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = withNumericPaths([
  ...actorRoutes,
  ...withUlids(objectRoutes),
  ...emojiRoutes,
  ...withUlids(reactionRoutes),
  ...quoteAuthorizationRoutes,
  ...interactionAuthorizationRoutes,
  outboxRoute,
  ...collectionRoutes,
  followersSynchronizationRoute,
  ...contextRoutes,
  ...featuredCollectionRoutes,
  ...inboxRoutes,
  ...webfingerRoutes,
  ...nodeinfoRoutes,
  ...relayRoutes,
  ...hostRoutes,
  ...retentionRoutes,
]);

export const subscriptions: readonly Subscription[] = [
  storeTombstonesOfStaff,
  ...statusDeliveries,
  ...reblogDeliveries,
  ...groupDeliveries,
  ...voteDeliveries,
  ...quoteDeliveries,
  ...approvalDeliveries,
  ...emojiReactionDeliveries,
  ...quoteVerification,
  ...favouriteDeliveries,
  ...collectionDeliveries,
  refreshViewedCollections,
  fetchListedItems.subscription,
  verifyItems.subscription,
  ...relationshipDeliveries,
  ...profileDeliveries,
  ...suspensionDeliveries,
  refreshUnsuspended,
  ...featuredDeliveries,
  ...moveDeliveries,
  ...reportDeliveries,
  resolvePendingMentions,
  resolveCardCreator,
  refreshAccount.subscription,
  refreshViewedAccount,
  refreshCollections,
  readOutbox,
  readFollowedOutbox,
  refreshFeaturedOnUpdate,
  resendFollows,
  resendFollowsBatch.subscription,
  fetchMoveTarget,
  refreshCounts,
  refreshPoll,
  synchronizeFollowers.subscription,
  fetchThread,
  fetchThreadBatch.subscription,
  fetchFirstReplies,
  ...workerWakeups,
  deleteDeliveriesOfSuspended,
  resolveRelay.subscription,
  purgeDomainStep.subscription,
];

export const schedules: readonly Schedule[] = [cleanUpActivities, expireDeliveries, applyRetention, removeOldFiles];

export const workers: readonly Worker[] = [inboxWorker, deliveryWorker];

export const metrics: readonly MetricSource[] = deliveryMetrics;
