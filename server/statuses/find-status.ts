import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { statusBodies, type StatusBody } from './status-bodies.ts';

/** Who has a uri, also when it is deleted. */
export interface Holder {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly deleted: boolean;
}

const byUri = prepared<Holder>()((db, { uri }: { uri: string }) =>
  db
    .selectFrom('statuses')
    .select((eb) => ['id', 'account_id', eb('deleted_at', 'is not', null).$castTo<boolean>().as('deleted')])
    .where('uri', '=', uri),
);

const byUrl = prepared<{ id: StatusId }>()((db, { url }: { url: string }) =>
  db.selectFrom('statuses').select('id').where('url', '=', url).where('deleted_at', 'is', null).limit(1),
);

/** The row with this ActivityPub id, deleted or not. */
export async function findHolder(app: App, uri: string): Promise<Holder | undefined> {
  return (await byUri(app, { uri }))[0];
}

/** The status (or reblog) with this ActivityPub id, local or remote, whoever may see it; never asks the network. */
export async function findStatusByUri(app: App, uri: string): Promise<StatusBody | undefined> {
  const holder = await findHolder(app, uri);
  return holder && (await statusBodies(app, [holder.id])).get(holder.id);
}

/** The status whose web page this is, whoever may see it; never asks the network. */
export async function findStatusByUrl(app: App, url: string): Promise<StatusBody | undefined> {
  const [row] = await byUrl(app, { url });
  return row && (await statusBodies(app, [row.id])).get(row.id);
}
