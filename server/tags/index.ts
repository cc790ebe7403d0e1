// Tags: hashtags, by which posts of all servers are found together; who follows them, and which profiles show them.
import type { Subscription } from '../platform/events/reactions.ts';
import { forgetAccount } from './forget-account.ts';

export { ensureTags } from './ensure-tags.ts';
export { accountTagsChanged, tagFeatured, tagFollowed, tagUnfeatured, tagUnfollowed } from './events.ts';
export { featureTag, mostFeaturedTags, removeFeaturedTag, unfeatureTag } from './feature-tag.ts';
export { storeRemoteFeaturedTags } from './store-remote-featured-tags.ts';
export { findTag, findTagById, tagsByNames, type TagRow } from './find-tag.ts';
export { followTag, listFollowedTags, tagFollowers, unfollowTag } from './follow-tag.ts';
export { FeaturedTag, Tag } from './schema.ts';
export { followedTagIds, tagStandingOf } from './tag-standing.ts';

export const subscriptions: Subscription[] = [forgetAccount];
