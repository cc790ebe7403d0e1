import type { AnyCache } from '../platform/write/subscriptions.ts';
import { ownListMembers } from './fan-out/own-feed.ts';
import { mergedAuthors } from './feeds/merged-authors.ts';

export const caches: readonly AnyCache[] = [ownListMembers, mergedAuthors];
