import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { jsonList, type Answer } from '../platform/http/answers.ts';
import { paginated, readPage } from '../platform/http/pages.ts';
import type { RequestFacts, Viewer } from '../platform/http/routes.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import { keepVisible } from './keep-visible.ts';
import { ends, pagedRows } from '../platform/database/paged-rows.ts';
import { presentStatuses } from './present-statuses.ts';

interface SavedRow {
  readonly id: RowId;
  readonly status_id: StatusId;
}

const savedIn = (table: 'favourites' | 'bookmarks') =>
  pagedRows<SavedRow>()<{ accountId: AccountId }>((db, args, order) =>
    db
      .selectFrom(table)
      .select(['id', 'status_id'])
      .where('account_id', '=', args.accountId)
      .where('id', '<', args.below as RowId)
      .where('id', '>', args.above as RowId)
      .where(sql<boolean>`exists (select from statuses where statuses.id = status_id and deleted_at is null)`)
      .orderBy(sql`id ${order}`)
      .limit(sql<number>`${args.limit}`),
  );

const queries = { favourites: savedIn('favourites'), bookmarks: savedIn('bookmarks') };

/** A page of what the viewer favourited or bookmarked, latest first; its cursors are the ids of those acts. */
export async function listSaved(
  app: App,
  request: RequestFacts,
  viewer: Viewer,
  { kind, input }: { kind: keyof typeof queries; input: Parameters<typeof readPage>[0] },
): Promise<Answer> {
  const page = readPage(input, { standard: 20, most: 40 });
  const rows = await queries[kind](app, page, { accountId: viewer.accountId });
  const ids = await keepVisible(
    app,
    viewer.accountId,
    rows.map(({ status_id }) => status_id),
    'saved',
  );
  return paginated(app, request, { json: jsonList(await presentStatuses(app, viewer, ids)), ...ends(page, rows) });
}
