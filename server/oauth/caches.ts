import type { AnyCache } from '../platform/write/subscriptions.ts';
import { callerCache } from './authenticate.ts';

export const caches: readonly AnyCache[] = [callerCache];
