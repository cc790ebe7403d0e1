import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { describeWithServer, type WebUser } from './web-server.ts';

describeWithServer('moving between pages of the client', (server) => {
  const post = (user: WebUser, status: string) => user.rest.v1.statuses.create({ status });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();

  test('leaving a page before its script arrived shows the next one, by a link and by the back button', async () => {
    const alice = await server.createUser('alice');
    await post(alice, 'A post of home');
    const page = await server.openClient(alice, '/');
    await page.getByText('A post of home').waitFor();
    const slow = await holdScripts(page);

    await link(page, 'Bookmarks').click();
    await slow.requested();
    await link(page, 'Home').click();
    await page.getByText('A post of home').waitFor();
    await link(page, 'Lists').click();
    await page.goBack();
    await page.getByText('A post of home').waitFor();
    await slow.release();
    await link(page, 'Bookmarks').click();
    await page.getByText('Posts that you bookmark appear here').waitFor();
    await link(page, 'Home').click();
    await page.getByText('A post of home').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Home']);
  });

  test('a page whose script is on its way shows that it loads', async () => {
    const bob = await server.createUser('bob');
    await post(bob, 'Before the tunnel');
    const page = await server.openClient(bob, '/');
    await page.getByText('Before the tunnel').waitFor();
    const slow = await holdScripts(page);
    await link(page, 'Bookmarks').click();
    await page.getByText('Before the tunnel').waitFor({ state: 'detached' });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await slow.release();
    await page.getByText('Posts that you bookmark appear here').waitFor();
  });

  test.each(['phone', 'desktop'] as const)('the link to the shown page leads to its top, on the %s', async (size) => {
    const cora = await server.createUser(`cora_${size}`);
    for (let number = 1; number <= 15; number += 1) await post(cora, `Post ${number}`);
    const page = await server.openClient(cora, '/', { size });
    await page.getByText('Post 15').waitFor();
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500);
    await page.getByRole('link', { name: 'Home', exact: true }).locator('visible=true').click();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

  test('a double click opens a page once, so that one step back leaves it', async () => {
    const carol = await server.createUser('carol');
    await post(carol, 'Where I came from');
    const page = await server.openClient(carol);
    await page.getByText('Where I came from').waitFor();
    await link(page, 'Bookmarks').dblclick();
    await page.getByText('Posts that you bookmark appear here').waitFor();
    await page.goBack();
    await page.getByText('Where I came from').waitFor();
  });

  test.each(['desktop', 'phone'] as const)(
    'back and forward return to the place in a timeline that was left while it scrolled, on the %s',
    async (size) => {
      const dave = await server.createUser(`dave_${size}`);
      for (let number = 1; number <= 40; number += 1) await post(dave, `Post ${number}`);
      const page = await server.openClient(dave, '/', { size });
      const wanted = page.getByText('Post 24', { exact: true });
      await page.getByText('Post 40', { exact: true }).waitFor();
      const comesIntoView = async (): Promise<boolean> => {
        const top = await topOf(page, 'Post 24');
        if (top > 100 && top < 600) return true;
        // On a busy machine, two turns of the wheel may act as one.
        await wheel(page, top <= 100 ? -200 : 300);
        return false;
      };
      await expect.poll(comesIntoView).toBe(true);
      const before = await clickWhileScrolling(page, 'Post 24');
      await page.locator('.status.main').getByText('Post 24').waitFor();
      await page.goBack();
      await wanted.waitFor();
      await expect.poll(() => topOf(page, 'Post 24')).toBeCloseTo(before, -1);
      await page.goForward();
      await page.locator('.status.main').getByText('Post 24').waitFor();
      await page.goBack();
      await expect.poll(() => topOf(page, 'Post 24')).toBeCloseTo(before, -1);
    },
  );
});

/** Holds the scripts that pages request from now on. */
async function holdScripts(page: Page): Promise<{ requested: () => Promise<void>; release: () => Promise<void> }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: requested, resolve: request } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    request();
    await released;
    await route.continue();
  });
  return {
    requested: () => requested,
    release: async () => {
      release();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

const topOf = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const contents = [...document.querySelectorAll('article .status-content')];
    return contents.find((one) => one.textContent === wanted)?.getBoundingClientRect().top ?? Number.NaN;
  }, text);

/** Clicks a post and returns where it was at that moment: the wheel is still turning. */
const clickWhileScrolling = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const contents = [...document.querySelectorAll<HTMLElement>('article .status-content')];
    const content = contents.find((one) => one.textContent === wanted);
    const top = content?.getBoundingClientRect().top ?? Number.NaN;
    content?.click();
    return top;
  }, text);

async function wheel(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(200, 400);
  await page.mouse.wheel(0, pixels);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))');
}
