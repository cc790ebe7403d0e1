// Tags: hashtags, their followers, and the profiles that feature them.
import type { Subscription } from '../platform/events/reactions.ts';
import { deleteAccountTags } from './delete-account-tags.ts';

export { ensureTags } from './ensure-tags.ts';
export { accountTagsChanged, tagFeatured, tagFollowed, tagUnfeatured, tagUnfollowed } from './events.ts';
export { featureTag, maxFeaturedTags, removeFeaturedTag, unfeatureTag } from './feature-tag.ts';
export { storeRemoteFeaturedTags } from './store-remote-featured-tags.ts';
export { findTag, findTagById, findTagsByName, type TagRow } from './find-tag.ts';
export { followTag, listFollowedTags, listTagFollowers, unfollowTag } from './follow-tag.ts';
export { FeaturedTag, Tag } from './schema.ts';
export { loadFollowedTagIds, loadAccountTags } from './account-tags-cache.ts';

export const subscriptions: Subscription[] = [deleteAccountTags];
