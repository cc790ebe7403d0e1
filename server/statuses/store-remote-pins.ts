import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';

/** Statuses that an account of another server may have on top of its profile here. */
const maxRemotePins = 10;

/**
 * Puts these statuses, and no others, on top of the profile of an account of another server, the first one topmost. What
 * is not its own, a reblog, direct or gone is left out.
 */
export function storeRemotePins(app: App, accountId: AccountId, statusIds: readonly StatusId[]): Promise<void> {
  return transaction(app, async (tx) => {
    const before = await lockPins(tx, accountId);
    const wanted = await filterPinnable(tx, accountId, statusIds.slice(0, maxRemotePins));
    if (before.join() !== wanted.join()) await replacePins(tx, app, accountId, wanted);
  });
}

/** Puts a status on top of the profile of an account of another server, above those that are there; again, it does nothing. */
export function addRemotePin(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  return transaction(app, async (tx) => {
    const before = await lockPins(tx, accountId);
    if (before.includes(statusId)) return;
    const wanted = await filterPinnable(tx, accountId, [statusId, ...before].slice(0, maxRemotePins));
    await replacePins(tx, app, accountId, wanted);
  });
}

/** Takes a status from the top of the profile of an account of another server. */
export function removeRemotePin(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  return transaction(app, async (tx) => {
    const before = await lockPins(tx, accountId);
    const wanted = before.filter((id) => id !== statusId);
    if (wanted.length < before.length) await replacePins(tx, app, accountId, wanted);
  });
}

/** Others who change the same pins wait. */
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
  const own = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => own.has(id));
}

async function replacePins(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  statusIds: readonly StatusId[],
): Promise<void> {
  const now = app.clock.now();
  await tx.db.deleteFrom('status_pins').where('account_id', '=', accountId).execute();
  if (statusIds.length > 0) {
    // The latest pin, which has the highest id, is shown first.
    const ids = statusIds.map(() => newId<'row'>(now)).toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
    const rows = statusIds.flatMap((statusId, index) => {
      const id = ids[index];
      return id === undefined ? [] : [{ id, account_id: accountId, status_id: statusId, created_at: now }];
    });
    await tx.db.insertInto('status_pins').values(rows).execute();
  }
}
