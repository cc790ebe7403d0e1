import { activateAccount, deleteUnactivatedAccounts } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId, RoleId, UserId } from '../../platform/ids.ts';
import { signUpCompleted, userAccessChanged } from '../events.ts';
import { returnInviteUses } from '../invites/count-uses.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { writable } from '../tables.ts';

/** Approves a sign-up. Returns false if it was approved before. Throws 403 if the account has no user. */
export async function approveUser(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const user = await lockUserByAccount(tx, accountId);
  if (user.approved) return false;
  await updateUser(tx, app, user, { approved: true });
  if (user.confirmed_at !== null) {
    await activateAccount(tx, app, accountId);
    tx.emit(signUpCompleted({ userId: user.id, accountId }));
  }
  return true;
}

/**
 * Deletes a sign-up that waits for approval, with its account. The name, the e-mail address and the use of an invite are
 * free again. Throws 403 if it was approved, or if the account has no user.
 */
export async function rejectUser(tx: Transaction, accountId: AccountId): Promise<void> {
  const user = await lockUserByAccount(tx, accountId);
  if (user.approved) throw forbidden('users.alreadyApproved');
  await writable(tx.db).deleteFrom('users').where('id', '=', user.id).execute();
  await returnInviteUses(tx, [user.invite_id]);
  await deleteUnactivatedAccounts(tx, [accountId]);
  tx.emit(userAccessChanged({ userId: user.id, accountId }));
}

/**
 * Disables or enables a user. A disabled user cannot sign in or use tokens, and has no sessions; the account stays
 * visible. Returns false if nothing changed. Throws 403 if the account has no user.
 */
export async function setUserDisabled(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  disabled: boolean,
): Promise<boolean> {
  const user = await lockUserByAccount(tx, accountId);
  if (user.disabled === disabled) return false;
  await updateUser(tx, app, user, { disabled });
  if (disabled) await endSessions(tx, writable(tx.db).deleteFrom('sessions').where('user_id', '=', user.id));
  return true;
}

interface LockedUserRow {
  readonly id: UserId;
  readonly account_id: AccountId;
}

/** Changes what decides about the rights of a user. */
export async function updateUser(
  { db, emit }: Transaction,
  app: App,
  { id, account_id: accountId }: LockedUserRow,
  changes: { approved?: boolean; disabled?: boolean; role_id?: RoleId },
): Promise<void> {
  await writable(db)
    .updateTable('users')
    .set({ ...changes, updated_at: app.clock.now() })
    .where('id', '=', id)
    .execute();
  emit(userAccessChanged({ userId: id, accountId }));
}

/** Locks the user of an account. Throws 403 if it has none. */
export function lockUserByAccount({ db }: Transaction, accountId: AccountId) {
  return db
    .selectFrom('users')
    .select(['id', 'account_id', 'role_id', 'approved', 'disabled', 'confirmed_at', 'invite_id'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => forbidden('users.remoteAccount'));
}
