import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { App } from '../platform/app.ts';
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

const statusByUri = preparedQuery<FederatedStatus>()((db, { uri }: { uri: string }) =>
  db
    .selectFrom('statuses')
    .select(['id', 'uri', 'account_id', 'local', 'visibility', 'reblog_of_id'])
    .where('uri', '=', uri)
    .where('deleted_at', 'is', null),
);

const statusById = preparedQuery<FederatedStatus>()((db, { id }: { id: StatusId }) =>
  db
    .selectFrom('statuses')
    .select(['id', 'uri', 'account_id', 'local', 'visibility', 'reblog_of_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
);

/** Returns the stored status of an ActivityPub id, or of the page of a local status. Sends no request. */
export async function findStatusByUri(app: App, uri: string): Promise<FederatedStatus | undefined> {
  const [found] = await statusByUri(app, { uri });
  if (found !== undefined) return found;
  const id = localStatusId(app, uri);
  if (id === undefined) return undefined;
  const [local] = await statusById(app, { id });
  return local?.local === true ? local : undefined;
}
