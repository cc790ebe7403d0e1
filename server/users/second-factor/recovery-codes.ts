import { randomBytes } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { verifyBcrypt } from '../sign-in/passwords.ts';
import { hashSecret } from '../sign-in/secrets.ts';
import { writable } from '../tables.ts';

const codeCount = 10;
const codeLength = 16;
/** 32 letters and digits that are hard to confuse: five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a code of 80 random bits, such as `abcd-efgh-jkmn-2345`. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte & 31]).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}

// The codes are random, so no slow hash is needed.
const hashCode = (code: string): Buffer => hashSecret(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));

/** Replaces the recovery codes of a user by ten new ones, and returns them. Only their hashes are stored. */
export async function replaceRecoveryCodes({ db }: Transaction, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, newRecoveryCode);
  await writable(db).deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await writable(db)
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code) })))
    .execute();
  return codes;
}

/** Uses up a recovery code. Returns false if the user has no such unused code. */
export async function useRecoveryCode(tx: Transaction, app: App, userId: UserId, code: string): Promise<boolean> {
  const stored = await findStoredCode(tx, userId, code);
  if (stored === undefined) return false;
  const { numUpdatedRows } = await writable(tx.db)
    .updateTable('recovery_codes')
    .set({ used_at: app.clock.now() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', stored)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Codes from Mastodon are stored as the text of their bcrypt hashes, which have to be tried one by one. */
async function findStoredCode({ db }: Transaction, userId: UserId, code: string): Promise<Buffer | undefined> {
  const hash = hashCode(code);
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  const stored = rows.map((row) => row.code_hash);
  if (stored.some((each) => each.equals(hash))) return hash;
  for (const each of stored) if (isBcryptHash(each) && (await verifyBcrypt(code, each.toString()))) return each;
  return undefined;
}

const isBcryptHash = (stored: Buffer): boolean => stored.subarray(0, 2).toString() === '$2';
