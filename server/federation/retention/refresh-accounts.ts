import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { resolveAccount } from '../fetch/resolve-account.ts';
import { visitRemoteAccounts, type RemoteAccountFilter, type VisitedAccount } from './visit-remote-accounts.ts';

export interface AccountRefreshOptions extends RemoteAccountFilter {
  /** The accounts as people call them, for the audit log. */
  readonly label: string;
  /** Called for each account. */
  readonly onAccount?: ((account: VisitedAccount) => void) | undefined;
}

/** How many accounts were fetched again, and those whose server did not serve them. */
export interface AccountRefreshResult {
  readonly refreshed: number;
  /** `name@domain` of each. */
  readonly failed: readonly string[];
}

/** Fetches remote accounts from their servers again: profile, keys, and collections that are stale. */
export async function refreshAccounts(
  app: App,
  staff: Staff,
  { label, onAccount, ...filter }: AccountRefreshOptions,
): Promise<AccountRefreshResult> {
  await transaction(app, async (tx) => recordStaffAction(tx, staff, { target: 'account', verb: 'refresh', label }));
  let refreshed = 0;
  const failed: string[] = [];
  await visitRemoteAccounts(app, filter, async (account) => {
    const id = await resolveAccount(app, account.uri, { fresh: true });
    if (id === undefined) failed.push(`${account.username}@${account.domain}`);
    else refreshed += 1;
    onAccount?.(account);
  });
  return { refreshed, failed: failed.toSorted() };
}
