import { markDeleted } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { FetchError } from '../fetch/fetch-document.ts';
import { isGoneAtOrigin } from '../fetch/is-gone-at-origin.ts';
import { visitRemoteAccounts, type RemoteAccountFilter, type VisitedAccount } from './visit-remote-accounts.ts';

/** An account that was fetched since then is not asked for. */
const minAgeMs = 7 * 86_400_000;

export interface CullOptions extends Pick<RemoteAccountFilter, 'domains'> {
  /** Only lists the accounts. */
  readonly dryRun?: boolean | undefined;
  /** Called for each account. */
  readonly onAccount?: ((account: VisitedAccount) => void) | undefined;
}

export interface CullResult {
  /** Accounts that their servers answered for. */
  readonly asked: number;
  /** `name@domain` of each account that is gone. */
  readonly culled: readonly string[];
  /** Servers that did not answer. Their other accounts were not asked for. */
  readonly unreachable: readonly string[];
}

/** Returns which accounts `cullAccounts` asks for. */
export const cullFilter = (app: App, { domains }: Pick<CullOptions, 'domains'>): RemoteAccountFilter => ({
  domains,
  fetchedBefore: new Date(app.clock.now().getTime() - minAgeMs),
});

/**
 * Asks the servers of remote accounts for those that were not fetched within a week, and deletes the accounts that they
 * answer with 404, 410 or a Tombstone. A server that does not answer keeps its accounts.
 */
export async function cullAccounts(
  app: App,
  staff: Staff,
  { dryRun = false, onAccount, ...options }: CullOptions,
): Promise<CullResult> {
  let asked = 0;
  const culled: string[] = [];
  const unreachable = new Set<string>();
  await visitRemoteAccounts(app, cullFilter(app, options), async (account) => {
    onAccount?.(account);
    if (unreachable.has(account.domain)) return;
    const isGone = await isAccountGone(app, account);
    if (isGone === undefined) return void unreachable.add(account.domain);
    asked += 1;
    if (!isGone) return;
    culled.push(labelOf(account));
    if (!dryRun) await cull(app, staff, account);
  });
  return { asked, culled: culled.toSorted(), unreachable: [...unreachable].toSorted() };
}

/** Returns undefined if the server does not answer. */
async function isAccountGone(app: App, { uri }: VisitedAccount): Promise<boolean | undefined> {
  try {
    return await isGoneAtOrigin(app, uri, { acceptsMissing: true });
  } catch (error) {
    if (error instanceof FetchError) return undefined;
    // Whatever it served, it is there.
    if (error instanceof DocumentError) return false;
    throw error;
  }
}

const cull = (app: App, staff: Staff, account: VisitedAccount): Promise<void> =>
  transaction(app, async (tx) => {
    if (!(await markDeleted(tx, app, account.id))) return;
    recordStaffAction(tx, staff, { target: 'account', verb: 'cull', id: account.id, label: labelOf(account) });
  });

const labelOf = ({ username, domain }: VisitedAccount): string => `${username}@${domain}`;
