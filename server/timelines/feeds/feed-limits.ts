import { perApp } from '../../platform/app.ts';

/** Limits of stored feeds. Tests lower them. */
export interface FeedLimits {
  /** Followers, or list memberships, per transaction of a fan-out. */
  fanOutBatchSize: number;
  /** Local followers above which the statuses of an author are merged into home feeds on read. */
  mergeThreshold: number;
  /** Entries inserted when a feed is built. */
  maxBuiltEntries: number;
  /** Entries inserted by a follow. */
  maxBackfilledEntries: number;
  /** Entries that trimming leaves. */
  maxStoredEntries: number;
  /** Days without a read after which a feed is deleted. */
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
