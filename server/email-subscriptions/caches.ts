import type { AnyCache } from '../platform/write/subscriptions.ts';
import { authorCache } from './subscribable.ts';

export const caches: readonly AnyCache[] = [authorCache];
