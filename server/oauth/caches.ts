import type { AnyCache } from '../platform/write/subscriptions.ts';
import { applicationNames } from './application-names.ts';
import { callerCache } from './authenticate.ts';

export const caches: readonly AnyCache[] = [applicationNames, callerCache];
