import type { AnyCache } from '../platform/write/subscriptions.ts';
import { ruleSetCache } from './matching/rule-set.ts';

export const caches: readonly AnyCache[] = [ruleSetCache];
