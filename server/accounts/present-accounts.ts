import type { App } from '../platform/app.ts';
import { JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AccountBody } from './account-bodies.ts';
import { accountBodies } from './account-cache.ts';
import type { Account } from './schema.ts';

/** The accounts of these ids in the order given; unknown, deleted and not yet activated ones are left out. */
export async function presentAccounts(app: App, ids: readonly AccountId[]): Promise<JsonText<Account>[]> {
  return inOrder(await accountBodies(app, ids), ids, ({ json }) => json);
}

/** One account; 404 where `presentAccounts` would leave it out. */
export async function presentAccount(app: App, id: AccountId): Promise<JsonText<Account>> {
  const [account] = await presentAccounts(app, [id]);
  if (account === undefined) throw notFound();
  return account;
}

function inOrder(
  bodies: ReadonlyMap<AccountId, AccountBody>,
  ids: readonly AccountId[],
  textOf: (body: AccountBody) => string,
): JsonText<Account>[] {
  return ids.flatMap((id) => {
    const body = bodies.get(id);
    return body?.activated === true ? [new JsonText<Account>(textOf(body))] : [];
  });
}
