import type { AnyCache } from '../platform/caching/cache.ts';
import { accountCache, staffEventCache } from './webhook-targets.ts';

export const caches: readonly AnyCache[] = [accountCache, staffEventCache];
