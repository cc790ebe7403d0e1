import { sql } from 'kysely';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { blocksDomainSql, hidesNotifications, loadAccountRelations } from '../../relationships/rules/index.ts';
import { PageFiller, type FilledPage } from '../../timelines/index.ts';
import { maxCount } from './count-requests.ts';
import type { RequestId } from './schema.ts';

export interface RequestRow {
  readonly id: RequestId;
  readonly from_account_id: AccountId;
  readonly last_status_id: StatusId | null;
  readonly notifications_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const requestColumns = [
  'id',
  'from_account_id',
  'last_status_id',
  'notifications_count',
  'created_at',
  'updated_at',
] as const;

const selectRequests = (ascending: boolean) =>
  preparedQuery<RequestRow>()((db, args: { accountId: AccountId; bound: RequestId; limit: number }) =>
    db
      .selectFrom('notification_requests')
      .select(requestColumns)
      .where('account_id', '=', args.accountId)
      .where('id', ascending ? '>' : '<', args.bound)
      .orderBy('id', ascending ? 'asc' : 'desc')
      .limit(args.limit),
  );

const statements = { asc: selectRequests(true), desc: selectRequests(false) };

/** Returns a page of the pending requests to an account, newest first. */
export async function listRequests(
  app: App,
  accountId: AccountId,
  page: Page,
): Promise<FilledPage<RequestId> & { readonly rows: RequestRow[] }> {
  const rowsById = new Map<RequestId, RequestRow>();
  const filler = new PageFiller<RequestId>(page);
  while (filler.needsMore) {
    const { direction, bound } = filler.cursor;
    const rows = await statements[direction](app, { accountId, bound, limit: page.limit });
    for (const row of rows) rowsById.set(row.id, row);
    const candidates = filler.withinPage(rows.map(({ id }) => id)).flatMap((id) => rowsById.get(id) ?? []);
    const visible = await filterVisibleRequests(app, accountId, candidates);
    filler.add(
      visible.map(({ id }) => id),
      rows.length === page.limit ? rows.at(-1)?.id : undefined,
    );
  }
  const filled = filler.result();
  return { ...filled, rows: filled.ids.flatMap((id) => rowsById.get(id) ?? []) };
}

/** Filters out requests from accounts that are suspended, blocked or muted. */
async function filterVisibleRequests(
  app: App,
  accountId: AccountId,
  rows: readonly RequestRow[],
): Promise<RequestRow[]> {
  if (rows.length === 0) return [];
  const [relations, senders] = await Promise.all([
    loadAccountRelations(app, accountId),
    loadCachedAccounts(
      app,
      rows.map((row) => row.from_account_id),
    ),
  ]);
  return rows.filter(({ from_account_id: from }) => {
    const sender = senders.get(from);
    return sender !== undefined && !sender.suspended && !hidesNotifications(relations, sender);
  });
}

/** Returns a request to the account. Throws 404 if there is none, or its sender is hidden. */
export async function requireRequest(app: App, accountId: AccountId, id: RequestId): Promise<RequestRow> {
  const row = await app.db
    .selectFrom('notification_requests')
    .select(requestColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [visible] = row === undefined ? [] : await filterVisibleRequests(app, accountId, [row]);
  if (visible === undefined) throw notFound();
  return visible;
}

interface RequestTotals {
  /** At most 100. */
  readonly pending_requests_count: number;
  /** The notifications of the counted requests. */
  readonly pending_notifications_count: number;
}

const selectTotals = preparedQuery<RequestTotals>()((db, { accountId }: { accountId: AccountId }) => ({
  compile: () =>
    sql<RequestTotals>`
      select count(*)::int as pending_requests_count,
        coalesce(sum(notifications_count), 0)::int as pending_notifications_count
      from (
        select r.notifications_count from notification_requests r
        join accounts f on f.id = r.from_account_id and f.suspended_at is null
          and not ${blocksDomainSql(sql`r.account_id`, sql`f.domain`)}
        where r.account_id = ${accountId}::bigint order by r.id desc limit ${sql.lit(maxCount)}) pending`.compile(db),
}));

/** Counts the pending requests to an account, and their notifications. */
export async function countRequests(app: App, accountId: AccountId): Promise<RequestTotals> {
  const [totals = { pending_requests_count: 0, pending_notifications_count: 0 }] = await selectTotals(app, {
    accountId,
  });
  return totals;
}
