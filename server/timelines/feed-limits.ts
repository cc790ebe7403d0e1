import { perApp } from '../platform/app.ts';

/** How the feeds of homes and lists are kept. Tests make the numbers small. */
export interface FeedLimits {
  /** Followers, or places of authors in lists, that one step of a fan-out looks at. */
  chunk: number;
  /** An author with more followers of this server than this is merged in when a feed is read. */
  mergedAbove: number;
  /** Entries that a feed begins with when it is built. */
  built: number;
  /** Entries that a follow brings at most. */
  brought: number;
  /** Entries that stay when feeds are trimmed. */
  kept: number;
  /** A feed that nobody read for so many days is dropped. */
  unusedDays: number;
}

export const feedLimits = perApp<FeedLimits>(() => ({
  chunk: 2_000,
  mergedAbove: 50_000,
  built: 400,
  brought: 400,
  kept: 800,
  unusedDays: 21,
}));
