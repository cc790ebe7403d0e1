import { forbidden } from '../../platform/http/http-errors.ts';
import type { App } from '../../platform/app.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { siteSettings } from '../../site/index.ts';
import { signUpCompleted, signUpPending } from '../events.ts';
import { findUsableInvite } from '../invites/find-invites.ts';
import { recordOrigin, type SignInOrigin } from '../sign-in/origins.ts';
import { checkOrigin, createSession } from '../sign-in/sessions.ts';
import { insertUser, prepareUser, rethrowTakenError, type NewUser } from '../sign-up/create-user.ts';
import { normalizeEmail } from '../sign-up/email-address.ts';
import { applyGroups } from './apply-groups.ts';
import { insertIdentity, isIdentityConflict } from './identities.ts';
import { deletePendingSignUp, findPendingSignUp, type BrowserSignIn } from './provider-sign-ins.ts';

type Registrations = NonNullable<NewUser['registrations']>;

/** Returns who may sign up with a provider: `open`, `approval` or `closed`. */
export async function providerRegistrations(app: App, { SIGN_UP: who }: SignInProvider): Promise<Registrations> {
  return who === 'site' ? (await siteSettings(app)).registrations : who;
}

/** Whether people may sign up with a provider, by an invite if registrations are closed. */
export async function maySignUpByProvider(
  app: App,
  provider: SignInProvider,
  inviteCode: string | undefined,
): Promise<boolean> {
  if (provider.SIGN_UP === 'closed') return false;
  if ((await providerRegistrations(app, provider)) !== 'closed') return true;
  return (await findUsableInvite(app, inviteCode)) !== undefined;
}

/** The form of a sign-up with a provider. */
type ProviderSignUp = Pick<NewUser, 'username' | 'email' | 'reason' | 'locale' | 'agreement'> & {
  /** Of the pending sign-up. */
  readonly secret: string;
  readonly origin: SignInOrigin;
};

/**
 * Creates the user of someone who has signed in at a provider, without a password, and a session. Returns its secret,
 * undefined if the pending sign-up expired. An address that the provider confirmed needs no mail. Throws 422 and 403 as
 * `createUser`, 403 if nobody may sign up.
 */
export async function signUpByProvider(
  app: App,
  signIn: BrowserSignIn,
  { secret, origin: from, ...form }: ProviderSignUp,
): Promise<string | undefined> {
  const { provider } = signIn;
  const pending = await findPendingSignUp(app, signIn, secret);
  if (pending === undefined) return undefined;
  const { claims, inviteCode } = pending;
  if (!(await maySignUpByProvider(app, provider, inviteCode))) throw forbidden();
  const confirmed = claims.isEmailVerified && claims.email === normalizeEmail(form.email);
  const user = await prepareUser(app, {
    ...form,
    confirmed,
    inviteCode,
    ip: from.ip,
    registrations: await providerRegistrations(app, provider),
    ...(claims.displayName !== undefined && { displayName: claims.displayName }),
  });
  const origin = await checkOrigin(app, from);
  try {
    return await transaction(app, async (tx) => {
      if (!(await deletePendingSignUp(tx, secret))) return undefined;
      const created = await insertUser(tx, app, user);
      if (confirmed) tx.emit((user.approved ? signUpCompleted : signUpPending)(created));
      await insertIdentity(tx, app, { userId: created.userId, issuer: provider.issuer, claims });
      await applyGroups(tx, app, { userId: created.userId, provider, claims });
      await recordOrigin(tx, app, created.userId, origin);
      const session = { issuer: provider.issuer, sessionId: claims.sessionId };
      return createSession(tx, app, created.userId, { ...origin, provider: session });
    });
  } catch (error) {
    // The same person signed up in another window.
    if (isIdentityConflict(error)) return undefined;
    return rethrowTakenError(error);
  }
}
