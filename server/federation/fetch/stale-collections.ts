import { isOutdated } from '../../accounts/remote/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Whether the collections of a remote account were last fetched more than a day ago. */
export function hasStaleCollections(
  app: App,
  { domain, collections_fetched_at: last }: Pick<AccountRow, 'domain' | 'collections_fetched_at'>,
): boolean {
  return domain !== null && isOutdated(app, last);
}

/** Like `hasStaleCollections`, for the account as the transaction sees it. */
export async function loadCollectionsStale({ db }: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(['domain', 'collections_fetched_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account !== undefined && hasStaleCollections(app, account);
}
