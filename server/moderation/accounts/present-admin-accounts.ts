import type { Account } from '../../accounts/index.ts';
import { loadCachedAccounts, parseAccount, toAccountText, type CachedAccount } from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAdminDetails, type AdminDetails } from './load-admin-details.ts';
import type { AdminAccount } from './schema.ts';

type Viewer = { readonly accountId: AccountId };

/**
 * Returns accounts as staff see them, by id, also suspended ones and pending sign-ups. Unknown and deleted ones are left
 * out. The number of statements does not depend on the number of accounts.
 */
export async function presentAdminAccounts(
  app: App,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<Map<AccountId, AdminAccount>> {
  if (ids.length === 0) return new Map();
  const [details, accounts] = await Promise.all([loadAdminDetails(app, ids), loadCachedAccounts(app, ids)]);
  return new Map(
    details.flatMap((row) => {
      const account = accounts.get(row.id);
      return account === undefined ? [] : [[row.id, present(row, account, viewer)]];
    }),
  );
}

/** Returns one account as staff see it. Throws 404 if it is unknown or deleted. */
export async function presentAdminAccount(app: App, viewer: Viewer, id: AccountId): Promise<AdminAccount> {
  const account = (await presentAdminAccounts(app, viewer, [id])).get(id);
  if (account === undefined) throw notFound();
  return account;
}

function present(row: AdminDetails, cached: CachedAccount, viewer: Viewer): AdminAccount {
  const { created_by_application_id: applicationId, invited_by_account_id: inviterId, email } = row;
  const hasUser = email !== null;
  const ips = row.ips.map(({ ip, used_at }) => ({ ip, used_at: new Date(used_at).toISOString() }));
  return {
    id: row.id,
    username: row.username,
    domain: row.domain,
    created_at: row.created_at.toISOString(),
    email,
    ip: ips[0]?.ip ?? null,
    ips: hasUser ? ips : null,
    locale: row.locale,
    invite_request: row.invite_request,
    role: row.role,
    confirmed: hasUser ? row.confirmed : null,
    approved: row.approved,
    disabled: row.disabled,
    sensitized: row.sensitized,
    silenced: cached.silenced,
    suspended: cached.suspended,
    account: JSON.parse(toAccountText(cached, mediaViewerOf(viewer)).text) as Account,
    ...(applicationId !== null && { created_by_application_id: applicationId }),
    ...(inviterId !== null && { invited_by_account_id: inviterId }),
  };
}

/** Presents a deleted account, of which only the name is left. */
export function presentDeletedAccount(cached: CachedAccount): AdminAccount {
  const account = parseAccount(cached);
  return {
    id: cached.id,
    username: cached.username,
    domain: cached.domain,
    created_at: account.created_at,
    email: null,
    ip: null,
    ips: null,
    locale: null,
    invite_request: null,
    role: null,
    confirmed: null,
    approved: null,
    disabled: null,
    sensitized: false,
    silenced: cached.silenced,
    suspended: true,
    account,
  };
}
