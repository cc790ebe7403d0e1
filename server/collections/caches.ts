import type { AnyCache } from '../platform/caching/cache.ts';
import { recentViews } from './read/list-collections.ts';

export const caches: readonly AnyCache[] = [recentViews];
