import type { AnyCache } from '../platform/caching/cache.ts';
import { ruleSetCache } from './matching/rule-set.ts';

export const caches: readonly AnyCache[] = [ruleSetCache];
