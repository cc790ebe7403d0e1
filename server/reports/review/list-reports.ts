import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ReportCategory } from '../schema.ts';
import type { ReportRow } from './lock-report.ts';

const states = ['open', 'resolved', 'all'] as const;

export interface ReportFilters {
  readonly state: (typeof states)[number];
  /** The reporter. */
  readonly accountId?: AccountId | undefined;
  readonly targetAccountId?: AccountId | undefined;
  readonly category?: ReportCategory | undefined;
  /** Whether the reported account is local. */
  readonly origin?: 'local' | 'remote' | undefined;
  /** The staff member who works on it; null: nobody. */
  readonly assigneeId?: AccountId | null | undefined;
}

interface Args {
  readonly accountId: AccountId | undefined;
  readonly targetAccountId: AccountId | undefined;
  /** Empty texts: any. These filters need no index: they are few beside the states and accounts. */
  readonly category: ReportCategory | '';
  readonly origin: 'local' | 'remote' | '';
  /** '0': nobody. */
  readonly assigneeId: AccountId | '0' | '';
}
type ListPage = (app: App, page: Page, args: Args) => Promise<ReportRow[]>;

/** Posts of the reports of one page, which bounds its size: a report may name a hundred. */
const maxStatuses = 1_000;

const keyOf = ({ state, accountId, targetAccountId }: ReportFilters): string =>
  `${state} ${accountId !== undefined} ${targetAccountId !== undefined}`;

/** One statement for each combination of filters, so that each has a plan with its own index. */
const listings: ReadonlyMap<string, ListPage> = new Map(
  states.flatMap((state) =>
    [undefined, '0' as AccountId].flatMap((accountId) =>
      [undefined, '0' as AccountId].map((targetAccountId): [string, ListPage] => {
        const filters = { state, accountId, targetAccountId };
        return [keyOf(filters), defineListing(filters)];
      }),
    ),
  ),
);

function defineListing({ state, accountId, targetAccountId }: ReportFilters): ListPage {
  return pagedQuery<ReportRow>()<Args>((db, args, order) =>
    selectPage(
      db
        .selectFrom('reports')
        .selectAll()
        .$if(state === 'open', (query) => query.where('action_taken_at', 'is', null))
        .$if(state === 'resolved', (query) => query.where('action_taken_at', 'is not', null))
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', args.accountId as AccountId))
        .$if(targetAccountId !== undefined, (query) =>
          query.where('target_account_id', '=', args.targetAccountId as AccountId),
        )
        .where(sql<boolean>`(${args.category}::text = '' or category = ${args.category}::text)`)
        .where(
          sql<boolean>`(${args.origin}::text = '' or exists (select from accounts
            where accounts.id = reports.target_account_id
              and (accounts.domain is null) = (${args.origin}::text = 'local')))`,
        )
        .where(
          sql<boolean>`(${args.assigneeId}::text = ''
            or coalesce(assigned_account_id, 0) = nullif(${args.assigneeId}::text, '')::bigint)`,
        ),
      args,
      order,
    ),
  );
}

/** Returns a page of reports, newest first. It is shorter if its reports name very many posts. */
export async function listReports(
  app: App,
  page: Page,
  filters: ReportFilters,
): Promise<{ readonly reports: ReportRow[] } & PageEnds> {
  const list = listings.get(keyOf(filters)) as ListPage;
  const { accountId, targetAccountId, category = '', origin = '', assigneeId = '' } = filters;
  const rows = await list(app, page, { accountId, targetAccountId, category, origin, assigneeId: assigneeId ?? '0' });
  const isUpwards = page.minId !== undefined;
  const kept = isUpwards ? limitStatuses(rows.toReversed()).toReversed() : limitStatuses(rows);
  const ends = pageEnds(page, kept);
  return { reports: kept, ...ends, more: ends.more || (!isUpwards && kept.length < rows.length) };
}

/** Returns the first reports that together name at most `maxStatuses` posts, at least one. */
function limitStatuses(rows: readonly ReportRow[]): ReportRow[] {
  let count = 0;
  const end = rows.findIndex(({ status_ids: ids }, index) => (count += ids.length) > maxStatuses && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
