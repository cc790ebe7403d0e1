// Hashtags: how accounts follow and feature them, and how much posts use them. Their names and ids are in the domain `tags`.
import type { Subscription } from '../platform/write/subscriptions.ts';
import { deleteAccountTags } from './delete-account-tags.ts';

export { loadAccountTags, loadFollowedTagIds } from './account-tags-cache.ts';
export { addDailyUses, countDailyUses } from './count-daily-uses.ts';
export { accountTagsChanged, tagFeatured, tagFollowed, tagUnfeatured, tagUnfollowed } from './events.ts';
export { featureTag, maxFeaturedTags, unfeatureTag } from './feature-tag.ts';
export { followTag, listTagFollowers } from './follow-tag.ts';
export { presentFeaturedTags } from './present-featured-tags.ts';
export { presentTags } from './present-tags.ts';
export { routes } from './routes.ts';
export { FeaturedTag, Tag } from './schema.ts';
export { storeRemoteFeaturedTags } from './store-remote-featured-tags.ts';
export { buildTagHistory } from './tag-history.ts';
export { caches } from './caches.ts';

export const subscriptions: Subscription[] = [deleteAccountTags];
