import type { AnyCache } from '../platform/write/subscriptions.ts';
import { publishedCache } from './find-announcements.ts';

export const caches: readonly AnyCache[] = [publishedCache];
