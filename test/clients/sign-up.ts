import { createHash, randomBytes } from 'node:crypto';
import { createOAuthAPIClient, createRestAPIClient, type mastodon } from 'masto';
import { expect } from 'vitest';
import { Browser } from '../browser.ts';
import { waitForValue, type RealServer } from './real-server.ts';

const redirectUri = 'https://app.example/callback';
const scopes = 'read write follow push';

/** A user of a real server, signed in with an app. */
export interface SignedUpUser {
  readonly rest: mastodon.rest.Client;
  readonly accessToken: string;
}

/** Signs up through the API, confirms by the link in the mail, and authorizes the app on the pages. */
export async function signUp(server: RealServer, username: string): Promise<SignedUpUser> {
  const { url } = server;
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: 'Real client',
    redirectUris: redirectUri,
    scopes,
    website: 'https://app.example',
  });
  const { clientId, clientSecret } = app;
  if (clientId == null || clientSecret == null) throw new Error('the app has no credentials');
  const oauth = createOAuthAPIClient({ url });
  const appToken = await oauth.token.create({
    grantType: 'client_credentials',
    clientId,
    clientSecret,
    redirectUri,
    scope: scopes,
  });
  const unconfirmed = await createRestAPIClient({ url, accessToken: appToken.accessToken }).v1.accounts.create({
    username,
    email: `${username}@mail.example`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
  });
  await expect(
    createRestAPIClient({ url, accessToken: unconfirmed.accessToken }).v1.accounts.verifyCredentials(),
  ).rejects.toThrow(/confirmed e-mail/);

  const browser = new Browser(server);
  await browser.open(await waitForValue(() => server.findMailedLink(`${username}@mail.example`, '/auth/confirmation')));
  await browser.submit('/auth/confirmation');
  expect(browser.status).toBe(200);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state: 'some state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  await browser.open(`/oauth/authorize?${query.toString()}`);
  if (browser.text.includes('name="password"')) {
    await browser.submit('/auth/sign_in', { email: `${username}@mail.example`, password: 'correct horse battery' });
  }
  const callback = new URL(await browser.submit('/oauth/authorize', { decision: 'allow' }));
  expect([callback.origin, callback.searchParams.get('state')]).toEqual(['https://app.example', 'some state']);
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const token = (await response.json()) as { access_token: string; scope: string };
  expect(token.scope).toBe(scopes);
  const accessToken = token.access_token;
  return { rest: createRestAPIClient({ url, accessToken }), accessToken };
}
