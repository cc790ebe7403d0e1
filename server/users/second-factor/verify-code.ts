import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { writable } from '../tables.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

/**
 * Uses up a code of the authenticator app or a recovery code. Returns false if it is wrong or was used before. The user is
 * notified of a used recovery code.
 */
export async function verifyCode(tx: Transaction, app: App, userId: UserId, given: string): Promise<boolean> {
  const code = given.replaceAll(/\s/g, '').slice(0, 100);
  if (/^\d{6}$/.test(code)) return verifyTotp(tx, app, userId, code);
  if (!(await useRecoveryCode(tx, app, userId, code))) return false;
  tx.enqueue(sendSecurityNotice({ userId, notice: 'recoveryCodeUsed' }));
  return true;
}

/** Uses up a code of the authenticator app. Each time step is accepted once, so that nobody can replay an observed code. */
async function verifyTotp({ db }: Transaction, app: App, userId: UserId, code: string): Promise<boolean> {
  const totp = await db
    .selectFrom('user_totp')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  const step = totp && findTotpStep(totp.secret, code, app.clock.now());
  if (totp === undefined || step === undefined || step <= Number(totp.last_step)) return false;
  await writable(db).updateTable('user_totp').set({ last_step: step }).where('user_id', '=', userId).execute();
  return true;
}
