import type { AnyCache } from '../platform/caching/cache.ts';
import { authorCache } from './subscribable.ts';

export const caches: readonly AnyCache[] = [authorCache];
