import type { AnyCache } from '../platform/events/subscriptions.ts';
import { authorCache } from './subscribable.ts';

export const caches: readonly AnyCache[] = [authorCache];
