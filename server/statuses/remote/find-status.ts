import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { hasAddress } from '../../platform/database/has-address.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';

/** The status with a uri, deleted or not. */
export interface StatusRef {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly deleted: boolean;
  readonly backfilled: boolean;
}

const statusRefByUri = batchedQuery<StatusRef>()<{ uri: string }>(
  { uri: 'text' },
  ({ uri }) => sql`select id, account_id, deleted_at is not null as deleted, backfilled
    from statuses where ${hasAddress('statuses.uri', uri)}`,
  { batchSize: 128 },
);

/** Returns the status with this ActivityPub id, deleted or not. */
export async function findStatusRefByUri(app: App, uri: string): Promise<StatusRef | undefined> {
  return (await statusRefByUri(app, { uri }))[0];
}

/** Returns the local or remote status or reblog with this ActivityPub id. Checks no visibility and fetches nothing. */
export async function findStatusByUri(app: App, uri: string): Promise<CachedStatus | undefined> {
  const holder = await findStatusRefByUri(app, uri);
  return holder && (await loadCachedStatuses(app, [holder.id])).get(holder.id);
}
