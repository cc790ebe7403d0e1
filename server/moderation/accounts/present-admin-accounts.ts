import type { Account } from '../../accounts/index.ts';
import {
  loadCachedAccounts,
  parseAccount,
  toAccountText,
  type AccountContext,
  type CachedAccount,
} from '../../accounts/present/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { asciiJson, JsonText } from '../../platform/http/http-response.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadAdminDetails, type AdminDetails } from './load-admin-details.ts';
import type { AdminAccount } from './schema.ts';

type Viewer = { readonly accountId: AccountId };

/** An account as staff see it, and the profile that is part of it. */
export interface PresentedAccount {
  readonly json: JsonText<AdminAccount>;
  readonly profile: JsonText<Account>;
}

/**
 * Returns accounts as staff see them, by id, also suspended ones and pending sign-ups. Unknown and deleted ones are left
 * out. The number of statements does not depend on the number of accounts, and each account is rendered once.
 */
export async function presentAdminAccounts(
  app: App,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<Map<AccountId, PresentedAccount>> {
  if (ids.length === 0) return new Map();
  const [details, accounts] = await Promise.all([loadAdminDetails(app, ids), loadCachedAccounts(app, ids)]);
  const context = mediaViewerOf(viewer);
  return new Map(
    details.flatMap((row) => {
      const account = accounts.get(row.id);
      return account === undefined ? [] : [[row.id, present(row, account, context)]];
    }),
  );
}

/** Returns one account as staff see it. Throws 404 if it is unknown or deleted. */
export async function presentAdminAccount(app: App, viewer: Viewer, id: AccountId): Promise<JsonText<AdminAccount>> {
  const account = (await presentAdminAccounts(app, viewer, [id])).get(id);
  if (account === undefined) throw notFound();
  return account.json;
}

function present(row: AdminDetails, cached: CachedAccount, context: AccountContext): PresentedAccount {
  const { created_by_application_id: applicationId, invited_by_account_id: inviterId, email } = row;
  const { unconfirmed_email } = row;
  const hasUser = email !== null;
  const ips = row.ips.map(({ ip, used_at }) => ({ ip, used_at: new Date(used_at).toISOString() }));
  const members: Omit<AdminAccount, 'account'> = {
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
    ...(unconfirmed_email !== null && { unconfirmed_email }),
    ...(row.lacks_proof_of_work === true && { lacks_proof_of_work: true }),
    ...(applicationId !== null && { created_by_application_id: applicationId }),
    ...(inviterId !== null && { invited_by_account_id: inviterId }),
  };
  return render(members, toAccountText(cached, context));
}

/** Presents a deleted account, of which only the name is left. */
export function presentDeletedAccount(cached: CachedAccount): PresentedAccount {
  const account = parseAccount(cached);
  const members: Omit<AdminAccount, 'account'> = {
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
  };
  return render(members, new JsonText(asciiJson(account)));
}

function render(members: Omit<AdminAccount, 'account'>, profile: JsonText<Account>): PresentedAccount {
  const text = `${asciiJson(members).slice(0, -1)},"account":${profile.text}}`;
  return { json: new JsonText(text), profile };
}
