import { sql } from 'kysely';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import { addAlias, removeAlias } from '../accounts/move/index.ts';
import { findAccountByAcct, requireAccount } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { invalidFieldsError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import type { AccountId } from '../platform/ids.ts';
import { resolveFreshAccount } from './resolve-fresh-account.ts';
import type { Alias } from './schema.ts';

const accountsByUri = preparedQuery<{ id: AccountId; uri: string }>()((db, { uris }: { uris: readonly string[] }) =>
  db
    .selectFrom('accounts')
    .select(['id', 'uri'])
    .where('uri', '=', sql<string>`any(${uris}::text[])`)
    .where('deleted_at', 'is', null),
);

/** Lists the aliases of an account, in the order in which they were added. */
export async function listAliases(app: App, accountId: AccountId): Promise<Alias[]> {
  const { also_known_as: uris } = await requireAccount(app, accountId);
  const rows = await accountsByUri(app, { uris });
  const bodies = await loadCachedAccounts(
    app,
    rows.map(({ id }) => id),
  );
  const acctByUri = new Map([...bodies.values()].map(({ uri, acct }) => [uri, acct]));
  return uris.map((uri) => ({ uri, acct: acctByUri.get(uri) ?? null }));
}

/**
 * Adds an alias, so that the other account can move to this one. A remote account is fetched again first. Throws 422 for
 * the account itself and for an unknown one, 503 if the remote server does not respond.
 */
export async function addAliasByHandle(app: App, accountId: AccountId, acct: string): Promise<void> {
  const alias = await resolveFreshAccount(app, acct);
  if (alias === undefined || alias.id === accountId) {
    const description = message(alias === undefined ? 'problems.notFound' : 'problems.accountItself');
    throw invalidFieldsError([{ field: 'acct', error: 'ERR_INVALID', description }]);
  }
  await addAlias(app, accountId, alias.uri);
}

/** Removes an alias, by its handle or its URI. No-op if there is none. */
export async function removeAliasByHandle(app: App, accountId: AccountId, handleOrUri: string): Promise<void> {
  const alias = handleOrUri.includes('://') ? undefined : await findAccountByAcct(app, handleOrUri);
  await removeAlias(app, accountId, alias?.uri ?? handleOrUri);
}
