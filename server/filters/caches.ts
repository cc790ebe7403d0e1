import type { AnyCache } from '../platform/write/subscriptions.ts';
import { matcherCache } from './load-filter-matcher.ts';

export const caches: readonly AnyCache[] = [matcherCache];
