import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { statusPinned, statusUnpinned } from '../events.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { writable } from '../tables.ts';
import { plainVisibility } from '../visibility/visibility.ts';

/** Statuses that a local account may pin to its profile. */
export const maxPins = 5;

/**
 * Pins a status to its author's profile. Throws 404 if the account may not see it, 422 for statuses of other accounts,
 * reblogs, direct statuses, and more than five pins (STA-17).
 */
export async function pinStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const status = await requireVisibleStatus(app, accountId, statusId);
  if (status.reblogOfId !== null) throw validationFailed('statuses.pinBoost');
  if (status.accountId !== accountId) throw validationFailed('statuses.pinForeign');
  if (plainVisibility(status.visibility) === 'direct') throw validationFailed('statuses.pinDirect');
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const pins = await lockPins(tx, accountId);
    if (pins.includes(statusId)) return;
    if (pins.length >= maxPins) throw validationFailed('statuses.tooManyPins');
    await writable(tx.db)
      .insertInto('status_pins')
      .values({ id: newId<'row'>(now), account_id: accountId, status_id: statusId, created_at: now })
      .execute();
    tx.emit(statusPinned({ statusId, accountId }));
  });
}

/** Unpins a status. No-op if it is not pinned. Throws 404 if the account may not see it. */
export async function unpinStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  await requireVisibleStatus(app, accountId, statusId);
  await transaction(app, async (tx) => {
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('status_pins')
      .where('account_id', '=', accountId)
      .where('status_id', '=', statusId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return;
    tx.emit(statusUnpinned({ statusId, accountId }));
  });
}

/** Returns the pins of an account. Locks the account, so that parallel requests cannot exceed the limit. */
async function lockPins({ db }: Transaction, accountId: AccountId): Promise<StatusId[]> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const rows = await db
    .selectFrom('status_pins as p')
    .innerJoin('statuses as s', 's.id', 'p.status_id')
    .select('p.status_id')
    .where('p.account_id', '=', accountId)
    .where('s.deleted_at', 'is', null)
    .execute();
  return rows.map(({ status_id }) => status_id);
}
