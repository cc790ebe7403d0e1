import type { Browser, BrowserContext, Page } from 'playwright-core';

type Storage = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A server, and a browser in which someone is signed in. */
export interface Target {
  readonly browser: Browser;
  readonly origin: string;
  readonly storage: Storage;
}

/** One opening of home. */
export interface Visit {
  /** Milliseconds from the navigation until a post is painted. */
  readonly readableMs: number;
  /** Cumulative Layout Shift. */
  readonly layoutShift: number;
}

export interface VisitResults {
  readonly first: readonly Visit[];
  readonly second: readonly Visit[];
}

export interface ScrollResult {
  readonly maxTaskMs: number;
  readonly heapBytes: number;
}

/** A phone on a mobile network: a quarter of the speed of this machine, 9 Mbit/s, 40 ms to the server. */
const cpuSlowdown = 4;
const network = { offline: false, latency: 40, downloadThroughput: 9_000_000 / 8, uploadThroughput: 3_000_000 / 8 };
const homePath = '/api/v1/timelines/home';
const phone = { width: 390, height: 844 };

/** Runs in the page before its scripts: records the first paint with posts, layout shifts and long tasks. */
const recorder = `
  globalThis.recorded = { readableMs: 0, layoutShift: 0, maxTaskMs: 0 };
  const { recorded } = globalThis;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) recorded.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) recorded.maxTaskMs = Math.max(recorded.maxTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('article') === null) return requestAnimationFrame(look);
    // The paint of the next frame is over when the one after it starts.
    requestAnimationFrame(() => { recorded.readableMs = performance.now(); });
  };
  requestAnimationFrame(look);
`;

/** Signs in on the page of the server. Returns the cookies. */
export async function signInAndStore(
  browser: Browser,
  origin: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Storage> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${origin}/auth/sign_in`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form[action="/auth/sign_in"] button').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
  const storage = await context.storageState();
  await context.close();
  return storage;
}

/** Opens home in a browser without a cache, and again when the service worker has everything. */
export async function measureVisits(target: Target, rounds: number): Promise<VisitResults> {
  const results = { first: [] as Visit[], second: [] as Visit[] };
  for (let round = 0; round < rounds; round += 1) {
    const context = await openContext(target);
    const page = await context.newPage();
    results.first.push(await visit(page, target.origin));
    await waitForServiceWorker(page);
    await page.close();
    results.second.push(await visit(await context.newPage(), target.origin));
    await context.close();
  }
  return results;
}

async function visit(page: Page, origin: string): Promise<Visit> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.goto(origin, { waitUntil: 'commit' });
  await page.waitForFunction('recorded.readableMs > 0');
  await page.waitForLoadState('networkidle');
  const recorded = (await page.evaluate('recorded')) as Visit;
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return recorded;
}

/** Scrolls through home until so many posts were loaded, at the full speed of the machine. */
export async function measureScrolling(target: Target, posts: number): Promise<ScrollResult> {
  const context = await openContext(target);
  const page = await context.newPage();
  await page.goto(target.origin);
  await page.locator('article').first().waitFor();
  await page.evaluate('recorded.maxTaskMs = 0');
  await page.evaluate(keepScrolling);
  // The first page of 20 is there.
  for (let loaded = 20; loaded < posts; loaded += 20)
    await page.waitForResponse((response) => response.url().includes(homePath));
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { maxTaskMs } = (await page.evaluate('recorded')) as ScrollResult;
  await context.close();
  return { maxTaskMs, heapBytes: usedSize };
}

/** Scrolls as a finger does, a part of the window in each frame, until the page is closed. */
const keepScrolling = `(() => {
  const step = () => {
    scrollBy(0, innerHeight / 3);
    requestAnimationFrame(step);
  };
  step();
})()`;

/** Returns how many frames after the click the star of a post is shown as pressed. */
export async function measureFavourite(target: Target): Promise<number> {
  const context = await openContext(target);
  const page = await context.newPage();
  await page.goto(target.origin);
  await page.locator('article').first().waitFor();
  const frames = await page.evaluate(`(async () => {
    const button = document.querySelector('article button.favourite[aria-pressed=false]');
    button.click();
    for (let frames = 1; frames < 100; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (button.getAttribute('aria-pressed') === 'true') return frames;
    }
    return Infinity;
  })()`);
  await context.close();
  return frames as number;
}

async function openContext({ browser, storage }: Target): Promise<BrowserContext> {
  // The policy of the page also forbids the expressions with which Playwright waits.
  const options = { storageState: storage, viewport: phone, hasTouch: true, bypassCSP: true };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  await context.addInitScript(recorder);
  return context;
}

async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready');
  await page.waitForFunction(`(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('account-'));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().length >= 5;
  })()`);
}
