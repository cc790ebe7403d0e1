import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountChanged, accountMoved, accountUpdated } from '../events.ts';
import { writable } from '../tables.ts';
import { recordMove } from './moves.ts';

/** Aliases per account: other servers read no more (reference/federation.tsv). */
const maxAliases = 256;

/**
 * Adds an alias to a local account, which allows the other account to move to it. No-op for an existing alias. Throws 422
 * past 256 aliases.
 */
export async function addAlias(app: App, accountId: AccountId, uri: string): Promise<void> {
  await changeAliases(app, accountId, (aliases) => {
    if (aliases.includes(uri)) return aliases;
    if (aliases.length >= maxAliases) {
      throw invalidFieldsError([
        { field: 'acct', error: 'ERR_TOO_LONG', description: message('problems.tooManyAliases', { max: maxAliases }) },
      ]);
    }
    return [...aliases, uri];
  });
}

/** Removes an alias. No-op if there is none. */
export async function removeAlias(app: App, accountId: AccountId, uri: string): Promise<void> {
  await changeAliases(app, accountId, (aliases) => aliases.filter((alias) => alias !== uri));
}

async function changeAliases(
  app: App,
  accountId: AccountId,
  change: (aliases: readonly string[]) => readonly string[],
): Promise<void> {
  await transaction(app, async (tx) => {
    const { also_known_as: before } = await tx.db
      .selectFrom('accounts')
      .select('also_known_as')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const after = change(before);
    if (after.length === before.length) return;
    await writable(tx.db)
      .updateTable('accounts')
      .set({ also_known_as: [...after], updated_at: app.clock.now() })
      .where('id', '=', accountId)
      .execute();
    tx.emit(accountUpdated({ accountId }));
    tx.emit(accountChanged({ accountId }));
  });
}

/**
 * Moves a local or remote account to another one. The caller has checked that the target lists it as an alias. Emits
 * `accountMoved` and `accountUpdated`.
 */
export async function markMoved(tx: Transaction, app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await setMoveTarget(tx, app, accountId, targetId);
  const moveId = await recordMove(tx, app, accountId, targetId);
  tx.emit(accountMoved({ moveId, accountId, targetAccountId: targetId }));
}

/** Removes the move target. The followers who moved do not return. */
export async function unmarkMoved(tx: Transaction, app: App, accountId: AccountId): Promise<void> {
  await setMoveTarget(tx, app, accountId, null);
}

/** Sets or removes the move target of an account, without moving followers. Emits `accountUpdated`. */
export async function setMoveTarget(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  targetId: AccountId | null,
): Promise<void> {
  const { numUpdatedRows } = await writable(tx.db)
    .updateTable('accounts')
    .set({ moved_to_account_id: targetId, updated_at: app.clock.now() })
    .where('id', '=', accountId)
    .where(sql<boolean>`moved_to_account_id is distinct from ${targetId}::bigint`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  tx.emit(accountUpdated({ accountId }));
  tx.emit(accountChanged({ accountId }));
}
