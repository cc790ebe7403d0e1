import { accountChanged } from '../../accounts/index.ts';
import { activateAccount, deleteUnactivatedAccounts } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { signUpCompleted, userAccessChanged } from '../events.ts';
import { returnInviteUses } from '../invites/count-uses.ts';
import { deleteOwnerSecret } from '../sign-up/owner-secret.ts';
import { standardRoles, type StandardRole } from './roles.ts';

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
  await tx.db.deleteFrom('users').where('id', '=', user.id).execute();
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
  if (disabled) await tx.db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
  return true;
}

/** Assigns one of the standard roles. Returns false if the user had it before. Throws 403 if the account has no user. */
export async function changeRole(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  role: StandardRole,
): Promise<boolean> {
  const user = await lockUserByAccount(tx, accountId);
  const roleId = standardRoles[role];
  if (user.role_id === roleId) return false;
  await updateUser(tx, app, user, { role_id: roleId });
  if (role === 'owner') await deleteOwnerSecret(tx);
  // The account shows its role as a badge.
  tx.emit(accountChanged({ accountId }));
  return true;
}

interface LockedUserRow {
  readonly id: UserId;
  readonly account_id: AccountId;
}

async function updateUser(
  { db, emit }: Transaction,
  app: App,
  { id, account_id: accountId }: LockedUserRow,
  changes: { approved?: boolean; disabled?: boolean; role_id?: (typeof standardRoles)[StandardRole] },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...changes, updated_at: app.clock.now() })
    .where('id', '=', id)
    .execute();
  emit(userAccessChanged({ userId: id, accountId }));
}

async function lockUserByAccount({ db }: Transaction, accountId: AccountId) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'account_id', 'role_id', 'approved', 'disabled', 'confirmed_at', 'invite_id'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (user === undefined) throw forbidden('users.remoteAccount');
  return user;
}
