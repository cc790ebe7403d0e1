import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { ClientAdapter, Storage } from './client-adapter.ts';

/** A web client, and a browser in which someone is signed in. */
export interface Target {
  readonly adapter: ClientAdapter;
  readonly browser: Browser;
  /** Origin of the client. */
  readonly origin: string;
  readonly storage: Storage;
}

/** Scripts and styles that were transferred. */
export interface Transfers {
  readonly count: number;
  /** Compressed, with headers. */
  readonly bytes: number;
}

/** One opening of home. */
export interface Visit {
  /** Milliseconds from the navigation until a post is painted. */
  readonly readableMs: number;
  /** Cumulative Layout Shift. */
  readonly layoutShift: number;
  /** Until a post is painted. */
  readonly files: Transfers;
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
const recorder = (post: string): string => `
  globalThis.recorded = { readableMs: 0, layoutShift: 0, maxTaskMs: 0 };
  const { recorded } = globalThis;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) recorded.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) recorded.maxTaskMs = Math.max(recorded.maxTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('${post}') === null) return requestAnimationFrame(look);
    // The paint of the next frame is over when the one after it starts.
    requestAnimationFrame(() => { recorded.readableMs = performance.now(); });
  };
  requestAnimationFrame(look);
`;

/** Opens home in a browser without a cache, and again when the service worker has everything. */
export async function measureVisits(target: Target, rounds: number): Promise<VisitResults> {
  const results = { first: [] as Visit[], second: [] as Visit[] };
  for (let round = 0; round < rounds; round += 1) {
    const context = await openContext(target);
    const page = await context.newPage();
    results.first.push(await visit(page, target));
    await page.waitForFunction(target.adapter.isStored, undefined, { polling: 1000 });
    await page.close();
    results.second.push(await visit(await context.newPage(), target));
    await context.close();
  }
  return results;
}

async function visit(page: Page, { adapter, origin }: Target): Promise<Visit> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  const countFiles = recordTransfers(session);
  await page.goto(origin + adapter.homePath, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.recorded?.readableMs > 0');
  const files = countFiles();
  await page.waitForLoadState('networkidle');
  const recorded = (await page.evaluate('recorded')) as Omit<Visit, 'files'>;
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return { ...recorded, files };
}

/** Returns a function that returns the scripts and styles that were transferred until then. */
function recordTransfers(session: CDPSession): () => Transfers {
  const types = new Map<string, string>();
  const sizes: number[] = [];
  session.on('Network.responseReceived', ({ requestId, response }) => types.set(requestId, response.mimeType));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const isCode = /javascript|css/.test(types.get(requestId) ?? '');
    if (isCode && encodedDataLength > 0) sizes.push(encodedDataLength);
  });
  return () => ({ count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
}

/** Scrolls through home until so many posts were loaded, at the full speed of the machine. */
export async function measureScrolling(target: Target, posts: number): Promise<ScrollResult> {
  const context = await openContext(target);
  const page = await context.newPage();
  await openHome(page, target);
  // The first page of 20 is there.
  let loaded = 20;
  const hasAll = page.waitForResponse(
    (response) => {
      const url = new URL(response.url());
      if (isOlderPage(response.request().method(), url)) loaded += Number(url.searchParams.get('limit') ?? 20);
      return loaded >= posts;
    },
    { timeout: scrollTimeoutMs },
  );
  await page.evaluate('recorded.maxTaskMs = 0');
  await page.evaluate(keepScrolling(target.adapter.post));
  await hasAll;
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { maxTaskMs } = (await page.evaluate('recorded')) as ScrollResult;
  await context.close();
  return { maxTaskMs, heapBytes: usedSize };
}

const isOlderPage = (method: string, { pathname, searchParams }: URL): boolean =>
  method === 'GET' && pathname === homePath && searchParams.has('max_id');

/** The slowest client needs some minutes for 2,000 posts. */
const scrollTimeoutMs = 600_000;

/** Scrolls as a finger does, a part of the window in each frame, until the page is closed. */
const keepScrolling = (post: string): string => `(() => {
  const canScroll = (element) =>
    element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY);
  let box = document.querySelector('${post}');
  while (box !== null && !canScroll(box)) box = box.parentElement;
  const step = () => {
    (box ?? document.scrollingElement).scrollBy(0, innerHeight / 3);
    requestAnimationFrame(step);
  };
  step();
})()`;

/** Returns how many frames after the click the star of a post is shown as pressed. Undefined if posts show no star. */
export async function measureFavourite(target: Target): Promise<number | undefined> {
  if (target.adapter.favourite === undefined) return undefined;
  const { button, attribute } = target.adapter.favourite;
  const context = await openContext(target);
  const page = await context.newPage();
  await openHome(page, target);
  await page.locator(button).first().waitFor({ state: 'attached' });
  const frames = await page.evaluate(`(async () => {
    const button = document.querySelector('${button}');
    const before = button.getAttribute('${attribute}');
    button.click();
    for (let frames = 1; frames < 100; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (button.getAttribute('${attribute}') !== before) return frames;
    }
    return Infinity;
  })()`);
  await context.close();
  return frames as number;
}

async function openContext({ adapter, browser, storage }: Target): Promise<BrowserContext> {
  // The policy of the page also forbids the expressions with which Playwright waits.
  const options = { storageState: storage, viewport: phone, hasTouch: true, bypassCSP: true, ignoreHTTPSErrors: true };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  await context.addInitScript(recorder(adapter.post));
  return context;
}

async function openHome(page: Page, { adapter, origin }: Target): Promise<void> {
  await page.goto(origin + adapter.homePath);
  await page.locator(adapter.post).first().waitFor();
}
