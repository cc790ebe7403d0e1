import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden, invalidFieldsError, type HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { UserId } from '../../platform/ids.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { assertPassword, lockUser, type PasswordAttempt } from '../sign-in/check-password.ts';
import { writable } from '../tables.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { loadSecondFactors, recordSecondFactors } from './second-factors.ts';
import { findTotpStep, newTotpSecret } from './totp.ts';
import { verifyCode } from './verify-code.ts';

/**
 * Stores a new secret for an authenticator app, which counts once a code was entered (`confirmTotp`). Throws 422 for a
 * wrong password, and 403 if the user has a confirmed secret.
 */
export async function startTotp(app: App, userId: UserId, attempt: PasswordAttempt): Promise<void> {
  const checkedHash = await assertPassword(app, userId, attempt);
  await transaction(app, async (tx) => {
    await lockUser(tx, userId, checkedHash);
    if ((await loadSecondFactors(tx, userId)).hasTotp) throw forbidden();
    const values = { secret: newTotpSecret(), created_at: app.clock.now() };
    await writable(tx.db)
      .insertInto('user_totp')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute();
  });
}

/** Returns the secret that waits for its first code; undefined if there is none. */
export async function findUnconfirmedTotp({ db }: App, userId: UserId): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('user_totp')
    .select('secret')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return row?.secret;
}

/**
 * Turns on the authenticator app by its first code, which cannot sign in any more. Returns recovery codes if the user had
 * no second factor before. No-op if the app is turned on already. Throws 422 for a wrong code, and 403 without a secret to
 * confirm.
 */
export async function confirmTotp(app: App, userId: UserId, code: string): Promise<string[] | undefined> {
  return transaction(app, async (tx) => {
    await lockUser(tx, userId);
    const now = app.clock.now();
    const secret = await findUnconfirmedTotp({ ...app, db: tx.db }, userId);
    if (secret === undefined) {
      if ((await loadSecondFactors(tx, userId)).hasTotp) return undefined;
      throw forbidden();
    }
    const step = findTotpStep(secret, code.replaceAll(/\s/g, ''), now);
    if (step === undefined) throw wrongCode();
    await writable(tx.db)
      .updateTable('user_totp')
      .set({ confirmed_at: now, last_step: step })
      .where('user_id', '=', userId)
      .execute();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'totpEnabled' }));
    return recordSecondFactors(tx, userId);
  });
}

/** Turns off the authenticator app; no-op without one. Throws 422 with `details` for a wrong password or code. */
export async function disableTotp(
  app: App,
  userId: UserId,
  attempt: PasswordAttempt & { code: string },
): Promise<void> {
  const checkedHash = await assertPassword(app, userId, attempt);
  await transaction(app, async (tx) => {
    await lockUser(tx, userId, checkedHash);
    if (!(await loadSecondFactors(tx, userId)).hasTotp) return;
    if (!(await verifyCode(tx, app, userId, attempt.code))) throw wrongCode();
    await writable(tx.db).deleteFrom('user_totp').where('user_id', '=', userId).execute();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'totpDisabled' }));
    await recordSecondFactors(tx, userId);
  });
}

/** Replaces the recovery codes. Throws 422 for a wrong password, and 403 for a user without a second factor. */
export async function renewRecoveryCodes(app: App, userId: UserId, attempt: PasswordAttempt): Promise<string[]> {
  const checkedHash = await assertPassword(app, userId, attempt);
  return transaction(app, async (tx) => {
    await lockUser(tx, userId, checkedHash);
    const { hasTotp, passkeys } = await loadSecondFactors(tx, userId);
    if (!hasTotp && passkeys === 0) throw forbidden();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'recoveryCodesRenewed' }));
    return replaceRecoveryCodes(tx, userId);
  });
}

const wrongCode = (): HttpError =>
  invalidFieldsError([{ field: 'code', error: 'ERR_INVALID', description: message('problems.wrong') }]);
