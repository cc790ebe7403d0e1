import type { AnyCache } from '../platform/write/subscriptions.ts';
import { ownListMembers } from './fan-out/own-feed.ts';
import { mergedAuthors } from './feeds/merged-authors.ts';
import { homeHeads } from './read/home-heads.ts';

export const caches: readonly AnyCache[] = [ownListMembers, mergedAuthors, homeHeads];
