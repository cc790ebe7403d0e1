import { join } from 'node:path';
import type { BrowserContext, Cookie, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { ensureWebClient } from '../../bin/build-web.mjs';
import { findChromium, noChromium, sharedBrowser } from '../clients/chromium.ts';
import { BrowserContexts } from './browser-contexts.ts';
import { RealServer, type RealUser as WebUser } from './real-server.mjs';

/** Sizes of windows: those at which every screen is looked at. */
export const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
} as const;

export type { WebUser };

/** Whether tests of the web client are skipped, because there is no browser. In CI that is an error. */
export function mustSkip(program = findChromium()): boolean {
  if (program === undefined && process.env['CI'] !== undefined) throw new Error(noChromium);
  return program === undefined;
}

const webClientDir = join(import.meta.dirname, '..', '..', 'web', 'dist');

export interface ClientOptions {
  readonly size?: keyof typeof sizes;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  /**
   * True for tests of what the service worker does. It costs as much as the page, and hides requests from `page.route`.
   */
  readonly hasServiceWorker?: boolean;
}

/** A server with the built web client, and windows of a browser. */
export class WebServer extends RealServer {
  readonly #program: string | undefined;
  readonly #contexts = new BrowserContexts();
  /** The contexts of this test. */
  readonly #openContexts: BrowserContext[] = [];
  /** The cookies of users who signed in, so that each signs in once. */
  readonly #cookies = new Map<string, readonly Cookie[]>();
  readonly #problems: string[] = [];

  constructor(settings: Record<string, string> = {}, program = findChromium()) {
    super({ WEB_CLIENT_DIR: webClientDir, ...settings });
    this.#program = program;
  }

  /** Builds the client if necessary, and starts the server. */
  override async start(): Promise<void> {
    if (!(await ensureWebClient())) throw new Error('the web client could not be built');
    await super.start();
  }

  /** Creates a user who is no newcomer: the tour was shown. Their posts are sent at once, without the time to undo them. */
  override async createUser(...args: Parameters<RealServer['createUser']>): Promise<WebUser> {
    const user = await super.createUser(...args);
    await this.sql(`insert into web_settings (user_id, data, version, updated_at)
      select id, '{"hasSeenTour":true,"composer":{"sendsAtOnce":true}}', 1, now() from users where email = '${user.email}'`);
    return user;
  }

  /** Opens a window in which nobody is signed in. */
  async openWindow(options: ClientOptions = {}): Promise<Page> {
    return this.#newPage(await this.#newContext(options));
  }

  /** Opens a window in which the user is signed in, on a page of the client. */
  async openClient(user: WebUser, path = '/', options: ClientOptions = {}): Promise<Page> {
    const cookies = this.#cookies.get(user.username);
    const context = await this.#newContext(options);
    if (cookies === undefined) {
      await signInWithoutPage(context, this.url, user);
      this.#cookies.set(user.username, await context.cookies());
    } else await context.addCookies(cookies);
    const page = await this.#newPage(context);
    await page.goto(this.url + path);
    await page.locator('#content').waitFor();
    return page;
  }

  /** Closes the windows of a test. Throws if a page had an error or violated its Content-Security-Policy. */
  async closeWindows(): Promise<void> {
    for (const context of this.#openContexts.splice(0)) {
      // A handler may still be waiting for a response, which is gone when the window is closed.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await this.#contexts.return(context, this.url);
    }
    const problems = this.#problems.splice(0);
    if (problems.length > 0) throw new Error(`errors in the pages:\n${problems.join('\n')}`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#contexts.close();
    await super[Symbol.asyncDispose]();
  }

  async #newContext({
    size = 'desktop',
    colorScheme = 'light',
    locale = 'en',
    hasServiceWorker = false,
  }: ClientOptions): Promise<BrowserContext> {
    const browser = await sharedBrowser(this.#program);
    const context = await this.#contexts.take(browser, {
      viewport: sizes[size],
      hasTouch: size === 'phone',
      colorScheme,
      locale,
      reducedMotion: 'reduce',
      serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    });
    context.setDefaultTimeout(60_000);
    this.#openContexts.push(context);
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

/** Waits until the page of the client that is open has its content. */
export async function waitForContent(page: Page): Promise<void> {
  await page.locator('#content h1').first().waitFor({ state: 'attached' });
  // Posts below the window are rendered a moment later.
  await page.waitForFunction(
    () =>
      document.querySelector('#content :is(.loading, [aria-busy=true])') === null &&
      [...document.querySelectorAll('[role=feed]')].every((feed) => feed.querySelector('article') !== null) &&
      /\S · \S/.test(document.title),
  );
}

/** Waits until something that was scrolled has the same place for some frames: the wheel and keys act later. */
export const waitForEndOfScroll = (area: Locator): Promise<void> =>
  area.evaluate(async (element) => {
    let before = element.scrollTop;
    for (let frames = 0; frames < 4; frames += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (element.scrollTop !== before) frames = 0;
      before = element.scrollTop;
    }
  });

/** Ends the time in which the last action can be undone. Resolves when the server has answered it. */
export async function makeFinal(page: Page): Promise<void> {
  const close = page.locator('.toast.undo').getByRole('button', { name: 'Close' });
  const answered = page.waitForResponse((response) => response.request().method() !== 'GET');
  await Promise.all([answered, close.click()]);
}

/** Opens a page of the client by a link in the open one. The client runs on, which costs a fifth of loading it again. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForURL(({ pathname, search }) => pathname + search === path);
  // After the first frame with the new page, it begins to load what it shows.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await waitForContent(page);
}

/** Signs a user in by the requests of the form, which costs less than to open the page and the client behind it. */
async function signInWithoutPage({ request }: BrowserContext, url: string, user: WebUser): Promise<void> {
  const address = `${url}/auth/sign_in`;
  const html = await (await request.get(address)).text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  const form = { ...fields, email: user.email, password: user.password };
  const response = await request.post(address, { form, maxRedirects: 0 });
  if (response.status() !== 303) throw new Error(`${user.email} could not sign in: ${response.status()}`);
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
 * Sends the open form to sign up, until its page is left. The server shows it again, without the password, if it was filled
 * in within three seconds, as programs do.
 */
export async function sendSignUp(page: Page, secret: string): Promise<void> {
  const path = (): string => new URL(page.url()).pathname;
  const submit = async (): Promise<string> => {
    if (path() === '/auth/setup') return path();
    await page.getByLabel('Password').fill(secret);
    // A second click before the response would cancel the request.
    await Promise.all([
      page.waitForEvent('framenavigated'),
      page.getByRole('button', { name: 'Sign up', exact: true }).click(),
    ]);
    return path();
  };
  await expect.poll(submit, { timeout: 60_000, interval: 1_000 }).toBe('/auth/setup');
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

/** Declares tests with one server of their own. Each closes its windows. They are skipped without a browser. */
export function describeWithServer(
  title: string,
  declareTests: (server: WebServer) => void,
  settings: Record<string, string> = {},
  program = findChromium(),
): void {
  describe.skipIf(mustSkip(program))(title, () => {
    const server = new WebServer(settings, program);
    beforeAll(() => server.start());
    afterEach(() => server.closeWindows());
    afterAll(() => server[Symbol.asyncDispose]());
    declareTests(server);
  });
}
