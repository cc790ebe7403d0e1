import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { ensureWebClient } from '../../bin/build-web.mjs';
import { createRestAPIClient, type mastodon } from 'masto';
import { findFreePort } from '../free-port.ts';
import { Installation, type CliProcess } from '../ops/cli-process.ts';
import { sharedBrowser, skipReason } from './chromium.ts';

const webClientDir = join(import.meta.dirname, '..', '..', 'web', 'dist');
const password = 'correct horse battery';
const allScopes = 'read write follow push admin:read admin:write';

/** Sizes of windows: those at which every screen is looked at. */
export const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

/** A user of a server, with a client library for what the test prepares. */
export interface WebUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly rest: mastodon.rest.Client;
}

export interface ClientOptions {
  readonly size?: keyof typeof sizes;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  /** False for tests that answer requests in place of the server: Playwright does not see those of a service worker. */
  readonly hasServiceWorker?: boolean;
}

/** A server in its own process that serves the built web client. */
export class WebServer implements AsyncDisposable {
  url = '';
  #installation: Installation | undefined;
  #process: CliProcess | undefined;
  readonly #contexts: BrowserContext[] = [];
  /** The cookies of users who signed in, so that each signs in once. */
  readonly #states = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();
  readonly #problems: string[] = [];

  /** Builds the client if necessary, and starts the server. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    if (!(await ensureWebClient())) throw new Error('the web client could not be built');
    const port = await findFreePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#installation = new Installation({
      PORT: String(port),
      BASE_URL: this.url,
      ALLOW_PRIVATE_ADDRESSES: 'on',
      LOG_LEVEL: 'warn',
      REGISTRATIONS: 'open',
      RATE_LIMITS: 'off',
      WEB_CLIENT_DIR: webClientDir,
      ...settings,
    });
    this.#process = this.#installation.run(['serve']);
    await this.#process.waitForOutput('Fieldfare is ready');
  }

  get installation(): Installation {
    if (this.#installation === undefined) throw new Error('the server is not started');
    return this.#installation;
  }

  /** Creates a confirmed user. */
  async createUser(username: string, role = 'user'): Promise<WebUser> {
    const email = `${username}@mail.example`;
    const args = ['--email', email, '--password', password, '--confirmed', '--approved', '--role', role];
    const command = ['account', 'create', username, ...args, '--scopes', allScopes, '--json'];
    const { stdout, stderr } = await this.installation.runToEnd(...command);
    if (stdout === '') throw new Error(`no account: ${stderr}`);
    const { access_token: accessToken } = JSON.parse(stdout) as { access_token: string };
    const rest = createRestAPIClient({ url: this.url, accessToken });
    return { username, email, password, accessToken, rest };
  }

  /** Opens a window in which nobody is signed in. */
  async openWindow(options: ClientOptions = {}): Promise<Page> {
    return this.#newPage(await this.#newContext(options));
  }

  /** Opens a window in which the user is signed in, on a page of the client. */
  async openClient(user: WebUser, path = '/', options: ClientOptions = {}): Promise<Page> {
    const state = this.#states.get(user.username);
    const context = await this.#newContext(options, state);
    const page = await this.#newPage(context);
    if (state === undefined) {
      await signIn(page, this.url, user);
      this.#states.set(user.username, await context.storageState());
    }
    await page.goto(this.url + path);
    await page.locator('#content').waitFor();
    return page;
  }

  /** Closes the windows of a test. Throws if a page had an error or violated its Content-Security-Policy. */
  async closeWindows(): Promise<void> {
    for (const context of this.#contexts.splice(0)) {
      // A handler may still be waiting for a response, which is gone when the window is closed.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    const problems = this.#problems.splice(0);
    if (problems.length > 0) throw new Error(`errors in the pages:\n${problems.join('\n')}`);
  }

  /** Stops the process for a while: connections are accepted, but nothing is answered. */
  pause(): void {
    this.#process?.child.kill('SIGSTOP');
  }

  /** Continues a paused process. */
  resume(): void {
    this.#process?.child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#installation?.[Symbol.asyncDispose]();
  }

  async #newContext(
    { size = 'desktop', colorScheme = 'light', locale = 'en', hasServiceWorker = true }: ClientOptions,
    storageState?: Awaited<ReturnType<BrowserContext['storageState']>>,
  ): Promise<BrowserContext> {
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      viewport: sizes[size],
      hasTouch: size === 'phone',
      colorScheme,
      locale,
      reducedMotion: 'reduce',
      serviceWorkers: hasServiceWorker ? 'allow' : 'block',
      ...(storageState !== undefined && { storageState }),
    });
    context.setDefaultTimeout(60_000);
    this.#contexts.push(context);
    return context;
  }

  async #newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#problems.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) this.#problems.push(message.text());
    });
    return page;
  }
}

/** Signs a user in on the page of the server. */
export async function signIn(
  page: Page,
  url: string,
  user: Pick<WebUser, 'email' | 'password'>,
  query: '' | '?add=true' = '',
): Promise<void> {
  await page.goto(`${url}/auth/sign_in${query}`);
  await fillSignIn(page, user);
}

/** Fills in the open page to sign in, and waits until it is left. */
export async function fillSignIn(
  page: Page,
  { email, password: secret }: Pick<WebUser, 'email' | 'password'>,
): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(secret);
  await page.locator('form[action="/auth/sign_in"] button').click();
  await page.waitForURL((address) => !address.pathname.startsWith('/auth'));
}

/**
 * Ends the session of an open page behind its back, as another device may. Deleting the cookies would not do: the response
 * to a request that is under way sets them again.
 */
export async function endSession(page: Page, user: WebUser): Promise<void> {
  const { id } = await user.rest.v1.accounts.verifyCredentials();
  const status = await page.evaluate(async (account) => {
    const headers = { 'fieldfare-account': account, 'content-type': 'application/json' };
    return (await fetch('/api/web/session/sign_out', { method: 'POST', headers, body: '{}' })).status;
  }, id);
  if (status !== 200) throw new Error(`the session could not be ended: ${status}`);
}

/** Declares tests with one server of their own. They are skipped without a browser. */
export function describeWithServer(
  title: string,
  declareTests: (server: WebServer) => void,
  settings: Record<string, string> = {},
): void {
  describe.skipIf(skipReason !== undefined)(title, () => {
    const server = new WebServer();
    beforeAll(() => server.start(settings));
    afterAll(() => server[Symbol.asyncDispose]());
    declareTests(server);
  });
}
