import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { siteChannel } from './site-settings.ts';

/** A version of the terms of service. */
export interface TermsOfService {
  /** Day from which it applies, `YYYY-MM-DD` in UTC. */
  readonly effectiveDate: string;
  /** Safe HTML. */
  readonly content: string;
  readonly isEffective: boolean;
  /** Day from which the next version applies; null if there is none. */
  readonly succeededBy: string | null;
}

type StoredVersion = Pick<TermsOfService, 'effectiveDate' | 'content'>;

const versions = preparedQuery<StoredVersion>()((db) =>
  db
    .selectFrom('terms_of_service')
    .select([sql<string>`effective_date::text`.as('effectiveDate'), 'content'])
    .orderBy('effective_date'),
);

const cache = perApp((app) => {
  const terms = new LoadingCache<'all', readonly StoredVersion[]>({
    size: 1,
    ttl: 60_000,
    load: () => versions(app, {}),
  });
  app.bus.subscribe(siteChannel, () => terms.clear());
  app.bus.onGap(() => terms.clear());
  return terms;
});

/** Lists every version, the oldest first. Cached. */
export async function listTermsOfService(app: App): Promise<readonly TermsOfService[]> {
  const today = dayOf(app.clock.now());
  return (await cache(app).get('all')).map((version, index, all) => ({
    ...version,
    isEffective: version.effectiveDate <= today,
    succeededBy: all[index + 1]?.effectiveDate ?? null,
  }));
}

/** Returns the version that applies today, or the first one to come; undefined if there is none. */
export async function currentTermsOfService(app: App): Promise<TermsOfService | undefined> {
  const all = await listTermsOfService(app);
  return all.findLast(({ isEffective }) => isEffective) ?? all[0];
}

/** The day of an instant in UTC, `YYYY-MM-DD`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);
