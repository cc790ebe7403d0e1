import { expect, test } from 'vitest';
import { findChromium, noChromium } from './chromium.ts';
import { startRealServer } from './real-server.ts';
import { signUp } from './sign-up.ts';
import { Tab } from './tab.ts';

interface PageForm {
  readonly hidden: boolean;
  readonly elements: { namedItem(name: string): { value: string } | null };
  getAttribute(name: string): string | null;
  requestSubmit(): void;
}

// Available in the page, where the functions given to `tab.run` run.
declare const location: { readonly pathname: string };
declare const document: {
  readonly documentElement: { readonly dataset: Record<string, string | undefined> };
  readonly readyState: string;
  readonly forms: Iterable<PageForm>;
  querySelector(selector: string): { readonly textContent: string } | null;
};

const password = 'correct horse battery';

interface Authenticator {
  readonly authenticatorId: string;
}

interface Credential {
  readonly credentialId: string;
  readonly signCount: number;
}

/** Fills in a form, submits it by its button and waits for the next page. */
async function submit(tab: Tab, action: string, fields: Record<string, string> = {}): Promise<string> {
  await tab.run(
    (path: string, values: Record<string, string>) => {
      const form = [...document.forms].find((each) => each.getAttribute('action') === path);
      if (form === undefined) throw new Error(`the page has no form to ${path}`);
      if (form.hidden) throw new Error(`the form to ${path} is hidden`);
      for (const [name, value] of Object.entries(values)) {
        const input = form.elements.namedItem(name);
        if (input !== null) input.value = value;
      }
      document.documentElement.dataset['old'] = '1';
      form.requestSubmit();
    },
    action,
    fields,
  );
  await tab.waitUntil(
    () => document.documentElement.dataset['old'] === undefined && document.readyState === 'complete',
  );
  return tab.run(() => `${location.pathname} ${document.querySelector('main')?.textContent ?? ''}`);
}

test('security 15: passkeys are registered in Chromium, and sign in as second and as only factor', async ({
  skip,
  onTestFinished,
}) => {
  if (findChromium() === undefined) return skip(noChromium);
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  // Browsers refuse passkeys for IP addresses.
  const server = await startRealServer(stack, {}, 'localhost');
  await signUp(server, 'alice');
  const tab = await Tab.open(stack);
  await tab.command('WebAuthn.enable');
  const { authenticatorId } = await tab.command<Authenticator>('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });

  const signInPath = '/auth/sign_in';
  const signOut = () => submit(tab, '/auth/sign_out');
  await tab.page.goto(`${server.url}${signInPath}`);
  await submit(tab, signInPath, { email: 'alice', password });
  await tab.page.goto(`${server.url}/settings/passkeys`);
  expect(await submit(tab, '/settings/passkeys', { name: 'Wrong', current_password: 'wrong password' })).toContain(
    'Current password',
  );
  await tab.command('WebAuthn.clearCredentials', { authenticatorId });
  const added = await submit(tab, '/settings/passkeys', { name: 'Laptop', current_password: password });
  expect(added).toContain('Recovery codes');
  await tab.page.goto(`${server.url}/settings/passkeys`);
  expect(await tab.run(() => document.querySelector('main')?.textContent ?? '')).toContain('Laptop');

  await signOut();
  await tab.page.goto(`${server.url}${signInPath}`);
  expect(await submit(tab, signInPath, { email: 'alice', password })).toContain('Second step');
  expect(await submit(tab, '/auth/sign_in/second_factor/passkey')).toMatch(/^\/ /);

  await signOut();
  await tab.page.goto(`${server.url}${signInPath}`);
  expect(await submit(tab, `${signInPath}/passkey`)).toMatch(/^\/ /);
  await tab.page.goto(`${server.url}/settings/sessions`);
  expect(await tab.run(() => document.querySelector('main')?.textContent ?? '')).toContain('Chrome on Linux');

  // A copy of the authenticator has an older counter.
  await signOut();
  const { credentials } = await tab.command<{ credentials: Credential[] }>('WebAuthn.getCredentials', {
    authenticatorId,
  });
  const [credential] = credentials;
  if (credential === undefined) throw new Error('the authenticator has no passkey');
  expect(credential.signCount).toBeGreaterThan(1);
  await tab.command('WebAuthn.clearCredentials', { authenticatorId });
  await tab.command('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
  await tab.page.goto(`${server.url}${signInPath}`);
  expect(await submit(tab, `${signInPath}/passkey`)).toContain('The passkey was not accepted');

  await tab.command('WebAuthn.clearCredentials', { authenticatorId });
  await tab.command('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 50 } });
  await tab.page.goto(`${server.url}${signInPath}`);
  expect(await submit(tab, `${signInPath}/passkey`)).toMatch(/^\/ /);
  await tab.page.goto(`${server.url}/settings/passkeys`);
  const actions = await tab.run(() => [...document.forms].map((form) => form.getAttribute('action') ?? ''));
  const remove = actions.find((action) => action.endsWith('/remove')) ?? '';
  expect(await submit(tab, remove, { current_password: 'wrong password' })).toContain('Laptop');
  expect(await submit(tab, remove, { current_password: password })).not.toContain('Laptop');
  await signOut();
  await tab.page.goto(`${server.url}${signInPath}`);
  expect(await submit(tab, `${signInPath}/passkey`)).toContain('The passkey was not accepted');
  expect(await submit(tab, signInPath, { email: 'alice', password })).toMatch(/^\/ /);
});
