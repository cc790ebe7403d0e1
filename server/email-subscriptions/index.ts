// E-mail subscriptions: people without an account receive the public posts of a local account by e-mail.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { cleanUpUnconfirmed, deleteAccountSubscriptions } from './clean-up.ts';
import { followInstead } from './follow-instead.ts';
import { cacheAuthorsOfPosts, queuePosts } from './queue-posts.ts';
import { sendSubscriptionRequest } from './request-subscription.ts';
import { queueDigestMails, startDigest } from './send-digest.ts';
import { sendPosts } from './send-posts.ts';

export { confirmSubscription, unsubscribe } from './answer-links.ts';
export { findByToken } from './links.ts';
export { loadOwnNewsletter, setOwnNewsletter, type OwnNewsletter } from './own-newsletter.ts';
export { requestSubscription } from './request-subscription.ts';
export { routes } from './routes.ts';
export { isSubscribable } from './subscribable.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [
  queuePosts,
  cacheAuthorsOfPosts,
  sendSubscriptionRequest.subscription,
  startDigest.subscription,
  queueDigestMails.subscription,
  sendPosts.subscription,
  followInstead,
  deleteAccountSubscriptions,
];

export const schedules: readonly Schedule[] = [cleanUpUnconfirmed];
