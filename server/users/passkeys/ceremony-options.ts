import type { App } from '../../platform/app.ts';
import type { UserId } from '../../platform/ids.ts';
import { newChallenge } from './challenges.ts';
import { listCredentials, type CredentialDescriptor } from './list-passkeys.ts';

const timeout = 5 * 60_000;

/** The domain for which passkeys are made: that of the pages. */
export const relyingPartyId = ({ config }: Pick<App, 'config'>): string => new URL(config.baseUrl).hostname;

export const expectedOrigin = ({ config }: Pick<App, 'config'>): string => new URL(config.baseUrl).origin;

/** Returns the bytes by which authenticators know a user. A new passkey replaces an unsaved one with the same. */
export const userHandle = (userId: UserId): Buffer => Buffer.from(userId);

/** Returns the options for `navigator.credentials.create()`, as JSON. `key`: see `newChallenge`. */
export async function registrationOptions(
  app: App,
  user: { readonly userId: UserId; readonly username: string; readonly site: string },
  key: string,
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const name = `${user.username}@${app.config.domain}`;
  return generateRegistrationOptions({
    rpName: user.site,
    rpID: relyingPartyId(app),
    userID: Uint8Array.from(userHandle(user.userId)),
    userName: name,
    userDisplayName: name,
    challenge: newChallenge(app, key),
    timeout,
    attestationType: 'none',
    excludeCredentials: await listCredentials(app, user.userId),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Returns the options for `navigator.credentials.get()`, as JSON. Without `credentials`, the user chooses a passkey that the
 * authenticator knows, which then replaces the password, so the authenticator has to verify the user.
 */
export const signInOptions = (app: App, key: string, credentials: readonly CredentialDescriptor[] = []): object => ({
  challenge: Buffer.from(newChallenge(app, key)).toString('base64url'),
  rpId: relyingPartyId(app),
  allowCredentials: credentials,
  userVerification: credentials.length === 0 ? 'required' : 'preferred',
  timeout,
});
