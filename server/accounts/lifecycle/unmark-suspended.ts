import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadDomainRule } from '../../site/domains/index.ts';
import { accountChanged, accountUnsuspended } from '../events.ts';
import { writable } from '../tables.ts';

/**
 * Lifts the suspension of an account by staff. If a block suspends its domain meanwhile, that takes its place. Returns false
 * if it was not suspended. Throws 403 if its own server, or the block of its domain, suspends it: only they can lift that.
 */
export async function unmarkSuspended(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const account = await tx.db
    .selectFrom('accounts')
    .select(['suspension_origin', 'domain'])
    .where('id', '=', accountId)
    .where('suspended_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) return false;
  if (account.suspension_origin === 'remote') throw forbidden('accounts.suspendedByOwnServer');
  if (account.suspension_origin === 'domain') throw forbidden('accounts.suspendedByDomainBlock');
  const { domain } = account;
  if (domain !== null && (await loadDomainRule(tx, app, domain)).severity === 'suspend') {
    await writable(tx.db)
      .updateTable('accounts')
      .set({ suspension_origin: 'domain' })
      .where('id', '=', accountId)
      .execute();
    return true;
  }
  await writable(tx.db)
    .updateTable('accounts')
    // A remote account is fetched again: its own server may have suspended it meanwhile.
    .set({ suspended_at: null, suspension_origin: null, ...(domain !== null && { fetched_at: null }) })
    .where('id', '=', accountId)
    .execute();
  tx.emit(accountUnsuspended({ accountId }));
  tx.emit(accountChanged({ accountId }));
  return true;
}
