import type { App } from '../../platform/app.ts';
import type { UserId } from '../../platform/ids.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { hashSecret, newSecret } from '../sign-in/secrets.ts';
import { writable, type ProviderClaims } from '../tables.ts';
import { authorizationUrl, type SignInSecrets } from './provider-client.ts';

/** Time for the pages of the provider, and again for the form of a sign-up. */
const ttlMs = 30 * 60_000;

/** What a sign-in with a provider is for. */
export interface SignInPurpose {
  /** The local path to continue at. */
  readonly returnTo: string | undefined;
  /** The account is added to those in which the browser is signed in. */
  readonly isAdded: boolean;
  /** The invite for a sign-up. */
  readonly inviteCode?: string | undefined;
  /** The user who links the account; undefined: someone signs in. */
  readonly userId?: UserId | undefined;
}

/** A sign-in of one browser, which no other can continue. */
export interface BrowserSignIn {
  readonly provider: SignInProvider;
  /** Secret of the browser. */
  readonly browserKey: string;
}

/**
 * Begins a sign-in with a provider. Returns the address there. `isForced`: the person signs in again even if the provider
 * knows the browser. Throws ProviderError.
 */
export async function beginProviderSignIn(
  app: App,
  { provider, browserKey }: BrowserSignIn,
  { isForced, ...purpose }: SignInPurpose & { readonly isForced: boolean },
): Promise<string> {
  const secrets: SignInSecrets = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() };
  const url = await authorizationUrl(app, provider, { ...secrets, isForced });
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('provider_sign_ins')
      .values({
        token_hash: hashSecret(secrets.state),
        browser_hash: hashSecret(browserKey),
        provider: provider.name,
        nonce: secrets.nonce,
        code_verifier: secrets.codeVerifier,
        return_to: purpose.returnTo ?? null,
        is_added: purpose.isAdded,
        invite_code: purpose.inviteCode ?? null,
        user_id: purpose.userId ?? null,
        claims: null,
        expires_at: expiry(app),
      })
      .execute(),
  );
  return url;
}

const expiry = ({ clock }: App): Date => new Date(clock.now().getTime() + ttlMs);

/** Ends a sign-in that has begun, and returns it. Undefined if it is unknown, expired, or of another browser. */
export async function takeProviderSignIn(
  app: App,
  { provider, browserKey }: BrowserSignIn,
  state: string,
): Promise<(SignInPurpose & { readonly secrets: SignInSecrets }) | undefined> {
  const row = await transaction(app, ({ db }) =>
    writable(db)
      .deleteFrom('provider_sign_ins')
      .where('token_hash', '=', hashSecret(state))
      .where('browser_hash', '=', hashSecret(browserKey))
      .where('provider', '=', provider.name)
      .where('claims', 'is', null)
      .where('expires_at', '>', app.clock.now())
      .returning(['nonce', 'code_verifier', 'return_to', 'is_added', 'invite_code', 'user_id'])
      .executeTakeFirst(),
  );
  if (row === undefined) return undefined;
  return {
    returnTo: row.return_to ?? undefined,
    isAdded: row.is_added,
    inviteCode: row.invite_code ?? undefined,
    userId: row.user_id ?? undefined,
    secrets: { state, nonce: row.nonce, codeVerifier: row.code_verifier },
  };
}

/** Stores that someone signed in at a provider, but has no account here. Returns the secret with which they sign up. */
export async function storePendingSignUp(
  { db }: Transaction,
  app: App,
  {
    signIn: { provider, browserKey },
    purpose,
    claims,
  }: { readonly signIn: BrowserSignIn; readonly purpose: SignInPurpose; readonly claims: ProviderClaims },
): Promise<string> {
  const secret = newSecret();
  await writable(db)
    .insertInto('provider_sign_ins')
    .values({
      token_hash: hashSecret(secret),
      browser_hash: hashSecret(browserKey),
      provider: provider.name,
      nonce: '',
      code_verifier: '',
      return_to: purpose.returnTo ?? null,
      is_added: purpose.isAdded,
      invite_code: purpose.inviteCode ?? null,
      user_id: null,
      claims: JSON.stringify(claims),
      expires_at: expiry(app),
    })
    .execute();
  return secret;
}

/** A sign-up of someone who has signed in at a provider. */
export interface PendingSignUp extends Omit<SignInPurpose, 'userId'> {
  readonly claims: ProviderClaims;
}

/** Finds a pending sign-up. Undefined if it is unknown, expired, or of another browser. */
export async function findPendingSignUp(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { provider, browserKey }: BrowserSignIn,
  secret: string,
): Promise<PendingSignUp | undefined> {
  const row = await db
    .selectFrom('provider_sign_ins')
    .select(['return_to', 'is_added', 'invite_code', 'claims'])
    .where('token_hash', '=', hashSecret(secret))
    .where('browser_hash', '=', hashSecret(browserKey))
    .where('provider', '=', provider.name)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (row === undefined || row.claims === null) return undefined;
  return {
    returnTo: row.return_to ?? undefined,
    isAdded: row.is_added,
    inviteCode: row.invite_code ?? undefined,
    claims: row.claims,
  };
}

/** Deletes a pending sign-up. Returns false if there is none; of two concurrent calls, only one gets true. */
export async function deletePendingSignUp({ db }: Transaction, secret: string): Promise<boolean> {
  const { numDeletedRows } = await writable(db)
    .deleteFrom('provider_sign_ins')
    .where('token_hash', '=', hashSecret(secret))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
