import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/**
 * Contexts of the browser that serve one test after the other. A new one starts a process, which compiles the client: that
 * is a third of what a window costs.
 */
export class BrowserContexts {
  /** Contexts that wait for their next test, by their options. */
  readonly #idle = new Map<string, BrowserContext[]>();
  readonly #options = new WeakMap<BrowserContext, BrowserContextOptions>();
  /** The page of each context that stays open, because a process ends with its last page. */
  readonly #blankPages = new WeakMap<BrowserContext, Page>();

  /** Returns a context without cookies, stored data and pages but a blank one. */
  async take(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
    const context = this.#idle.get(JSON.stringify(options))?.pop() ?? (await browser.newContext(options));
    this.#options.set(context, options);
    return context;
  }

  /** Takes a context back when its test has ended. `url`: of the server whose pages it opened. */
  async return(context: BrowserContext, url: string): Promise<void> {
    const options = this.#options.get(context);
    // A service worker would serve the next test.
    if (options?.serviceWorkers !== 'block') return context.close();
    const blank = this.#blankPages.get(context) ?? (await openBlankPage(context, url));
    this.#blankPages.set(context, blank);
    for (const page of context.pages()) if (page !== blank) await page.close();
    // Playwright cannot uninstall the clock of a test.
    if (await blank.evaluate('!/native code/.test(String(Date))')) return context.close();
    await context.setOffline(false);
    await context.clearPermissions();
    await context.clearCookies();
    await deleteStoredData(blank, url);
    const key = JSON.stringify(options);
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), context]);
  }

  /** Closes the contexts that wait. */
  async close(): Promise<void> {
    for (const context of [...this.#idle.values()].flat()) await context.close();
    this.#idle.clear();
  }
}

async function openBlankPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/robots.txt`);
  return page;
}

/** Deletes what the pages of a server stored. `page`: one of them. */
async function deleteStoredData(page: Page, url: string): Promise<void> {
  // The process of the page has a copy of this storage.
  await page.evaluate('localStorage.clear()');
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'indexeddb,cache_storage' });
  await session.send('Network.clearBrowserCache');
  await session.detach();
}
