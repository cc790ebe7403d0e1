import type { AnyCache } from '../platform/write/subscriptions.ts';
import { localCache, remoteCache } from './find-emojis.ts';

export const caches: readonly AnyCache[] = [localCache, remoteCache];
