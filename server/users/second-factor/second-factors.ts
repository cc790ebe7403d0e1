import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { userAccessChanged } from '../events.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { writable } from '../tables.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

/** What a user may enter besides the password. */
export interface SecondFactors {
  readonly hasTotp: boolean;
  /** Number of passkeys. */
  readonly passkeys: number;
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number;
}

/** Returns the second factors of a user. */
export async function loadSecondFactors({ db }: Pick<App, 'db'>, userId: UserId): Promise<SecondFactors> {
  const { rows } = await sql<SecondFactors>`
    select exists (select from user_totp where user_id = ${userId}::bigint and confirmed_at is not null) as "hasTotp",
      (select count(*)::int from passkeys where user_id = ${userId}::bigint) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId}::bigint and used_at is null)
        as "recoveryCodes"`.execute(db);
  return rows[0] ?? { hasTotp: false, passkeys: 0, recoveryCodes: 0 };
}

/**
 * Records whether the user, whose row is locked, has a second factor after a change. Returns recovery codes if this is the
 * first one. Deletes the codes with the last one.
 */
export async function recordSecondFactors(tx: Transaction, userId: UserId): Promise<string[] | undefined> {
  const { db, emit } = tx;
  const { hasTotp, passkeys, recoveryCodes } = await loadSecondFactors(tx, userId);
  const has = hasTotp || passkeys > 0;
  const { account_id: accountId } = await writable(db)
    .updateTable('users')
    .set({ has_second_factor: has, ...(has && { lost_second_factor: false }) })
    .where('id', '=', userId)
    .returning('account_id')
    .executeTakeFirstOrThrow();
  emit(userAccessChanged({ userId, accountId }));
  if (!has) await writable(db).deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return has && recoveryCodes === 0 ? replaceRecoveryCodes(tx, userId) : undefined;
}

/**
 * Removes all second factors of a user, whose row is locked, and notifies the user. Returns false if there were none. For
 * users who lost them.
 */
export async function disableSecondFactors(tx: Transaction, userId: UserId): Promise<boolean> {
  const { hasTotp, passkeys } = await loadSecondFactors(tx, userId);
  await writable(tx.db).deleteFrom('user_totp').where('user_id', '=', userId).execute();
  await writable(tx.db).deleteFrom('passkeys').where('user_id', '=', userId).execute();
  if (!hasTotp && passkeys === 0) return false;
  await recordSecondFactors(tx, userId);
  tx.enqueue(sendSecurityNotice({ userId, notice: 'secondFactorRemoved' }));
  return true;
}
