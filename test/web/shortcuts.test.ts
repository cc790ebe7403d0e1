import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
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

  test('s moves the focus to the search that the window shows', async () => {
    const key = 's';
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

  test('s opens the page of the search in a window without one', async () => {
    const key = 's';
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

describeWithServer('the palette', (server) => {
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to' });
  const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Pages, settings, people, hashtags' });

  test('/ and Ctrl-K open it, and a few letters lead to pages, settings and people', async () => {
    const paula = await server.createUser('paula');
    const quentin = await server.createUser('quentin');
    await quentin.send('PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
    const page = await server.openClient(paula, '/bookmarks');
    await page.getByRole('heading', { name: 'Bookmarks' }).waitFor();
    await page.keyboard.press('/');
    await field(page).waitFor();
    await palette(page).getByRole('option', { name: 'Home' }).waitFor();
    expect(await palette(page).getByText('Moderation').count()).toBe(0);
    await expectAccessible(page);
    await page.keyboard.type('favour');
    await palette(page).getByRole('option', { name: 'Favourites' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/favourites');
    await palette(page).waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await field(page).fill('theme');
    await palette(page)
      .getByRole('option', { name: /^Theme/ })
      .first()
      .click();
    await page.waitForURL('**/preferences/appearance');

    // Also while one types, and the place stays if nothing is chosen.
    await page.goto(`${server.url}/publish`);
    await page.locator('.composer textarea').first().fill('Half a thought');
    await page.keyboard.press('Control+k');
    await field(page).fill('quent');
    await palette(page).getByRole('option', { name: '@quentin' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    expect(await page.locator('.composer textarea').first().inputValue()).toBe('Half a thought');
    await page.keyboard.press('Control+k');
    await field(page).fill('quent');
    await palette(page).getByRole('option', { name: '@quentin' }).click();
    await page.waitForURL('**/@quentin');
  });

  test('staff find the pages of moderation, in their language', async () => {
    const rosa = await server.createUser('rosa', 'owner');
    await rosa.send('PATCH', '/api/v1/fieldfare/preferences', { locale: 'de' });
    const page = await server.openClient(rosa, '/bookmarks');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Seiten, Einstellungen' }).fill('relay');
    await page.getByRole('option', { name: 'Relays' }).first().click();
    await page.waitForURL('**/moderation/relays');
  });
});
