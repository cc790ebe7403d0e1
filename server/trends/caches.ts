import type { AnyCache } from '../platform/write/subscriptions.ts';
import { trendsCache } from './find-trends.ts';
import { pastDaysCache, todayCache } from './link-history.ts';

export const caches: readonly AnyCache[] = [trendsCache, todayCache, pastDaysCache];
