import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeWithServer, sizes, type WebUser } from './web-server.ts';

describeWithServer('the keys of the search', (server) => {
  let alice: WebUser;
  beforeAll(async () => {
    alice = await server.createUser('alice');
  });

  const focusedLabel = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.closest('.search-box input')?.getAttribute('aria-label') ?? null);
  const expectTyped = async (page: Page): Promise<void> => {
    await expect.poll(() => focusedLabel(page)).toBe('Search');
    await page.keyboard.type('owls');
    const value = () =>
      page.evaluate(() => document.querySelector<HTMLInputElement>('.search-box input:focus')?.value ?? '');
    await expect.poll(value, { message: page.url() }).toBe('owls');
  };

  test.each(['s', '/'])('%s moves the focus to the search that the window shows', async (key) => {
    const page = await server.openClient(alice);
    await page.locator('.aside .search-box input').waitFor();
    await page.keyboard.press(key);
    await expectTyped(page);
    for (const path of ['/explore', '/search?q=birds', '/notifications']) {
      await page.goto(server.url + path);
      await page.locator('.search-box input').first().waitFor();
      await page.keyboard.press(key);
      await expectTyped(page);
    }
  });

  test.each(['s', '/'])('%s opens the page of the search in a window without one', async (key) => {
    const page = await server.openClient(alice, '/bookmarks');
    await page.setViewportSize({ ...sizes.desktop, width: 900 });
    await page.locator('.aside').waitFor({ state: 'hidden' });
    await page.keyboard.press(key);
    await page.waitForURL(/\/search$/);
    await expectTyped(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=owls$/);
  });
});
