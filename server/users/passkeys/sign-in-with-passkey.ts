import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { completeSignIn, type SecondStep } from '../second-factor/pending-sign-ins.ts';
import { assertPasswordsAllowed } from '../sign-in/password-policy.ts';
import { recordOrigin, type SignInOrigin } from '../sign-in/origins.ts';
import { checkOrigin, createSession } from '../sign-in/sessions.ts';
import { acceptPasskey, verifyPasskey } from './verify-passkey.ts';

interface PasskeySignIn {
  readonly credential: string;
  readonly key: string;
  readonly origin: SignInOrigin;
}

/** Creates a session by a passkey alone, and returns its secret. Undefined if the passkey is refused. Throws 403 if people sign in only with providers. */
export async function signInWithPasskey(
  app: App,
  { credential, key, origin: from }: PasskeySignIn,
): Promise<string | undefined> {
  assertPasswordsAllowed(app);
  const verified = await verifyPasskey(app, { credential, key, isOnlyFactor: true });
  if (verified === undefined) return undefined;
  const origin = await checkOrigin(app, from);
  return transaction(app, async (tx) => {
    if (!(await acceptPasskey(tx, app, verified))) return undefined;
    await recordOrigin(tx, app, verified.userId, origin);
    return createSession(tx, app, verified.userId, origin);
  });
}

/** Completes a sign-in by a passkey of the user whose password was entered. */
export async function completeSignInByPasskey(
  app: App,
  secret: string,
  { credential, key, origin }: PasskeySignIn,
): Promise<SecondStep> {
  const verified = await verifyPasskey(app, { credential, key, isOnlyFactor: false });
  return completeSignIn(app, secret, {
    origin,
    verify: async (tx, userId) => verified?.userId === userId && acceptPasskey(tx, app, verified),
  });
}
