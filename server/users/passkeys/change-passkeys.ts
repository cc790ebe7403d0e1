import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError, notFound, type HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import { newId, type UserId } from '../../platform/ids.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { recordSecondFactors } from '../second-factor/second-factors.ts';
import { assertPassword, lockUser, type PasswordAttempt } from '../sign-in/check-password.ts';
import { writable } from '../tables.ts';
import { useChallenge } from '../used-challenges.ts';
import { expectedOrigin, relyingPartyId } from './ceremony-options.ts';
import { challengeExpiry, isChallengeValid } from './challenges.ts';
import { listPasskeys, maxPasskeys, type PasskeyId } from './list-passkeys.ts';
import { parseCredential } from './parse-credential.ts';

const maxNameLength = 50;

/** A new passkey, as the browser returned it. */
export interface NewPasskey extends PasswordAttempt {
  readonly name: string;
  /** The credential as JSON. */
  readonly credential: string;
  /** The key of the challenge (`newChallenge`). */
  readonly key: string;
}

/**
 * Adds a passkey. Returns recovery codes if the user had no second factor before. Throws 422 with `details` for a wrong
 * password, and if the browser's response is invalid, was used before, or the user has too many passkeys.
 */
export async function addPasskey(
  app: App,
  userId: UserId,
  { name, credential, key, ...attempt }: NewPasskey,
): Promise<string[] | undefined> {
  const checkedHash = await assertPassword(app, userId, attempt);
  const verified = await verifyRegistration(app, credential, key);
  if (verified === undefined) throw invalidPasskey();
  return transaction(app, async (tx) => {
    await lockUser(tx, userId, checkedHash);
    if ((await listPasskeys(tx, userId)).length >= maxPasskeys) throw invalidPasskey();
    if (!(await useChallenge(tx, verified.challenge, challengeExpiry(app)))) throw invalidPasskey();
    const { numInsertedOrUpdatedRows } = await writable(tx.db)
      .insertInto('passkeys')
      .values({
        ...verified.passkey,
        id: newId<'passkey'>(app.clock.now()),
        user_id: userId,
        name: toName(name),
        created_at: app.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw invalidPasskey();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'passkeyAdded' }));
    return recordSecondFactors(tx, userId);
  });
}

async function verifyRegistration(app: App, credential: string, key: string) {
  const response = parseCredential<RegistrationResponseJSON>(credential);
  if (response === undefined) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  let challenge = '';
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (given) => {
        challenge = Buffer.from(given, 'base64url').toString();
        return isChallengeValid(app, key, challenge);
      },
      expectedOrigin: expectedOrigin(app),
      expectedRPID: relyingPartyId(app),
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    const passkey = {
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      sign_count: counter,
      transports: (response.response.transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10),
    };
    return { challenge, passkey };
  } catch (error) {
    // The library throws for everything that is wrong with the response of the browser.
    app.log.debug({ err: error }, 'a new passkey was refused');
    return undefined;
  }
}

/** Renames a passkey. Throws 404 if it is not one of the user. */
export async function renamePasskey(app: App, userId: UserId, id: PasskeyId, name: string): Promise<void> {
  await transaction(app, async ({ db }) => {
    const { numUpdatedRows } = await writable(db)
      .updateTable('passkeys')
      .set({ name: toName(name) })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound();
  });
}

/** Removes a passkey. Throws 422 for a wrong password, 404 if it is not one of the user. */
export async function removePasskey(app: App, userId: UserId, id: PasskeyId, attempt: PasswordAttempt): Promise<void> {
  const checkedHash = await assertPassword(app, userId, attempt);
  await transaction(app, async (tx) => {
    await lockUser(tx, userId, checkedHash);
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    tx.enqueue(sendSecurityNotice({ userId, notice: 'passkeyRemoved' }));
    await recordSecondFactors(tx, userId);
  });
}

const toName = (name: string): string => name.trim().slice(0, maxNameLength) || 'Passkey';

const invalidPasskey = (): HttpError =>
  invalidFieldsError([{ field: 'credential', error: 'ERR_INVALID', description: message('problems.invalid') }]);
