import type { AnyCache } from '../platform/caching/cache.ts';
import { localCache, remoteCache } from './find-emojis.ts';

export const caches: readonly AnyCache[] = [localCache, remoteCache];
