import type { AnyCache } from '../platform/write/subscriptions.ts';
import { activeProviders } from './providers/capabilities.ts';

export const caches: readonly AnyCache[] = [activeProviders];
