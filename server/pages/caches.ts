import type { AnyCache } from '../platform/caching/cache.ts';
import { embedCache } from './public/web-embed-routes.ts';

export const caches: readonly AnyCache[] = [embedCache];
