import type { AnyCache } from '../platform/write/subscriptions.ts';
import { bytesCache } from './bundled-images.ts';
import { refusedCache, failedCache } from './proxy/fetch-remote-file.ts';

export const caches: readonly AnyCache[] = [bytesCache, refusedCache, failedCache];
