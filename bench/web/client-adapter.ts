import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Cookies and what else a browser stores about someone who is signed in. */
export type Storage = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Who signs in to which server. */
export interface SignIn {
  /** Origin of the server. */
  readonly server: string;
  readonly email: string;
  readonly password: string;
}

/** What the measurements must know about a web client. */
export interface ClientAdapter {
  readonly title: string;
  /** Path of home, perhaps with a fragment. */
  readonly homePath: string;
  /** Selector of the text of a post, or of the whole post if both are painted together. */
  readonly post: string;
  /** Selector of a button that favourites a post, and the attribute of it that changes. Undefined: a menu has it. */
  readonly favourite: { readonly button: string; readonly attribute: string } | undefined;
  /** JavaScript that is true in the page when the service worker has stored what it needs for the next visit. */
  readonly isStored: string;
  /** Signs in a page, which is in a browser that is signed in to the server already. `origin` is that of the client. */
  signIn(page: Page, origin: string, signIn: SignIn): Promise<void>;
}

/** The client in web/, which needs no token. */
export const fieldfare: ClientAdapter = {
  title: 'Fieldfare',
  homePath: '/',
  post: 'article',
  favourite: { button: 'article button.favourite[aria-pressed=false]', attribute: 'aria-pressed' },
  isStored: `(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('account-'));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().length >= 5;
  })()`,
  signIn: () => Promise.resolve(),
};

/** Signs in on the page of the server, and then in the client. Returns what the browser stores. */
export async function signInAndStore(
  browser: Browser,
  origin: string,
  signIn: Omit<SignIn, 'server'> & { readonly server?: string },
  adapter = fieldfare,
): Promise<Storage> {
  const { server = origin, email, password } = signIn;
  const context = await browser.newContext({ serviceWorkers: 'block', ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${server}/auth/sign_in`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form[action="/auth/sign_in"] button').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
  await adapter.signIn(page, origin, { server, email, password });
  const storage = await context.storageState({ indexedDB: true });
  await context.close();
  return storage;
}
