import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { BatchLoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { ApplicationId } from '../platform/ids.ts';
import type { ApplicationRow } from './find-applications.ts';

/** What statuses show of the app that posted them. It never changes. */
export type ApplicationName = Pick<ApplicationRow, 'id' | 'name' | 'website'>;

const applicationNameRows = preparedQuery<ApplicationName>()((db, { ids }: { ids: readonly ApplicationId[] }) =>
  db
    .selectFrom('oauth_applications')
    .select(['id', 'name', 'website'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`),
);

export const applicationNames = new BatchLoadingCache<ApplicationId, ApplicationName>({
  name: 'oauth.application_names',
  maxSize: 1_000,
  ttlMs: 60_000,
  loadMany: async (app, ids) => new Map((await applicationNameRows(app, { ids })).map((row) => [row.id, row])),
});

/** Loads apps, so that `peekApplicationName` finds them. */
export async function loadApplicationNames(app: App, ids: readonly ApplicationId[]): Promise<void> {
  await applicationNames.getMany(app, ids);
}

/** Returns a cached app, without loading. */
export const peekApplicationName = (app: App, id: ApplicationId): ApplicationName | undefined =>
  applicationNames.peek(app, id);
