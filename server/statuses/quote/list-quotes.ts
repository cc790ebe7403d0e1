import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { joinJsonList, type HttpResponse } from '../../platform/http/http-response.ts';
import { paginated, parsePage } from '../../platform/http/pages.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { pageEnds, pagedQuery } from '../../platform/database/paged-query.ts';
import { presentStatuses, type Viewer } from '../read/present-statuses.ts';

interface QuotingRow {
  readonly id: string;
  readonly status_id: StatusId;
}

const quotingRows = pagedQuery<QuotingRow>()<{ statusId: StatusId }>((db, args, order) => ({
  compile: () =>
    sql<QuotingRow>`
      select q.id, q.status_id from quotes q join statuses s on s.id = q.status_id
      where q.quoted_status_id = ${args.statusId} and q.quoted_status_id is not null and q.state = 'accepted'
        and s.deleted_at is null and q.id < ${args.below} and q.id > ${args.above}
      order by q.id ${order} limit ${args.limit}`.compile(db),
}));

/**
 * Returns a page of the accepted quotes of a status that the viewer may see, latest first. The author also sees those of
 * silenced accounts. Cursors are the ids of the quotes. Throws 404 if the viewer may not see the status.
 */
export async function listQuotes(
  app: App,
  request: RequestContext,
  viewer: Viewer,
  { statusId, input }: { statusId: StatusId; input: Parameters<typeof parsePage>[0] },
): Promise<HttpResponse> {
  const viewerId = viewer?.accountId;
  const status = await requireVisibleOriginal(app, viewerId, statusId);
  const page = parsePage(input, { defaultLimit: 20, maxLimit: 40 });
  const rows = await quotingRows(app, page, { statusId: status.id });
  const surface = status.accountId === viewerId ? 'lists' : 'thread';
  const ids = await filterVisibleStatuses(
    app,
    viewerId,
    rows.map((row) => row.status_id),
    surface,
  );
  return paginated(app, request, {
    json: joinJsonList(await presentStatuses(app, viewer, ids)),
    ...pageEnds(page, rows),
  });
}
