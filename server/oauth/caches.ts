import type { AnyCache } from '../platform/caching/cache.ts';
import { callerCache } from './authenticate.ts';

export const caches: readonly AnyCache[] = [callerCache];
