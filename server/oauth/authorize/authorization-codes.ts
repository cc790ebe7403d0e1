import { hash, timingSafeEqual } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { ApplicationId, UserId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../users/sign-in/index.ts';
import { insertToken } from '../create-token.ts';
import { revokeTokens } from '../revoke-tokens.ts';
import type { Token } from '../schema.ts';
import { parseScopes } from '../scopes.ts';
import { writable } from '../tables.ts';

const codeTtlSeconds = 600;

/** The grant of a user to an app. */
export interface AuthorizationConsent {
  readonly userId: UserId;
  readonly applicationId: ApplicationId;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** PKCE: base64url of the SHA-256 of the verifier. */
  readonly codeChallenge: string | undefined;
}

/** Stores an authorization code and returns it. It is valid once, for ten minutes. Only its hash is stored. */
export async function createAuthorizationCode(app: App, consent: AuthorizationConsent): Promise<string> {
  const code = newSecret();
  await transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('oauth_grants')
      .values({
        code_hash: hashSecret(code),
        application_id: consent.applicationId,
        user_id: consent.userId,
        redirect_uri: consent.redirectUri,
        scopes: consent.scopes.join(' '),
        code_challenge: consent.codeChallenge ?? null,
        expires_at: new Date(app.clock.now().getTime() + codeTtlSeconds * 1000),
      })
      .execute();
  });
  return code;
}

/** The parameters with which an app exchanges a code. */
export interface CodeExchange {
  readonly applicationId: ApplicationId;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
}

/**
 * Exchanges a code for a token. Returns undefined if the code is unknown, expired, used or of another app, or does not
 * match the redirect address or the verifier. A second use means that the code was stolen: its token is revoked.
 */
export async function exchangeCode(app: App, exchange: CodeExchange): Promise<Token | undefined> {
  return transaction(app, async (tx) => {
    const grant = await tx.db
      .selectFrom('oauth_grants')
      .selectAll()
      .where('code_hash', '=', hashSecret(exchange.code))
      .where('application_id', '=', exchange.applicationId)
      .forUpdate()
      .executeTakeFirst();
    if (grant === undefined) return undefined;
    if (grant.used_at !== null) {
      if (grant.token_id !== null) await revokeTokens(tx, { tokenId: grant.token_id });
      return undefined;
    }
    if (grant.expires_at <= app.clock.now() || grant.redirect_uri !== exchange.redirectUri) return undefined;
    if (!isChallengeMet(grant.code_challenge, exchange.codeVerifier)) return undefined;
    const { token, use } = await createGrantedToken(tx, app, grant);
    await writable(tx.db).updateTable('oauth_grants').set(use).where('code_hash', '=', grant.code_hash).execute();
    return token;
  });
}

async function createGrantedToken(
  tx: Transaction,
  app: App,
  grant: { user_id: UserId; application_id: ApplicationId; scopes: string },
) {
  const scopes = parseScopes(grant.scopes);
  const stored = await insertToken(tx, app, { userId: grant.user_id, applicationId: grant.application_id, scopes });
  return { token: presentToken(stored, scopes), use: { used_at: stored.createdAt, token_id: stored.id } };
}

/** A new token with its secret. */
export function presentToken(
  { secret, createdAt }: { secret: string; createdAt: Date },
  scopes: readonly string[],
): Token {
  return {
    access_token: secret,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(createdAt.getTime() / 1000),
  };
}

// A verifier without a challenge fails too: an attacker may have removed the challenge from the first request.
function isChallengeMet(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  const expected = Buffer.from(challenge);
  const given = Buffer.from(hash('sha256', verifier, 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Deletes expired codes. Used ones stay for a week, to detect a second use. */
export async function cleanUpGrants(app: App): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - 7 * 86_400_000);
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('oauth_grants').where('expires_at', '<', oldest).execute();
  });
}
