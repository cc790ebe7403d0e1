import type { AnyCache } from '../platform/write/subscriptions.ts';
import { recentViews } from './read/list-collections.ts';

export const caches: readonly AnyCache[] = [recentViews];
