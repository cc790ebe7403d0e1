import { anonymousMediaViewer, mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import type { JsonTemplate } from '../../platform/http/json-template.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AccountContext, CachedAccount } from './query-cached-accounts.ts';
import { loadCachedAccounts } from './account-cache.ts';
import type { Account } from '../schema.ts';

/** Undefined: anonymous. */
type Viewer = { readonly accountId: AccountId } | undefined;

/** Adds an account's JSON to `fragments`. */
export function renderAccountInto(
  fragments: string[],
  { profile, counters }: CachedAccount,
  context: AccountContext,
): void {
  profile.renderInto(fragments, context);
  fragments.push(counters.jsonEnd);
}

/** Returns the JSON of one account. */
export function toAccountText(account: CachedAccount, context: AccountContext): JsonText<Account> {
  const fragments: string[] = [];
  renderAccountInto(fragments, account, context);
  return new JsonText(fragments);
}

/** Returns an account's JSON with more members, such as `,"muted":true`, as a template. */
export const toAccountTemplate = ({ profile, counters }: CachedAccount, more = ''): JsonTemplate<AccountContext> =>
  profile.append(`${counters.jsonEnd.slice(0, -1)}${more}}`);

/** Returns an account as an object, as anonymous viewers see it. */
export const parseAccount = (account: CachedAccount): Account => toAccountText(account, anonymousMediaViewer).parse();

/** Returns the accounts with these ids, in the order given. Unknown, deleted and not yet activated ones are left out. */
export async function presentAccounts(
  app: App,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<JsonText<Account>[]> {
  const accounts = await loadCachedAccounts(app, ids);
  const context = mediaViewerOf(viewer);
  return ids.flatMap((id) => {
    const account = accounts.get(id);
    return account?.activated === true ? [toAccountText(account, context)] : [];
  });
}

/** Returns one account. Throws 404 where `presentAccounts` would leave it out. */
export async function presentAccount(app: App, viewer: Viewer, id: AccountId): Promise<JsonText<Account>> {
  const [account] = await presentAccounts(app, viewer, [id]);
  if (account === undefined) throw notFound();
  return account;
}
