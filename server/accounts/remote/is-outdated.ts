import type { App } from '../../platform/app.ts';

/** Age in milliseconds after which a remote account is fetched again (reference/limits.tsv). */
const maxAgeMs = 86_400_000;

/** Returns whether a remote account that was fetched at this time (null: never) must be fetched again. */
export const isOutdated = (app: App, readAt: Date | null): boolean =>
  readAt === null || app.clock.now().getTime() - readAt.getTime() >= maxAgeMs;
