import type { AnyCache } from '../platform/caching/cache.ts';
import { matcherCache } from './load-filter-matcher.ts';

export const caches: readonly AnyCache[] = [matcherCache];
