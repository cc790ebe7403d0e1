import type { AnyCache } from '../platform/write/subscriptions.ts';
import { activeProviders } from './providers/capabilities.ts';
import { activeSubscriptions } from './sharing/subscriptions.ts';

export const caches: readonly AnyCache[] = [activeProviders, activeSubscriptions];
