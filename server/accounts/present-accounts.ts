import type { App } from '../platform/app.ts';
import { JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import type { CachedAccount } from './query-cached-accounts.ts';
import { loadCachedAccounts } from './account-cache.ts';
import type { Account } from './schema.ts';

/** The accounts of these ids in the order given; unknown, deleted and not yet activated ones are left out. */
export async function presentAccounts(app: App, ids: readonly AccountId[]): Promise<JsonText<Account>[]> {
  return presentInOrder(await loadCachedAccounts(app, ids), ids, ({ json }) => json);
}

/** One account; 404 where `presentAccounts` would leave it out. */
export async function presentAccount(app: App, id: AccountId): Promise<JsonText<Account>> {
  const [account] = await presentAccounts(app, [id]);
  if (account === undefined) throw notFound();
  return account;
}

function presentInOrder(
  bodies: ReadonlyMap<AccountId, CachedAccount>,
  ids: readonly AccountId[],
  textOf: (body: CachedAccount) => string,
): JsonText<Account>[] {
  return ids.flatMap((id) => {
    const body = bodies.get(id);
    return body?.activated === true ? [new JsonText<Account>(textOf(body))] : [];
  });
}
