import type { AnyCache } from '../platform/events/subscriptions.ts';
import { accountCache, staffEventCache } from './webhook-targets.ts';

export const caches: readonly AnyCache[] = [accountCache, staffEventCache];
