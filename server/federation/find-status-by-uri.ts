import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import { hasAddress } from '../platform/database/has-address.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Visibility } from '../statuses/index.ts';
import { loadCachedStatuses, type CachedStatus } from '../statuses/read/index.ts';
import { staysHere } from '../statuses/visibility/index.ts';
import { parseStatusAddress, parseUlidAddress } from './local-addresses.ts';
import { tombstoneKey } from './tombstones.ts';

/** The columns of a stored status that federation needs. */
export interface FederatedStatus {
  readonly id: StatusId;
  readonly uri: string;
  readonly account_id: AccountId;
  readonly local: boolean;
  readonly visibility: Visibility;
  readonly reblog_of_id: StatusId | null;
  /** Read from the outbox of its author, not delivered. */
  readonly backfilled: boolean;
}

const columns = sql`id, uri, account_id, local, visibility, reblog_of_id, backfilled`;

/** `id`, `local`: of the status whose local address the URI is; null for any other URI. */
const selectByUri = batchedQuery<FederatedStatus>()<{ uri: string; id: StatusId | null; local: boolean | null }>(
  { uri: 'text', id: 'bigint', local: 'boolean' },
  ({ uri, id, local }) => sql`
    select ${columns} from statuses where ${hasAddress('statuses.uri', uri)} and deleted_at is null
    union all
    select ${columns} from statuses where id = ${id} and uri <> ${uri} and local = ${local} and deleted_at is null`,
  { batchSize: 128 },
);

/**
 * Returns the stored status of an ActivityPub id, or of any local address of a status, which may be up to a moment old.
 * Local-only ones do not exist for other servers. Sends no request.
 */
export async function findStatusByUri(app: App, uri: string): Promise<FederatedStatus | undefined> {
  const status = await findStatusAt(app, uri);
  return status === undefined || staysHere(status.visibility) ? undefined : status;
}

/** Like `findStatusByUri` for local viewers: it finds local-only statuses, too. Checks no visibility. */
export async function findStatusAt(app: App, uri: string): Promise<FederatedStatus | undefined> {
  const { id = null, local = null } = parseStatusAddress(app, uri) ?? {};
  const cached = id === null || !local ? undefined : (await loadCachedStatuses(app, [id])).get(id);
  if (cached?.local === true) return toFederated(cached);
  const [found] = await selectByUri(app, { uri: parseUlidAddress(app, uri) ?? uri, id, local });
  return found;
}

/** A status that was looked up just now by one of its URIs. */
export interface FoundStatus {
  readonly uri: string;
  readonly status: FederatedStatus;
}

/** Like `findStatusByUri`. Asks nothing if the status with this URI was `found` just now. */
export async function findStatusUnlessFound(
  app: App,
  uri: string | undefined,
  found: FoundStatus | undefined,
): Promise<FederatedStatus | undefined> {
  if (uri === undefined) return undefined;
  return found?.uri === uri ? found.status : findStatusByUri(app, uri);
}

/** Only remote statuses are backfilled. */
const toFederated = ({ id, uri, accountId, local, visibility, reblogOfId }: CachedStatus): FederatedStatus => ({
  id,
  uri,
  account_id: accountId,
  local,
  visibility,
  reblog_of_id: reblogOfId,
  backfilled: false,
});

/** What is stored about an id of a remote object. */
interface KnownObject {
  readonly status: FederatedStatus | undefined;
  /** Whether this actor deleted the object. */
  readonly isDeleted: boolean;
}

const selectKnown = batchedQuery<FederatedStatus | { readonly id: null }>()<{ uri: string; key: string }>(
  { uri: 'text', key: 'text' },
  ({ uri, key }) => sql`
    select ${columns} from statuses where ${hasAddress('statuses.uri', uri)} and deleted_at is null
    union all
    select null, null, null, null, null, null, null from tombstones where uri = ${key}`,
  { batchSize: 128 },
);

/** Returns the stored status of a remote id, and whether this actor deleted it. */
export async function findKnownObject(app: App, actorUri: string, uri: string): Promise<KnownObject> {
  const rows = await selectKnown(app, { uri, key: tombstoneKey(actorUri, uri) });
  return {
    status: rows.find((row): row is FederatedStatus => row.id !== null),
    isDeleted: rows.some(({ id }) => id === null),
  };
}
