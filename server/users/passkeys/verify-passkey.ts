import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { useChallenge } from '../used-challenges.ts';
import { expectedOrigin, relyingPartyId, userHandle } from './ceremony-options.ts';
import { challengeExpiry, isChallengeValid } from './challenges.ts';
import type { PasskeyId } from './list-passkeys.ts';
import { parseCredential } from './parse-credential.ts';

/** A signature by a passkey, as the browser returned it. */
export interface PasskeyAttempt {
  /** The credential as JSON. */
  readonly credential: string;
  /** The key of the challenge (`newChallenge`). */
  readonly key: string;
  /** Whether the authenticator must have verified the user, because no password was entered. */
  readonly isOnlyFactor: boolean;
}

/** A valid signature, which counts once `acceptPasskey` recorded it. */
export interface VerifiedPasskey {
  readonly userId: UserId;
  readonly passkeyId: PasskeyId;
  readonly signCount: number;
  readonly challenge: string;
}

/** Verifies a signature by a passkey. Undefined if it is invalid or the passkey is unknown. */
export async function verifyPasskey(app: App, attempt: PasskeyAttempt): Promise<VerifiedPasskey | undefined> {
  const response = parseCredential<AuthenticationResponseJSON>(attempt.credential);
  const passkey = response && (await findPasskey(app, response.id));
  if (response === undefined || passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { user_id: userId, id: passkeyId } = passkey;
  let challenge = '';
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (given) => {
        challenge = Buffer.from(given, 'base64url').toString();
        return isChallengeValid(app, attempt.key, challenge);
      },
      expectedOrigin: expectedOrigin(app),
      expectedRPID: relyingPartyId(app),
      credential: {
        id: response.id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: Number(passkey.sign_count),
      },
      requireUserVerification: attempt.isOnlyFactor,
    });
    const { userHandle: handle = '' } = response.response;
    const expectedHandle = passkey.user_handle ?? userHandle(userId);
    const isSameUser = handle === '' || expectedHandle.toString('base64url') === handle;
    if (!verified || !isSameUser) return undefined;
    return { userId, passkeyId, signCount: authenticationInfo.newCounter, challenge };
  } catch (error) {
    // The library throws for everything that is wrong with the response of the browser.
    app.log.debug({ err: error }, 'a passkey was refused');
    return undefined;
  }
}

const findPasskey = ({ db }: App, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'user_handle', 'public_key', 'sign_count'])
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst();

/**
 * Records a verified signature. Returns false if its challenge was answered before, or if its counter is not above the last
 * one: then the passkey was copied. Authenticators without a counter always send 0.
 */
export async function acceptPasskey(
  tx: Transaction,
  app: App,
  { passkeyId, signCount, challenge }: VerifiedPasskey,
): Promise<boolean> {
  if (!(await useChallenge(tx, challenge, challengeExpiry(app)))) return false;
  const { numAffectedRows } = await sql`
    update passkeys set sign_count = ${signCount}::bigint, last_used_at = ${app.clock.now()}::timestamptz
    where id = ${passkeyId}::bigint
      and (sign_count < ${signCount}::bigint or (sign_count = 0 and ${signCount}::bigint = 0))`.execute(tx.db);
  return numAffectedRows === 1n;
}
