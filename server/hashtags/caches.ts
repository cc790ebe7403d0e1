import type { AnyCache } from '../platform/write/subscriptions.ts';
import { accountTagsCache } from './account-tags-cache.ts';
import { tagUsesCache } from './present-featured-tags.ts';
import { historyCache } from './tag-history.ts';

export const caches: readonly AnyCache[] = [accountTagsCache, tagUsesCache, historyCache];
