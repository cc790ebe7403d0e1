import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, SessionId, UserId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { assertOutranks } from '../../users/access/index.ts';
import { disableSecondFactors } from '../../users/second-factor/index.ts';
import { revokeSessions } from '../../users/sessions/index.ts';
import { hashNewPassword, storeNewPassword } from '../../users/sign-in/index.ts';

interface CredentialsTarget {
  readonly accountId: AccountId;
}

/**
 * Sets a password without the current one. Ends all sessions, tokens, streams and push subscriptions of the user, who is
 * notified by mail. Throws 403 for a user of equal or higher rank, 404 for an account without a user, 422 for an invalid
 * password.
 */
export async function resetPasswordAsStaff(
  app: App,
  staff: Staff,
  { accountId, password }: CredentialsTarget & { readonly password: string },
): Promise<void> {
  const passwordHash = await hashNewPassword(password);
  await transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    await storeNewPassword(tx, app, user.id, passwordHash);
    recordStaffAction(tx, staff, { target: 'user', verb: 'reset_password', id: user.id, label: user.username });
  });
}

/**
 * Removes the authenticator app, passkeys and recovery codes of a user who lost them, and notifies the user by mail. Returns
 * false if there were none. Throws like `resetPasswordAsStaff`.
 */
export function disableSecondFactorAsStaff(app: App, staff: Staff, { accountId }: CredentialsTarget): Promise<boolean> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    if (!(await disableSecondFactors(tx, user.id))) return false;
    recordStaffAction(tx, staff, {
      target: 'user',
      verb: 'disable_second_factor',
      id: user.id,
      label: user.username,
      before: { second_factor: true },
      after: { second_factor: false },
    });
    return true;
  });
}

/** Ends one or all sessions of a user. Returns how many there were. Throws like `resetPasswordAsStaff`. */
export function revokeSessionsAsStaff(
  app: App,
  staff: Staff,
  { accountId, sessionId }: CredentialsTarget & { readonly sessionId?: SessionId | undefined },
): Promise<number> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const count = await revokeSessions(tx, user.id, { only: sessionId });
    if (count === 0) return 0;
    recordStaffAction(tx, staff, {
      target: 'user',
      verb: 'revoke_sessions',
      id: user.id,
      label: user.username,
      before: { sessions: count },
    });
    return count;
  });
}

/** A user below the staff member. */
export interface Target {
  readonly id: UserId;
  readonly username: string;
}

/** Locks the user of an account. Throws 403 for a user of equal or higher rank, 404 for an account without a user. */
export async function lockTarget(tx: Transaction, staff: Staff, accountId: AccountId): Promise<Target> {
  await assertOutranks(tx, staff, accountId);
  return tx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'accounts.username'])
    .where('users.account_id', '=', accountId)
    .forUpdate('users')
    .executeTakeFirstOrThrow(() => notFound());
}
