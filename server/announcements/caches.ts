import type { AnyCache } from '../platform/caching/cache.ts';
import { publishedCache } from './find-announcements.ts';

export const caches: readonly AnyCache[] = [publishedCache];
