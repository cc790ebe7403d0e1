import { presentAccounts } from '../../accounts/present/index.ts';
import type { RequestRow } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { presentStatusesById, type Viewer } from '../read/present-statuses.ts';
import type { Status } from '../schema.ts';
import type { InteractionRequest } from './schema.ts';

/**
 * Returns requests as the author of the posts sees them, in order. Leaves out those about deleted posts, and those by
 * suspended accounts.
 */
export async function presentRequests(
  app: App,
  viewer: Viewer,
  rows: readonly RequestRow[],
): Promise<InteractionRequest[]> {
  const statusIds = rows.flatMap(({ status_id, reply_id }) => [status_id, ...(reply_id === null ? [] : [reply_id])]);
  const accountIds = [...new Set(rows.map(({ account_id }) => account_id))];
  const [presented, statuses] = await Promise.all([
    presentAccounts(app, viewer, accountIds),
    presentStatusesById(app, viewer, [...new Set(statusIds)]),
  ]);
  const accounts = new Map(
    presented.map((json) => {
      const account = json.parse();
      return [account.id, account];
    }),
  );
  const parse = (id: RequestRow['reply_id']): Status | undefined => {
    const found = id === null ? undefined : statuses.get(id);
    return found?.parse();
  };
  return rows.flatMap((row): InteractionRequest[] => {
    const account = accounts.get(row.account_id);
    const [status, reply] = [parse(row.status_id), parse(row.reply_id)];
    if (account === undefined || account.suspended === true || status === undefined) return [];
    return [
      {
        id: row.id,
        type: row.kind,
        created_at: row.created_at.toISOString(),
        account,
        status,
        ...(reply !== undefined && { reply }),
        ...(row.state !== 'pending' && { [`${row.state}_at`]: row.decided_at?.toISOString() }),
      },
    ];
  });
}

/** Like `presentRequests` for one request. Throws 404 if its post was deleted, or its account suspended. */
export async function presentRequest(app: App, viewer: Viewer, row: RequestRow): Promise<InteractionRequest> {
  const [request] = await presentRequests(app, viewer, [row]);
  if (request === undefined) throw notFound();
  return request;
}
