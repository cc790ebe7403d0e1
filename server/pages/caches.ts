import type { AnyCache } from '../platform/write/subscriptions.ts';
import { embedCache } from './public/web-embed-routes.ts';

export const caches: readonly AnyCache[] = [embedCache];
