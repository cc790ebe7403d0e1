import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { loadSecondFactors, type SecondFactors } from './second-factors.ts';
import { verifyCode } from './verify-code.ts';
import { countCredentialAttempt } from '../sign-in/attempts.ts';
import { cleanUpOrigins, recordOrigin, type SignInOrigin } from '../sign-in/origins.ts';
import { hashSecret, newSecret } from '../sign-in/secrets.ts';
import { checkOrigin, createSession, type ProviderSession } from '../sign-in/sessions.ts';
import { writable } from '../tables.ts';

export const pendingSignInTtlMinutes = 10;
const maxFailures = 5;

/** Stores that the first step was right, and returns the secret with which the sign-in continues. */
export async function createPendingSignIn(
  { db }: Transaction,
  app: App,
  userId: UserId,
  provider?: ProviderSession,
): Promise<string> {
  const secret = newSecret();
  const expires_at = new Date(app.clock.now().getTime() + pendingSignInTtlMinutes * 60_000);
  await writable(db)
    .insertInto('pending_sign_ins')
    .values({
      token_hash: hashSecret(secret),
      user_id: userId,
      expires_at,
      issuer: provider?.issuer ?? null,
      issuer_session_id: provider?.sessionId ?? null,
    })
    .execute();
  return secret;
}

/** A sign-in that waits for the second factor. */
export interface PendingSignIn extends SecondFactors {
  readonly userId: UserId;
}

/** Finds a sign-in that waits for the second factor; undefined if it is unknown or expired. */
export async function findPendingSignIn(app: App, secret: string): Promise<PendingSignIn | undefined> {
  const row = await app.db
    .selectFrom('pending_sign_ins')
    .select('user_id')
    .where('token_hash', '=', hashSecret(secret))
    .where('expires_at', '>', app.clock.now())
    .executeTakeFirst();
  return row && { userId: row.user_id, ...(await loadSecondFactors(app, row.user_id)) };
}

/** Result of the second step. `expired`: the sign-in has to start again. */
export type SecondStep = { readonly secret: string } | 'wrong' | 'expired';

/**
 * Completes a sign-in by a code of the authenticator app or a recovery code. After five wrong ones it has to start again,
 * and a mail says that someone knows the password. Throws 429 after too many attempts.
 */
export async function completeSignInByCode(
  app: App,
  secret: string,
  { code, origin }: { readonly code: string; readonly origin: SignInOrigin },
): Promise<SecondStep> {
  const pending = await findPendingSignIn(app, secret);
  if (pending === undefined) return 'expired';
  await countCredentialAttempt(app, { userId: pending.userId, origin });
  return completeSignIn(app, secret, { origin, verify: (tx, userId) => verifyCode(tx, app, userId, code) });
}

/** Completes a sign-in if `verify` accepts the second factor. The lock on its row lets attempts wait for each other. */
export async function completeSignIn(
  app: App,
  secret: string,
  {
    origin: from,
    verify,
  }: { readonly origin: SignInOrigin; readonly verify: (tx: Transaction, userId: UserId) => Promise<boolean> },
): Promise<SecondStep> {
  const origin = await checkOrigin(app, from);
  return transaction(app, async (tx): Promise<SecondStep> => {
    const pending = await tx.db
      .selectFrom('pending_sign_ins')
      .select(['user_id', 'failures', 'issuer', 'issuer_session_id'])
      .where('token_hash', '=', hashSecret(secret))
      .where('expires_at', '>', app.clock.now())
      .forUpdate()
      .executeTakeFirst();
    if (pending === undefined) return 'expired';
    const { user_id: userId, issuer, issuer_session_id: sessionId } = pending;
    const provider = issuer === null ? undefined : { issuer, sessionId: sessionId ?? undefined };
    if (await verify(tx, userId)) {
      await deletePendingSignIn(tx, secret);
      await recordOrigin(tx, app, userId, origin);
      return { secret: await createSession(tx, app, userId, { ...origin, provider }) };
    }
    return recordFailure(tx, secret, { userId, failures: pending.failures + 1 });
  });
}

async function recordFailure(
  tx: Transaction,
  secret: string,
  { userId, failures }: { userId: UserId; failures: number },
): Promise<SecondStep> {
  if (failures < maxFailures) {
    await writable(tx.db)
      .updateTable('pending_sign_ins')
      .set({ failures })
      .where('token_hash', '=', hashSecret(secret))
      .execute();
    return 'wrong';
  }
  await deletePendingSignIn(tx, secret);
  tx.enqueue(sendSecurityNotice({ userId, notice: 'secondFactorFailed' }));
  return 'expired';
}

const deletePendingSignIn = ({ db }: Transaction, secret: string): Promise<unknown> =>
  writable(db).deleteFrom('pending_sign_ins').where('token_hash', '=', hashSecret(secret)).execute();

/** Deletes expired sign-ins, also at providers, links and challenges, and origins that were not used for long. */
export async function cleanUpSignIns(app: App): Promise<void> {
  await transaction(app, async (tx) => {
    const now = app.clock.now();
    await writable(tx.db).deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute();
    await writable(tx.db).deleteFrom('used_passkey_challenges').where('expires_at', '<=', now).execute();
    await writable(tx.db).deleteFrom('sign_in_links').where('expires_at', '<=', now).execute();
    await writable(tx.db).deleteFrom('provider_sign_ins').where('expires_at', '<=', now).execute();
    await cleanUpOrigins(tx, now);
  });
}
