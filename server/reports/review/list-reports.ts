import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pagedQuery, pageEnds, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ReportCategory } from '../schema.ts';
import type { ReportRow } from './lock-report.ts';

export interface ReportFilters {
  readonly state: 'open' | 'resolved' | 'all';
  /** The reporter. */
  readonly accountId?: AccountId | undefined;
  readonly targetAccountId?: AccountId | undefined;
  readonly category?: ReportCategory | undefined;
  /** Whether the reported account is local. */
  readonly origin?: 'local' | 'remote' | undefined;
  /** The staff member who works on it; null: nobody. */
  readonly assigneeId?: AccountId | null | undefined;
}

/** Of a filter that is not set, the listing does not read its value. */
interface Args {
  readonly accountId: AccountId | undefined;
  readonly targetAccountId: AccountId | undefined;
  readonly assigneeId: AccountId | undefined;
}
type ListPage = (app: App, page: Page, args: Args) => Promise<ReportRow[]>;

/** Posts of the reports of one page, which bounds its size: a report may name a hundred. */
const maxStatuses = 1_000;

/** By the filters that are set: one statement for each combination, so that each has a plan with its own index. */
const listings = new Map<string, ListPage>();

/** Returns the listing of a combination of filters. There are 540 combinations, of which few are ever used. */
function listingFor({ state, accountId, targetAccountId, category, origin, assigneeId }: ReportFilters): ListPage {
  const key = [
    state,
    ...[accountId, targetAccountId].map((value) => value !== undefined),
    category,
    origin,
    assigneeId === null ? 'nobody' : assigneeId !== undefined,
  ].join(' ');
  const known = listings.get(key);
  if (known !== undefined) return known;
  const listing = defineListing({ state, accountId, targetAccountId, category, origin, assigneeId });
  listings.set(key, listing);
  return listing;
}

/** Declares the listing of reports with these filters. Of an account only counts whether it is set. */
function defineListing({ state, accountId, targetAccountId, category, origin, assigneeId }: ReportFilters): ListPage {
  return pagedQuery<ReportRow>()<Args>((db, args, order) =>
    selectPage(
      db
        .selectFrom('reports')
        .selectAll()
        .$if(state === 'open', (query) => query.where('action_taken_at', 'is', null))
        .$if(state === 'resolved', (query) => query.where('action_taken_at', 'is not', null))
        .$if(accountId !== undefined, (query) => query.where(sql<boolean>`account_id = ${args.accountId}`))
        .$if(targetAccountId !== undefined, (query) =>
          query.where(sql<boolean>`target_account_id = ${args.targetAccountId}`),
        )
        .$if(category !== undefined, (query) => query.where(isOfCategory(category as ReportCategory)))
        .$if(origin !== undefined, (query) => query.where(isAbout(origin === 'local')))
        .$if(assigneeId === null, (query) => query.where('assigned_account_id', 'is', null))
        .$if(typeof assigneeId === 'string', (query) =>
          query.where(sql<boolean>`assigned_account_id = ${args.assigneeId}`),
        ),
      args,
      order,
    ),
  );
}

/** The category is part of the statement, because the plan depends on how frequent it is. */
const isOfCategory = (category: ReportCategory): RawBuilder<boolean> => sql<boolean>`category = ${sql.lit(category)}`;

const isAbout = (local: boolean): RawBuilder<boolean> => sql<boolean>`exists (
  select from accounts where accounts.id = reports.target_account_id
    and domain is ${local ? sql`` : sql`not`} null)`;

/** Returns a page of reports, newest first. It is shorter if its reports name very many posts. */
export async function listReports(
  app: App,
  page: Page,
  filters: ReportFilters,
): Promise<{ readonly reports: ReportRow[] } & PageEnds> {
  const { accountId, targetAccountId, assigneeId } = filters;
  const args = { accountId, targetAccountId, assigneeId: assigneeId ?? undefined };
  const rows = await listingFor(filters)(app, page, args);
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
