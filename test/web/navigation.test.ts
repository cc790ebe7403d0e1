import { afterEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { describeWithServer, type WebUser } from './web-server.ts';

describeWithServer('moving between pages of the client', (server) => {
  afterEach(() => server.closeWindows());

  const post = (user: WebUser, status: string) => user.rest.v1.statuses.create({ status });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();

  test('leaving a page before its script arrived shows the next one, by a link and by the back button', async () => {
    const alice = await server.createUser('alice');
    await post(alice, 'A post of home');
    const page = await server.openClient(alice, '/', { hasServiceWorker: false });
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
    const page = await server.openClient(bob, '/', { hasServiceWorker: false });
    await page.getByText('Before the tunnel').waitFor();
    const slow = await holdScripts(page);
    await link(page, 'Bookmarks').click();
    await page.getByText('Before the tunnel').waitFor({ state: 'detached' });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await slow.release();
    await page.getByText('Posts that you bookmark appear here').waitFor();
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
