import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Visibility } from '../statuses/index.ts';
import { localStatusId } from './local-addresses.ts';

/** The columns of a stored status that federation needs. */
export interface FederatedStatus {
  readonly id: StatusId;
  readonly uri: string;
  readonly account_id: AccountId;
  readonly local: boolean;
  readonly visibility: Visibility;
  readonly reblog_of_id: StatusId | null;
}

const columns = sql`id, uri, account_id, local, visibility, reblog_of_id`;

/** `localId`: of the local status whose page the URI is; null for any other. */
const selectByUri = batchedQuery<FederatedStatus>()<{ uri: string; localId: StatusId | null }>(
  { uri: 'text', localId: 'bigint' },
  ({ uri, localId }) => sql`
    select ${columns} from statuses where uri = ${uri} and deleted_at is null
    union all
    select ${columns} from statuses where id = ${localId} and uri <> ${uri} and local and deleted_at is null`,
  { batchSize: 128 },
);

/** Returns the stored status of an ActivityPub id, or of the page of a local status. Sends no request. */
export async function findStatusByUri(app: App, uri: string): Promise<FederatedStatus | undefined> {
  const [found] = await selectByUri(app, { uri, localId: localStatusId(app, uri) ?? null });
  return found;
}
