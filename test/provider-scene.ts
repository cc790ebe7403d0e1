import { expect } from 'vitest';
import { Browser } from './browser.ts';
import { IdentityProvider, type Person } from './identity-provider.ts';
import { startServer, type ServerOptions, type TestServer } from './server.ts';

export const signUpPath = '/auth/providers/town/sign_up';
export const alice: Person = {
  sub: 'person-1',
  email: 'alice@town.test',
  email_verified: true,
  name: 'Alice Árnadóttir',
  preferred_username: 'alice.a',
  groups: ['staff'],
};
export const isSignedIn = ({ cookies }: Browser): boolean => cookies.has('__Host-session');

/** Starts a provider, and a server that knows it. */
export async function start(
  providerSettings: Readonly<Record<string, string>> = {},
  { settings, ...options }: ServerOptions = {},
): Promise<{ provider: IdentityProvider; server: TestServer } & AsyncDisposable> {
  const provider = await IdentityProvider.start();
  const server = await startServer({
    ...options,
    outgoing: provider.outgoing,
    settings: { REGISTRATIONS: 'open', ...provider.settings(providerSettings), ...settings },
  });
  return {
    provider,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Signs a person up with the provider in a new browser. */
export async function signUp(
  { provider, server }: { provider: IdentityProvider; server: TestServer },
  person: Person = alice,
  fields: Record<string, string> = {},
): Promise<Browser> {
  const browser = new Browser(server);
  await provider.signIn(browser, person);
  expect(browser.path).toContain(signUpPath);
  await browser.submit(signUpPath, { username: 'alice', email: 'alice@town.test', agreement: '1', ...fields });
  return browser;
}
