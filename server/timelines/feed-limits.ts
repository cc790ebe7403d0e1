import { perApp } from '../platform/app.ts';

/** How the feeds of homes and lists are kept. Tests make the numbers small. */
export interface FeedLimits {
  /** Followers, or places of authors in lists, that one step of a fan-out looks at. */
  fanOutBatchSize: number;
  /** An author with more followers of this server than this is merged in when a feed is read. */
  mergeThreshold: number;
  /** Entries that a feed begins with when it is built. */
  maxBuiltEntries: number;
  /** Entries that a follow brings at most. */
  maxBackfilledEntries: number;
  /** Entries that stay when feeds are trimmed. */
  maxStoredEntries: number;
  /** A feed that nobody read for so many days is dropped. */
  maxUnusedDays: number;
}

export const feedLimits = perApp<FeedLimits>(() => ({
  fanOutBatchSize: 2_000,
  mergeThreshold: 50_000,
  maxBuiltEntries: 400,
  maxBackfilledEntries: 400,
  maxStoredEntries: 800,
  maxUnusedDays: 21,
}));
