import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountChanged } from '../events.ts';
import { writable } from '../tables.ts';

/** Days until jobs have deleted all data of a deleted account, its keys last. */
const deletionDays = 31;

/** A deleted local account. */
export interface DeletedAccount {
  readonly accountId: AccountId;
  /** From then on nothing is left of it but its name. */
  readonly emptyAt: Date;
}

/** Returns the deleted local account with this username; undefined if there is none. */
export async function findDeletedAccount({ db }: App, username: string): Promise<DeletedAccount | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'deleted_at'])
    .where(sql<boolean>`lower(username) = ${username.toLowerCase()} and coalesce(domain, '') = ''`)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (row === undefined || row.deleted_at === null) return undefined;
  return { accountId: row.id, emptyAt: new Date(row.deleted_at.getTime() + deletionDays * 86_400_000) };
}

/**
 * Makes a deleted local account a new one with the same username and address, for a new user. It is invisible until the user
 * is confirmed and approved. Throws 422 if it is not deleted, or its data is still being deleted.
 */
export async function reattachAccount(tx: Transaction, app: App, accountId: AccountId): Promise<void> {
  const now = app.clock.now();
  const before = new Date(now.getTime() - deletionDays * 86_400_000);
  const { numUpdatedRows } = await writable(tx.db)
    .updateTable('accounts')
    .set({
      deleted_at: null,
      activated: false,
      suspended_at: null,
      suspension_origin: null,
      silenced_at: null,
      silence_origin: null,
      sensitized_at: null,
      locked: false,
      discoverable: false,
      updated_at: now,
    })
    .where('id', '=', accountId)
    .where('domain', 'is', null)
    .where('deleted_at', '<=', before)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw invalidField('username', 'problems.alreadyTaken');
  tx.emit(accountChanged({ accountId }));
}
