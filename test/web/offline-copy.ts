import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the service worker has what home needs. */
export async function waitForOfflineCopy(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => hasCopies(page), { timeout: 30_000 }).toBe(true);
}

const hasCopies = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const paths = [
      '/home',
      '/notifications',
      '/api/web/session',
      '/api/v2/instance',
      '/api/v1/timelines/home?limit=20',
    ];
    const found = await Promise.all(paths.map((path) => caches.match(path)));
    return found.every((response) => response !== undefined);
  });

/** Counts the stored responses and documents of the account. */
export const countAccountCopies = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('account-'));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().length;
  });
