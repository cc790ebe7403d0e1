import { isOutdated, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Whether the collections of an account, if it is of another server, were not read for a day. */
export function isStale(
  app: App,
  { domain, collections_fetched_at: last }: Pick<AccountRow, 'domain' | 'collections_fetched_at'>,
): boolean {
  return domain !== null && isOutdated(app, last);
}

/** The same, of an account as the transaction has stored it. */
export async function areCollectionsStale({ db }: Write, app: App, accountId: AccountId): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(['domain', 'collections_fetched_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account !== undefined && isStale(app, account);
}
