import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { instanceActorId } from '../actor-urls.ts';
import { accountChanged } from '../events.ts';
import { writable } from '../tables.ts';
import { accountSensitivityChanged } from './limit-events.ts';

/** Marks all media of an account as sensitive. Returns false if they were. Throws 403 for the instance actor. */
export async function markSensitized(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  if (accountId === instanceActorId) throw forbidden('accounts.instanceActor');
  return setSensitized(tx, accountId, app.clock.now());
}

/** Undoes `markSensitized`; media that authors marked stay so. Returns false if the account was not marked. */
export const unmarkSensitized = (tx: Transaction, accountId: AccountId): Promise<boolean> =>
  setSensitized(tx, accountId, null);

async function setSensitized({ db, emit }: Transaction, accountId: AccountId, since: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await writable(db)
    .updateTable('accounts')
    .set({ sensitized_at: since })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('sensitized_at', since === null ? 'is not' : 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  emit(accountSensitivityChanged({ accountId }));
  emit(accountChanged({ accountId }));
  return true;
}
