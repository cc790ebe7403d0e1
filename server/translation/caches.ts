import type { AnyCache } from '../platform/caching/cache.ts';
import { pairsCache, failureCache } from './languages.ts';

export const caches: readonly AnyCache[] = [pairsCache, failureCache];
