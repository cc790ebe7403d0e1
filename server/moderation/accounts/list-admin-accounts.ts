import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, type PageEnds } from '../../platform/database/paged-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId } from '../../platform/ids.ts';
import { buildConditions, type AccountFilters } from './account-filters.ts';

/** Returns the ids of a page of accounts, newest first, local and remote, also suspended ones and pending sign-ups. */
export async function listAdminAccounts(
  app: App,
  { limit, maxId, sinceId, minId }: Page,
  filters: AccountFilters,
): Promise<{ readonly ids: AccountId[] } & PageEnds> {
  const { ofAccount, ofUser } = buildConditions(filters);
  const above = minId ?? sinceId;
  const conditions = [
    ...ofAccount,
    ...ofUser,
    ...(maxId === undefined ? [] : [sql<boolean>`account.id < ${maxId}::bigint`]),
    ...(above === undefined ? [] : [sql<boolean>`account.id > ${above}::bigint`]),
  ];
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from accounts account
    ${ofUser.length > 0 ? sql`join users "user" on "user".account_id = account.id` : sql``}
    where ${sql.join(conditions, sql` and `)}
    order by account.id ${minId === undefined ? sql`desc` : sql`asc`} limit ${limit}`.execute(app.db);
  const newestFirst = minId === undefined ? rows : rows.toReversed();
  const page = { limit, maxId, sinceId, minId };
  return { ids: newestFirst.map(({ id }) => id), ...pageEnds(page, newestFirst) };
}
