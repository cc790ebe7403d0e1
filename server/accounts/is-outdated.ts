import type { App } from '../platform/app.ts';

/** Milliseconds for which what was read of an account of another server is new enough (reference/limits.tsv). */
const maxAgeMs = 86_400_000;

/** Says whether what was read of an account of another server at this time, null for never, is to be read anew. */
export const isOutdated = (app: App, readAt: Date | null): boolean =>
  readAt === null || app.clock.now().getTime() - readAt.getTime() >= maxAgeMs;
