// Federation: how accounts, posts and reactions travel to and from other servers over ActivityPub.
import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Subscription } from '../platform/events/reactions.ts';
import type { Route } from '../platform/http/routes.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import { favouriteDeliveries } from './delivery/deliver-favourites.ts';
import { featuredDeliveries } from './delivery/deliver-featured.ts';
import { moveDeliveries } from './delivery/deliver-move.ts';
import { quoteDeliveries } from './delivery/deliver-quotes.ts';
import { profileDeliveries } from './delivery/deliver-profile.ts';
import { reblogDeliveries } from './delivery/deliver-reblogs.ts';
import { relationshipDeliveries } from './delivery/deliver-relationships.ts';
import { statusDeliveries } from './delivery/deliver-statuses.ts';
import { refollow, refollowStep } from './delivery/refollow.ts';
import { voteDeliveries } from './delivery/deliver-votes.ts';
import { collectionDeliveries } from './delivery/deliver-collections.ts';
import { dropDeliveriesOfSuspended } from './delivery/drop-deliveries.ts';
import { giveUpDeliveries } from './delivery/give-up.ts';
import { deliveryWorker } from './delivery/worker.ts';
import { findMoveTarget } from './fetch/find-move-target.ts';
import { fetchFirstReplies } from './fetch/fetch-first-replies.ts';
import { refreshCollections, refreshFeaturedOnUpdate } from './fetch/refresh-collections.ts';
import { refreshPoll } from './fetch/refresh-poll.ts';
import { refreshAccount, refreshViewed } from './fetch/resolve-account.ts';
import { resolveCardCreator } from './fetch/resolve-card-creator.ts';
import { resolveOpenMentions } from './fetch/resolve-mentions.ts';
import { walkReplies, walkStep } from './fetch/walk-replies.ts';
import { refreshViewedCollections } from './fetch/resolve-featured.ts';
import { fetchItems } from './fetch/store-featured.ts';
import { verifyItems } from './fetch/verify-items.ts';
import { quoteVerification } from './fetch/verify-quote.ts';
import { forgetOld } from './forget.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { inboxWorker } from './inbox/worker.ts';
import { keyEvictions } from './keys/find-key.ts';
import { actorRoutes } from './serving/actor-routes.ts';
import { context } from './serving/context-route.ts';
import { collectionRoutes } from './serving/collection-routes.ts';
import { emojiRoute } from './serving/emoji-route.ts';
import { featuredCollectionRoutes } from './serving/featured-collection-routes.ts';
import { nodeinfoRoutes } from './serving/nodeinfo-routes.ts';
import { objectRoutes } from './serving/object-routes.ts';
import { outbox } from './serving/outbox-route.ts';
import { followersSynchronization } from './serving/synchronisation-route.ts';
import { repairFollowers } from './synchronisation/repair-followers.ts';
import { quoteAuthorizationRoutes } from './serving/quote-routes.ts';
import { reactionRoutes } from './serving/reaction-routes.ts';
import { webfingerRoutes } from './serving/webfinger-routes.ts';

export { isBlockedDomain } from './domain-policy.ts';
export { resolveAccount } from './fetch/resolve-account.ts';
export { resolveCollection } from './fetch/resolve-featured.ts';
export { resolveStatus } from './fetch/resolve-status.ts';
export { resolveUrl, type Resolved } from './fetch/resolve-url.ts';
export { actorAtPage } from './serving/actor-routes.ts';
export { collectionAtPage } from './serving/featured-collection-routes.ts';
export { wantsActivity } from './serving/negotiation.ts';
export { objectAtPage } from './serving/object-routes.ts';
export { tagAtPage } from './serving/tag-page.ts';

export const routes: readonly Route[] = [
  ...actorRoutes,
  ...objectRoutes,
  emojiRoute,
  ...reactionRoutes,
  ...quoteAuthorizationRoutes,
  outbox,
  ...collectionRoutes,
  followersSynchronization,
  context,
  ...featuredCollectionRoutes,
  ...inboxRoutes,
  ...webfingerRoutes,
  ...nodeinfoRoutes,
];

export const subscriptions: readonly Subscription[] = [
  ...statusDeliveries,
  ...reblogDeliveries,
  ...voteDeliveries,
  ...quoteDeliveries,
  ...quoteVerification,
  ...favouriteDeliveries,
  ...collectionDeliveries,
  refreshViewedCollections,
  fetchItems.subscription,
  verifyItems.subscription,
  ...relationshipDeliveries,
  ...profileDeliveries,
  ...featuredDeliveries,
  ...moveDeliveries,
  resolveOpenMentions,
  resolveCardCreator,
  refreshAccount.subscription,
  refreshViewed,
  refreshCollections,
  refreshFeaturedOnUpdate,
  refollow,
  refollowStep.subscription,
  findMoveTarget,
  refreshPoll,
  repairFollowers.subscription,
  walkReplies,
  walkStep.subscription,
  fetchFirstReplies,
  ...keyEvictions,
  dropDeliveriesOfSuspended,
];

export const schedules: readonly Schedule[] = [forgetOld, giveUpDeliveries];

export const workers: readonly Worker[] = [inboxWorker, deliveryWorker];
