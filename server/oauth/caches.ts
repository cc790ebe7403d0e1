import type { AnyCache } from '../platform/events/subscriptions.ts';
import { callerCache } from './authenticate.ts';

export const caches: readonly AnyCache[] = [callerCache];
