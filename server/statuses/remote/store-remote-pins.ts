import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Maximum number of pins of a remote account. */
const maxRemotePins = 10;

/**
 * Replaces the pins of a remote account; the first status is shown first. Skips statuses of other accounts, reblogs, direct
 * and deleted statuses.
 */
export function storeRemotePins(app: App, accountId: AccountId, statusIds: readonly StatusId[]): Promise<void> {
  return transaction(app, async (tx) => {
    const existing = await lockPins(tx, accountId);
    const pins = await filterPinnable(tx, accountId, statusIds.slice(0, maxRemotePins));
    if (existing.join() !== pins.join()) await replacePins(tx, app, accountId, pins);
  });
}

/** Pins a status of a remote account above its other pins. No-op if it is pinned. */
export function addRemotePin(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  return transaction(app, async (tx) => {
    const existing = await lockPins(tx, accountId);
    if (existing.includes(statusId)) return;
    const pins = await filterPinnable(tx, accountId, [statusId, ...existing].slice(0, maxRemotePins));
    await replacePins(tx, app, accountId, pins);
  });
}

/** Unpins a status of a remote account. */
export function removeRemotePin(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  return transaction(app, async (tx) => {
    const existing = await lockPins(tx, accountId);
    const pins = existing.filter((id) => id !== statusId);
    if (pins.length < existing.length) await replacePins(tx, app, accountId, pins);
  });
}

/** Returns the pins of an account, and locks them. */
async function lockPins({ db }: Transaction, accountId: AccountId): Promise<StatusId[]> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const rows = await db
    .selectFrom('status_pins')
    .select('status_id')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => row.status_id);
}

async function filterPinnable(
  { db }: Transaction,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<StatusId[]> {
  const rows = await db
    .selectFrom('statuses')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('account_id', '=', accountId)
    .where('reblog_of_id', 'is', null)
    .where('visibility', '<>', 'direct')
    .where('deleted_at', 'is', null)
    .execute();
  const pinnable = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => pinnable.has(id));
}

async function replacePins(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  statusIds: readonly StatusId[],
): Promise<void> {
  const now = app.clock.now();
  await writable(tx.db).deleteFrom('status_pins').where('account_id', '=', accountId).execute();
  if (statusIds.length > 0) {
    // The latest pin, which has the highest id, is shown first.
    const ids = statusIds.map(() => newId<'row'>(now)).toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
    const rows = statusIds.flatMap((statusId, index) => {
      const id = ids[index];
      return id === undefined ? [] : [{ id, account_id: accountId, status_id: statusId, created_at: now }];
    });
    await writable(tx.db).insertInto('status_pins').values(rows).execute();
  }
}
