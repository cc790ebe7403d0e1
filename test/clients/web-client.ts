import type * as masto from 'masto';
import { expect } from 'vitest';
import type { RealServer } from './real-server.ts';
import type { Tab } from './tab.ts';

/** What the page of the web client offers to functions that run in it. */
export interface WebClient {
  readonly masto: typeof masto;
  /** Events of the user stream since it was opened. */
  readonly events: masto.mastodon.streaming.Event[];
  rest: masto.mastodon.rest.Client;
}

/** What the web client stores of its registration and its token. */
export interface Grant {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly vapidKey: string;
  readonly accessToken: string;
}

interface Form {
  readonly elements: { namedItem(name: string): { value: string } };
  querySelector(selector: string): object | null;
  requestSubmit(button: object | null): void;
}

// Available in the page. The types of the DOM are not loaded for the tests, because they would apply to the server too.
declare const webClient: WebClient | undefined;
declare const location: { href: string };
declare const document: { readonly readyState: string; querySelector(selector: string): Form | null };

const scopes = 'read write follow push';

/** Opens the page of the web client and waits for its scripts. */
export async function openWebClient(tab: Tab, page: string): Promise<void> {
  await tab.page.goto(page);
  await tab.waitUntil(() => webClient?.masto !== undefined);
}

/**
 * Signs a user in like web clients do: registers the app, visits the pages of the server for consent, and exchanges
 * the code that comes back for a token, with PKCE.
 */
export async function authorize(tab: Tab, server: RealServer, user: { page: string; email: string }): Promise<Grant> {
  const { page, email } = user;
  await openWebClient(tab, page);
  const app = await tab.run(register, server.url, page, scopes);
  expect(app).toMatchObject({ redirect_uri: page, scopes: scopes.split(' ') });
  const verifier = await tab.run(goToConsent, server.url, { clientId: app.client_id, page, scopes });
  await submitForm(tab, '/auth/sign_in', { email, password: 'correct horse battery' });
  await submitForm(tab, '/oauth/authorize');
  await tab.waitUntil(() => webClient?.masto !== undefined);
  const returned = new URL(await tab.run(() => location.href));
  expect([returned.origin, returned.searchParams.get('state')]).toEqual([new URL(page).origin, 'a state']);
  const token = await tab.run(requestToken, server.url, {
    grant_type: 'authorization_code',
    code: returned.searchParams.get('code') ?? '',
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: page,
    scope: scopes,
    code_verifier: verifier,
  });
  expect(token).toMatchObject({ token_type: 'Bearer', scope: scopes });
  const { client_id: clientId, client_secret: clientSecret, vapid_key: vapidKey } = app;
  return { clientId, clientSecret, vapidKey, accessToken: token.access_token };
}

interface RegisteredApp {
  readonly client_id: string;
  readonly client_secret: string;
  readonly vapid_key: string;
}

async function register(server: string, page: string, scopes: string): Promise<RegisteredApp> {
  const body = new URLSearchParams({ client_name: 'Web client', redirect_uris: page, scopes, website: page });
  const response = await fetch(`${server}/api/v1/apps`, { method: 'POST', body });
  return (await response.json()) as RegisteredApp;
}

/** Leaves the page for the server. Returns the PKCE verifier. */
async function goToConsent(
  server: string,
  { clientId, page, scopes }: { clientId: string; page: string; scopes: string },
): Promise<string> {
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const query = new URLSearchParams({
    client_id: clientId,
    code_challenge_method: 'S256',
    code_challenge: challenge.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    redirect_uri: page,
    response_type: 'code',
    scope: scopes,
    state: 'a state',
  });
  location.href = `${server}/oauth/authorize?${query.toString()}`;
  return verifier;
}

/** Waits for the page with a form, fills it in and presses its first button. */
async function submitForm(tab: Tab, action: string, fields: Record<string, string> = {}): Promise<void> {
  const selector = `form[action="${action}"]`;
  const isLoaded = (selector: string): boolean =>
    document.readyState === 'complete' && document.querySelector(selector) !== null;
  await tab.waitUntil(isLoaded, selector);
  const submit = (selector: string, fields: Record<string, string>): void => {
    const form = document.querySelector(selector);
    for (const [name, value] of Object.entries(fields)) if (form !== null) form.elements.namedItem(name).value = value;
    form?.requestSubmit(form.querySelector('button'));
  };
  await tab.run(submit, selector, fields);
}

async function requestToken(
  server: string,
  fields: Record<string, string>,
): Promise<{ access_token: string; scope: string }> {
  const response = await fetch(`${server}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as { access_token: string; scope: string };
}
