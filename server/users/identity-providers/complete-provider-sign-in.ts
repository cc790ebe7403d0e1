import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { UserId } from '../../platform/ids.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { sendSecurityNotice } from '../mails/security-notices.ts';
import { createPendingSignIn } from '../second-factor/pending-sign-ins.ts';
import { recordOrigin, type SignInOrigin } from '../sign-in/origins.ts';
import { checkOrigin, createSession, type CheckedOrigin } from '../sign-in/sessions.ts';
import type { SignedIn } from '../sign-in/sign-in.ts';
import { emailSpellings } from '../sign-up/email-address.ts';
import { writable, type ProviderClaims } from '../tables.ts';
import { applyGroups } from './apply-groups.ts';
import { insertIdentity, isIdentityConflict, linkIdentity } from './identities.ts';
import { fetchClaims, ProviderError, type ProviderFailure } from './provider-client.ts';
import { storePendingSignUp, takeProviderSignIn, type BrowserSignIn, type SignInPurpose } from './provider-sign-ins.ts';

/** What became of a sign-in at a provider. */
export type ProviderOutcome =
  /** The sign-in is unknown, expired, or of another browser or user. */
  | { readonly outcome: 'expired' }
  | { readonly outcome: ProviderFailure; readonly purpose: SignInPurpose }
  | { readonly outcome: 'signed-in'; readonly signedIn: SignedIn; readonly purpose: SignInPurpose }
  /** No user is linked to this account at the provider. The secret is for `signUpByProvider`. */
  | { readonly outcome: 'unknown'; readonly secret: string }
  | { readonly outcome: 'linked' }
  /** Another user here has this account at the provider, or the user has another account there. */
  | { readonly outcome: 'conflict'; readonly purpose: SignInPurpose };

/** A callback of a provider. */
export interface ProviderCallback {
  readonly state: string;
  /** The query of its address, with the question mark. */
  readonly query: string;
  readonly origin: SignInOrigin;
  /** The user who is signed in. */
  readonly userId: UserId | undefined;
}

/**
 * Completes a sign-in at a provider: signs in to the linked account, links the account of the user who asked for that, or
 * prepares a sign-up. Throws 403 at a blocked address. Does not check whether the user may use the server (`refusal`).
 */
export async function completeProviderSignIn(
  app: App,
  signIn: BrowserSignIn,
  { state, query, origin: from, userId }: ProviderCallback,
): Promise<ProviderOutcome> {
  const taken = await takeProviderSignIn(app, signIn, state);
  if (taken === undefined) return { outcome: 'expired' };
  const { secrets, ...purpose } = taken;
  if (purpose.userId !== undefined && purpose.userId !== userId) return { outcome: 'expired' };
  try {
    const claims = await fetchClaims(app, signIn.provider, { query, secrets });
    const origin = await checkOrigin(app, from);
    return await transaction(app, async (tx) => {
      if (purpose.userId === undefined) return signInOrPrepare(tx, app, { signIn, purpose, claims, origin });
      const identity = { userId: purpose.userId, issuer: signIn.provider.issuer, claims };
      return (await linkIdentity(tx, app, identity)) ? { outcome: 'linked' } : { outcome: 'conflict', purpose };
    });
  } catch (error) {
    if (error instanceof ProviderError) return { outcome: error.failure, purpose };
    if (isIdentityConflict(error)) return { outcome: 'conflict', purpose };
    throw error;
  }
}

interface Person {
  readonly signIn: BrowserSignIn;
  readonly purpose: SignInPurpose;
  readonly claims: ProviderClaims;
}

async function signInOrPrepare(
  tx: Transaction,
  app: App,
  person: Person & { readonly origin: CheckedOrigin },
): Promise<ProviderOutcome> {
  const { signIn, purpose, claims, origin } = person;
  const { issuer } = signIn.provider;
  const userId = (await useIdentity(tx, app, person)) ?? (await linkByEmail(tx, app, person));
  if (userId === undefined)
    return { outcome: 'unknown', secret: await storePendingSignUp(tx, app, { signIn, purpose, claims }) };
  await applyGroups(tx, app, { userId, provider: signIn.provider, claims });
  const { has_second_factor: needsSecondFactor } = await tx.db
    .selectFrom('users')
    .select('has_second_factor')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirstOrThrow();
  const provider = { issuer, sessionId: claims.sessionId };
  if (needsSecondFactor) {
    const secret = await createPendingSignIn(tx, app, userId, provider);
    return { outcome: 'signed-in', signedIn: { userId, secret, needsSecondFactor }, purpose };
  }
  await recordOrigin(tx, app, userId, origin);
  const secret = await createSession(tx, app, userId, { ...origin, provider });
  return { outcome: 'signed-in', signedIn: { userId, secret, needsSecondFactor }, purpose };
}

/** Returns the user who is linked to an account at a provider, and records its use. */
async function useIdentity(tx: Transaction, app: App, { signIn, claims }: Person): Promise<UserId | undefined> {
  const row = await writable(tx.db)
    .updateTable('identities')
    .set({ last_used_at: app.clock.now(), ...(claims.email !== undefined && { email: claims.email }) })
    .where('issuer', '=', signIn.provider.issuer)
    .where('subject', '=', claims.subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Links the account of the user with the confirmed address of a person, if the provider is trusted with that. An address
 * that the user never confirmed does not count: whoever signed up with it may not own it.
 */
async function linkByEmail(tx: Transaction, app: App, { signIn, claims }: Person): Promise<UserId | undefined> {
  const { issuer, LINK_BY_EMAIL: isTrusted } = signIn.provider;
  if (!isTrusted || !claims.isEmailVerified || claims.email === undefined) return undefined;
  const user = await tx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('users.id')
    .where(sql<boolean>`lower(users.email) = any(${emailSpellings(claims.email)}::text[])`)
    .where('users.confirmed_at', 'is not', null)
    .where('accounts.deleted_at', 'is', null)
    .orderBy('users.id')
    .executeTakeFirst();
  if (user === undefined) return undefined;
  await insertIdentity(tx, app, { userId: user.id, issuer, claims });
  tx.enqueue(sendSecurityNotice({ userId: user.id, notice: 'identityLinked' }));
  return user.id;
}
