import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../platform/database/transaction.ts';
import { invalidFieldsError } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { accountChanged, accountMoved, accountUpdated } from './events.ts';
import { recordMove } from './moves.ts';

/** Aliases of one account: others read no more (reference/federation.tsv). */
const maxAliases = 256;

/**
 * Says that a local account is also `uri`, which allows that other account to move here; again, it changes nothing. 422
 * past 256 aliases. Emits `accountUpdated`.
 */
export async function addAlias(app: App, accountId: AccountId, uri: string): Promise<void> {
  await changeAliases(app, accountId, (aliases) => {
    if (aliases.includes(uri)) return aliases;
    if (aliases.length >= maxAliases) {
      throw invalidFieldsError([
        { field: 'acct', error: 'ERR_TOO_LONG', description: `is one alias more than ${maxAliases}` },
      ]);
    }
    return [...aliases, uri];
  });
}

/** Takes an alias back; without it nothing happens. */
export async function removeAlias(app: App, accountId: AccountId, uri: string): Promise<void> {
  await changeAliases(app, accountId, (aliases) => aliases.filter((alias) => alias !== uri));
}

async function changeAliases(
  app: App,
  accountId: AccountId,
  change: (aliases: readonly string[]) => readonly string[],
): Promise<void> {
  await inTransaction(app, async (tx) => {
    const { also_known_as: before } = await tx.db
      .selectFrom('accounts')
      .select('also_known_as')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const after = change(before);
    if (after.length === before.length) return;
    await tx.db
      .updateTable('accounts')
      .set({ also_known_as: [...after], updated_at: app.clock.now() })
      .where('id', '=', accountId)
      .execute();
    tx.emit(accountUpdated({ accountId }));
    tx.emit(accountChanged({ accountId }));
  });
}

/**
 * Moves an account, local or remote, to the one that takes its place. The caller has checked that the other names it as
 * its alias. Emits `accountMoved`, and `accountUpdated` for what others see.
 */
export async function markMoved(tx: Transaction, app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await setMoveTarget(tx, app, accountId, targetId);
  const moveId = await recordMove(tx, app, accountId, targetId);
  tx.emit(accountMoved({ moveId, accountId, targetAccountId: targetId }));
}

/** Takes the pointer away. The followers who went along do not come back. */
export async function unmarkMoved(tx: Transaction, app: App, accountId: AccountId): Promise<void> {
  await setMoveTarget(tx, app, accountId, null);
}

/** Points an account to another one, or to none, and leaves its followers where they are. Emits `accountUpdated`. */
export async function setMoveTarget(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  targetId: AccountId | null,
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('accounts')
    .set({ moved_to_account_id: targetId, updated_at: app.clock.now() })
    .where('id', '=', accountId)
    .where(sql<boolean>`moved_to_account_id is distinct from ${targetId}::bigint`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  tx.emit(accountUpdated({ accountId }));
  tx.emit(accountChanged({ accountId }));
}
