import type { AnyCache } from '../platform/events/subscriptions.ts';
import { localCache, remoteCache } from './find-emojis.ts';

export const caches: readonly AnyCache[] = [localCache, remoteCache];
