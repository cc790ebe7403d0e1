import type { AnyCache } from '../platform/write/subscriptions.ts';
import { pairsCache, failureCache } from './languages.ts';

export const caches: readonly AnyCache[] = [pairsCache, failureCache];
