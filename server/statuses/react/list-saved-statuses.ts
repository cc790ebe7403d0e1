import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { joinJsonList, type HttpResponse } from '../../platform/http/http-response.ts';
import { paginated, parsePage } from '../../platform/http/pages.ts';
import type { RequestContext, CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId, RowId, StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses } from '../read/filter-visible-statuses.ts';
import { pageEnds, pagedQuery, selectPage } from '../../platform/database/paged-query.ts';
import { presentStatuses } from '../read/present-statuses.ts';

interface SavedRow {
  readonly id: RowId;
  readonly status_id: StatusId;
}

const savedStatusesQuery = (table: 'favourites' | 'bookmarks') =>
  pagedQuery<SavedRow>()<{ accountId: AccountId }>((db, args, order) =>
    selectPage(
      db
        .selectFrom(table)
        .select(['id', 'status_id'])
        .where('account_id', '=', args.accountId)
        .where(sql<boolean>`exists (select from statuses where statuses.id = status_id and deleted_at is null)`),
      args,
      order,
    ),
  );

const queries = { favourites: savedStatusesQuery('favourites'), bookmarks: savedStatusesQuery('bookmarks') };

/**
 * Returns a page of the viewer's favourites or bookmarks, latest first. Cursors are the ids of the favourites or
 * bookmarks.
 */
export async function listSavedStatuses(
  app: App,
  request: RequestContext,
  viewer: CurrentUser,
  { kind, input }: { kind: keyof typeof queries; input: Parameters<typeof parsePage>[0] },
): Promise<HttpResponse> {
  const page = parsePage(input, { defaultLimit: 20, maxLimit: 40 });
  const rows = await queries[kind](app, page, { accountId: viewer.accountId });
  const ids = await filterVisibleStatuses(
    app,
    viewer.accountId,
    rows.map(({ status_id }) => status_id),
    'saved',
  );
  return paginated(app, request, {
    json: joinJsonList(await presentStatuses(app, viewer, ids)),
    ...pageEnds(page, rows),
  });
}
