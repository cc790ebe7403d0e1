import { loadCachedAccounts, renderAccountInto } from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import { filterVisibleStatuses, presentStatusesById } from '../../statuses/read/index.ts';
import type { RequestRow } from './list-requests.ts';
import type { NotificationRequest } from './schema.ts';

/** Presents requests in order, without those whose sender no longer exists. */
export async function presentRequests(
  app: App,
  viewer: CurrentUser,
  rows: readonly RequestRow[],
): Promise<JsonText<NotificationRequest>[]> {
  const statusIds = rows.flatMap((row) => row.last_status_id ?? []);
  const [accounts, statuses] = await Promise.all([
    loadCachedAccounts(
      app,
      rows.map((row) => row.from_account_id),
    ),
    filterVisibleStatuses(app, viewer.accountId, statusIds, 'notifications').then((visible) =>
      presentStatusesById(app, viewer, visible),
    ),
  ]);
  const media = mediaViewerOf(viewer);
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id);
    if (account === undefined) return [];
    const status = row.last_status_id === null ? undefined : statuses.get(row.last_status_id);
    const json = [
      `{"id":"${row.id}","created_at":"${row.created_at.toISOString()}","updated_at":"${row.updated_at.toISOString()}"`,
      `,"notifications_count":"${row.notifications_count}","account":`,
    ];
    renderAccountInto(json, account, media);
    json.push(',"last_status":', ...(status?.fragments ?? ['null']), '}');
    return new JsonText<NotificationRequest>(json);
  });
}

/** Presents one request. Throws 404 if its sender no longer exists. */
export async function presentRequest(
  app: App,
  viewer: CurrentUser,
  row: RequestRow,
): Promise<JsonText<NotificationRequest>> {
  const [request] = await presentRequests(app, viewer, [row]);
  if (request === undefined) throw notFound();
  return request;
}
