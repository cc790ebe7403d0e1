import type { AnyCache } from '../platform/write/subscriptions.ts';
import { accountCache, staffEventCache } from './webhook-targets.ts';

export const caches: readonly AnyCache[] = [accountCache, staffEventCache];
