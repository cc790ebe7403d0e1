import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadDomainRule } from '../../site/domains/index.ts';
import { instanceActorId } from '../actor-urls.ts';
import { accountChanged } from '../events.ts';
import { writable } from '../tables.ts';
import { accountSilenceChanged } from './limit-events.ts';

/**
 * Silences an account by staff. A limit by the block of its domain becomes one by staff, which stays when the block ends.
 * Returns false if staff had silenced it before. Throws 403 for the instance actor.
 */
export async function markSilenced(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  if (accountId === instanceActorId) throw forbidden('accounts.instanceActor');
  const silenced = await writable(tx.db)
    .updateTable('accounts')
    .set((eb) => ({
      silenced_at: eb.fn.coalesce('silenced_at', eb.val(app.clock.now())),
      silence_origin: 'local' as const,
    }))
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('silenced_at', 'is', null), where('silence_origin', '=', 'domain')]))
    .returning('domain')
    .executeTakeFirst();
  if (silenced === undefined) return false;
  emitChange(tx, accountId, silenced.domain);
  return true;
}

/**
 * Lifts the limit that staff set on an account. If a block limits its domain, the account stays limited by that. Returns
 * false if staff had not silenced it.
 */
export async function unmarkSilenced(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const account = await tx.db
    .selectFrom('accounts')
    .select(['domain', 'silenced_at'])
    .where('id', '=', accountId)
    .where('silenced_at', 'is not', null)
    .where('silence_origin', 'is distinct from', 'domain')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) return false;
  const { domain } = account;
  const isLimited = domain !== null && (await loadDomainRule(tx, app, domain)).severity === 'silence';
  await writable(tx.db)
    .updateTable('accounts')
    .set(isLimited ? { silence_origin: 'domain' } : { silenced_at: null, silence_origin: null })
    .where('id', '=', accountId)
    .execute();
  emitChange(tx, accountId, domain);
  return true;
}

function emitChange({ emit }: Transaction, accountId: AccountId, domain: string | null): void {
  if (domain === null) emit(accountSilenceChanged({ accountId }));
  emit(accountChanged({ accountId }));
}
