import { createApplication, createToken } from '../../server/oauth/index.ts';
import { TestUser, type TestServer } from '../server.ts';

/** What Mastodon for iOS registers. */
export const mastodonIos = { name: 'Mastodon for iOS', website: 'https://app.joinmastodon.org/ios' };

/** Returns a user with a token of an app that registered under this name. */
export async function signInFor(
  server: TestServer,
  { id, userId, username }: TestUser,
  app: { readonly name: string; readonly website: string | null },
): Promise<TestUser> {
  const scopes = ['read', 'write', 'follow', 'push'];
  const redirectUris = ['mastodon://joinmastodon.org/oauth'];
  const { id: applicationId } = await createApplication(server.app, { ...app, redirectUris, scopes });
  const token = await createToken(server.app, { userId, applicationId, scopes });
  return new TestUser(server.http, { id, userId, username, token });
}
