import { isOutdated, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Whether the collections of an account, if it is of another server, were not read for a day. */
export function hasStaleCollections(
  app: App,
  { domain, collections_fetched_at: last }: Pick<AccountRow, 'domain' | 'collections_fetched_at'>,
): boolean {
  return domain !== null && isOutdated(app, last);
}

/** The same, of an account as the transaction has stored it. */
export async function loadCollectionsStale({ db }: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(['domain', 'collections_fetched_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account !== undefined && hasStaleCollections(app, account);
}
