import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the service worker has what home needs. */
export async function waitForOfflineCopy(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => countAccountCopies(page), { timeout: 30_000 }).toBeGreaterThanOrEqual(5);
}

/** Counts the stored responses and documents of the account. */
export const countAccountCopies = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('account-'));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().length;
  });
