import { sql } from 'kysely';
import { presentAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { joinJsonList, type HttpResponse } from '../../platform/http/http-response.ts';
import { paginated, parsePage } from '../../platform/http/pages.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { listHiddenIds, loadAccountRelations } from '../../relationships/rules/index.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import { pageEnds, pagedQuery } from '../../platform/database/paged-query.ts';
import type { Viewer } from '../read/present-statuses.ts';

interface ReactionRow {
  readonly id: string;
  readonly account_id: AccountId;
}

interface ReactionsArgs {
  readonly statusId: StatusId;
  /** Accounts that the viewer blocks or mutes, and those that block it. */
  readonly hiddenIds: readonly AccountId[];
}

const queries = {
  favourites: pagedQuery<ReactionRow>()<ReactionsArgs>((db, args, order) => ({
    compile: () =>
      sql<ReactionRow>`
        select f.id, f.account_id from favourites f join accounts a on a.id = f.account_id
        where f.status_id = ${args.statusId} and f.id < ${args.below} and f.id > ${args.above}
          and a.suspended_at is null and f.account_id <> all(${args.hiddenIds}::bigint[])
        order by f.id ${order} limit ${args.limit}`.compile(db),
  })),
  reblogs: pagedQuery<ReactionRow>()<ReactionsArgs>((db, args, order) => ({
    compile: () =>
      sql<ReactionRow>`
        select s.id, s.account_id from statuses s join accounts a on a.id = s.account_id
        where s.reblog_of_id = ${args.statusId} and s.reblog_of_id is not null and s.deleted_at is null
          and s.id < ${args.below} and s.id > ${args.above} and s.visibility in ('public', 'unlisted', 'local_public', 'local_unlisted')
          and a.suspended_at is null and s.account_id <> all(${args.hiddenIds}::bigint[])
        order by s.id ${order} limit ${args.limit}`.compile(db),
  })),
};

/**
 * Returns a page of the accounts that favourited or publicly reblogged a status, latest first, without `hiddenIds`
 * (STA-18). Cursors are the ids of the favourites and reblogs. Throws 404 if the viewer may not see the status.
 */
export async function listReactions(
  app: App,
  request: RequestContext,
  viewer: Viewer,
  { statusId, kind, input }: { statusId: StatusId; kind: keyof typeof queries; input: Parameters<typeof parsePage>[0] },
): Promise<HttpResponse> {
  const status = await requireVisibleOriginal(app, viewer?.accountId, statusId);
  const page = parsePage(input, { defaultLimit: 40, maxLimit: 80 });
  const hiddenIds = viewer === undefined ? [] : listHiddenIds(await loadAccountRelations(app, viewer.accountId));
  const rows = await queries[kind](app, page, { statusId: status.id, hiddenIds });
  const accounts = await presentAccounts(
    app,
    viewer,
    rows.map(({ account_id }) => account_id),
  );
  return paginated(app, request, { json: joinJsonList(accounts), ...pageEnds(page, rows) });
}
