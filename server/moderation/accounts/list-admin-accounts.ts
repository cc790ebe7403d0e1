import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import { buildConditions, type AccountFilters } from './account-filters.ts';

/** Up to so many matches are sorted; a page of more is found by a walk over the ids. */
const maxSorted = 2_000;

/** Returns the ids of a page of accounts, newest first, local and remote, also suspended ones and pending sign-ups. */
export async function listAdminAccounts(
  app: App,
  page: Page,
  filters: AccountFilters,
): Promise<{ readonly ids: AccountId[] } & PageEnds> {
  const { maxId, sinceId, minId } = page;
  const { ofAccount, ofUser } = buildConditions(filters);
  const above = minId ?? sinceId;
  const conditions = [
    ...ofAccount,
    ...ofUser,
    ...(maxId === undefined ? [] : [sql<boolean>`account.id < ${maxId}::bigint`]),
    ...(above === undefined ? [] : [sql<boolean>`account.id > ${above}::bigint`]),
  ];
  const matches: Matches = { conditions: sql.join(conditions, sql` and `), hasUser: ofUser.length > 0 };
  const found = (await findFew(app, matches, page)) ?? (await walk(app, matches, page));
  const newestFirst = minId === undefined ? found : found.toReversed();
  return { ids: newestFirst.map(({ id }) => id), ...pageEnds(page, newestFirst) };
}

interface Matches {
  readonly conditions: RawBuilder<unknown>;
  readonly hasUser: boolean;
}

interface MatchRow {
  readonly id: AccountId;
}

const from = ({ conditions, hasUser }: Matches) => sql`
  from accounts account ${hasUser ? sql`join users "user" on "user".account_id = account.id` : sql``}
  where ${conditions}`;

const direction = ({ minId }: Page) => (minId === undefined ? sql`desc` : sql`asc`);

/**
 * Returns a page of rare matches; undefined if there are many. PostgreSQL cannot know how rare they are: with an order it
 * would walk over all accounts, without one it uses the indexes of the filters.
 */
async function findFew({ db }: App, matches: Matches, page: Page): Promise<MatchRow[] | undefined> {
  const { rows } = await sql<MatchRow & { readonly matches: number }>`
    with few as materialized (select account.id ${from(matches)} limit ${maxSorted + 1})
    select id, (select count(*)::int from few) as matches from few
    order by id ${direction(page)} limit ${page.limit}`.execute(db);
  return rows[0] !== undefined && rows[0].matches > maxSorted ? undefined : rows;
}

async function walk({ db }: App, matches: Matches, page: Page): Promise<MatchRow[]> {
  const { rows } = await sql<MatchRow>`
    select account.id ${from(matches)} order by account.id ${direction(page)} limit ${page.limit}`.execute(db);
  return rows;
}
