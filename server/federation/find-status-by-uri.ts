import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Visibility } from '../statuses/index.ts';
import { parseStatusAddress } from './local-addresses.ts';

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

/** `id`, `local`: of the status whose local address the URI is; null for any other URI. */
const selectByUri = batchedQuery<FederatedStatus>()<{ uri: string; id: StatusId | null; local: boolean | null }>(
  { uri: 'text', id: 'bigint', local: 'boolean' },
  ({ uri, id, local }) => sql`
    select ${columns} from statuses where uri = ${uri} and deleted_at is null
    union all
    select ${columns} from statuses where id = ${id} and uri <> ${uri} and local = ${local} and deleted_at is null`,
  { batchSize: 128 },
);

/** Returns the stored status of an ActivityPub id, or of any local address of a status. Sends no request. */
export async function findStatusByUri(app: App, uri: string): Promise<FederatedStatus | undefined> {
  const { id = null, local = null } = parseStatusAddress(app, uri) ?? {};
  const [found] = await selectByUri(app, { uri, id, local });
  return found;
}
