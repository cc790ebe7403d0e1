import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { siteSettingsChanged } from '../events.ts';

/** A version of the terms of service. */
export interface TermsOfService {
  /** Day from which it applies, `YYYY-MM-DD` in UTC. */
  readonly effectiveDate: string;
  /** Safe HTML. */
  readonly content: string;
  /** What changed, as plain text; may be empty. */
  readonly changelog: string;
  /** Users were notified of it by mail. */
  readonly isAnnounced: boolean;
  readonly isEffective: boolean;
  /** Day from which the next version applies; null if there is none. */
  readonly succeededBy: string | null;
}

type StoredVersion = Omit<TermsOfService, 'isEffective' | 'succeededBy'>;

const versions = preparedQuery<StoredVersion>()((db) =>
  db
    .selectFrom('terms_of_service')
    .select([
      sql<string>`effective_date::text`.as('effectiveDate'),
      'content',
      'changelog',
      sql<boolean>`notified_at is not null`.as('isAnnounced'),
    ])
    .orderBy('effective_date'),
);

export const versionsCache = new LoadingCache<'versions', readonly StoredVersion[]>({
  name: 'site.terms_of_service',
  maxSize: 1,
  ttlMs: 60_000,
  load: (app) => versions(app, {}),
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Lists all versions, oldest first. Cached. */
export async function listTermsOfService(app: App): Promise<readonly TermsOfService[]> {
  const today = dayOf(app.clock.now());
  return (await versionsCache.get(app, 'versions')).map((version, index, all) => ({
    ...version,
    isEffective: version.effectiveDate <= today,
    succeededBy: all[index + 1]?.effectiveDate ?? null,
  }));
}

/** Returns the version that applies today, or else the next one; undefined if there is none. */
export async function currentTermsOfService(app: App): Promise<TermsOfService | undefined> {
  const all = await listTermsOfService(app);
  return all.findLast(({ isEffective }) => isEffective) ?? all[0];
}

/** Returns the version that applies from a day on (`YYYY-MM-DD`); undefined if there is none. */
export const findTermsOfService = async (app: App, effectiveDate: string): Promise<TermsOfService | undefined> =>
  (await listTermsOfService(app)).find((version) => version.effectiveDate === effectiveDate);

/** Returns the day of an instant in UTC, `YYYY-MM-DD`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);
