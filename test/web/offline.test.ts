import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { countAccountCopies, waitForOfflineCopy } from './offline-copy.ts';
import { describeWithServer, endSession, signIn } from './web-server.ts';

const withWorker = { hasServiceWorker: true };

describeWithServer('offline', (server) => {
  test('home and its posts open without a connection, and what was changed is sent later, in order, once', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    const { id: aliceId } = await alice.rest.v1.accounts.verifyCredentials();
    await bob.rest.v1.accounts.$select(aliceId).follow();
    const { id } = await alice.rest.v1.statuses.create({ status: 'A post for the train' });

    const page = await server.openClient(bob, '/', withWorker);
    await page.getByText('A post for the train').waitFor();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await page.reload();
    const post = page.getByRole('article').filter({ hasText: 'A post for the train' });
    await post.getByRole('button', { name: 'Favourite' }).click();
    await post.getByRole('button', { name: 'Bookmark' }).click();
    await page.getByText('2 changes are sent as soon as you are online').waitFor();

    await page.reload();
    await page.getByText('2 changes are sent as soon as you are online').waitFor();
    await post.locator('[aria-pressed=true]').nth(1).waitFor();

    await page.context().setOffline(false);
    await page.getByText('2 changes are sent').waitFor({ state: 'detached' });
    const status = await bob.rest.v1.statuses.$select(id).fetch();
    expect(status).toMatchObject({ favourited: true, bookmarked: true, favouritesCount: 1 });
  });

  test('a timeline that was left further down opens at its stored top without a connection', async () => {
    const ivo = await server.createUser('ivo');
    for (let number = 1; number <= 30; number += 1)
      await ivo.rest.v1.statuses.create({ status: `Post number ${number} ${'and more '.repeat(30)}` });
    const page = await server.openClient(ivo, '/', withWorker);
    await page.getByText('Post number 30 ').waitFor();
    await waitForOfflineCopy(page);
    await page.mouse.move(600, 400);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 1_000);
        return page.getByText('Post number 4 ').count();
      })
      .toBe(1);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('Post number 30 ').waitFor();
    expect(await page.getByRole('alert').filter({ hasText: 'No connection to the server' }).count()).toBe(0);
  });

  test('a page that is not stored says that there is no connection, and opens once there is one', async () => {
    const gina = await server.createUser('gina');
    const page = await server.openClient(gina, '/', withWorker);
    await page.getByText('Your home is quiet').waitFor();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.getByRole('link', { name: 'Preferences' }).first().click();
    await page.getByRole('alert').filter({ hasText: 'No connection to the server' }).waitFor();
    expect(loads).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Preferences' }).first().waitFor();
  });

  test('home asks the server once for what its document preloads', async () => {
    const frank = await server.createUser('frank');
    await frank.rest.v1.statuses.create({ status: 'In my home' });
    const page = await server.openClient(frank, '/', withWorker);
    await page.getByText('In my home').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      requests.push(pathname + search);
    });
    await page.reload();
    await page.getByText('In my home').waitFor();
    const count = (path: string): number => requests.filter((one) => one === path).length;
    expect([count('/api/web/session'), count('/api/v1/timelines/home?limit=20')]).toEqual([1, 1]);
  });

  test('a change that the server refuses stops the queue with the reason until it is discarded', async () => {
    const [carol, dave] = [await server.createUser('carol'), await server.createUser('dave')];
    const { id: carolId } = await carol.rest.v1.accounts.verifyCredentials();
    await dave.rest.v1.accounts.$select(carolId).follow();
    const { id: gone } = await carol.rest.v1.statuses.create({ status: 'This will be gone' });
    const { id: kept } = await carol.rest.v1.statuses.create({ status: 'This will stay' });

    const page = await server.openClient(dave, '/', withWorker);
    const post = (text: string) => page.getByRole('article').filter({ hasText: text });
    await post('This will stay').waitFor();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await post('This will be gone').getByRole('button', { name: 'Favourite' }).click();
    await post('This will stay').getByRole('button', { name: 'Favourite' }).click();
    await page.getByText('2 changes are sent').waitFor();
    await carol.rest.v1.statuses.$select(gone).remove();

    await page.context().setOffline(false);
    await page.getByRole('alert').filter({ hasText: 'The server refused this' }).waitFor();
    expect((await dave.rest.v1.statuses.$select(kept).fetch()).favourited).toBe(false);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor({ state: 'detached' });
    expect((await dave.rest.v1.statuses.$select(kept).fetch()).favourited).toBe(true);
  });

  test('the next visit shows at once what home looked like, until the client runs', async () => {
    const hugo = await server.createUser('hugo');
    await hugo.rest.v1.statuses.create({ status: 'Seen at the last visit' });
    const first = await server.openClient(hugo, '/', withWorker);
    await first.getByText('Seen at the last visit').waitFor();
    await waitForOfflineCopy(first);
    await leaveWindow(first);
    await expect.poll(() => hasSnapshot(first), { timeout: 30_000 }).toBe(true);
    // Another window may still show another account.
    await first.evaluate(async () => {
      const message = { kind: 'snapshot', html: '<p>Of another account</p>', accountId: '1' };
      navigator.serviceWorker.controller?.postMessage(message);
      for (let count = 0; count < 5; count += 1) await fetch('/api/web/session');
    });
    const context = first.context();
    await first.close();

    const waiting = await context.newPage();
    // The client waits for its session.
    await waiting.addInitScript(() => {
      globalThis.fetch = () => new Promise(() => undefined);
    });
    await waiting.goto(server.url);
    await waiting.locator('#app[inert] article').filter({ hasText: 'Seen at the last visit' }).waitFor();
    expect(await waiting.getByText('Of another account').count()).toBe(0);
    await waiting.close();

    const next = await context.newPage();
    await next.goto(server.url);
    await next.getByRole('article').getByRole('button', { name: 'Favourite' }).click();
    await next.getByRole('article').locator('[aria-pressed=true]').waitFor();
    expect(await next.locator('#app[inert]').count()).toBe(0);
    expect(await next.getByText('Seen at the last visit').count()).toBe(1);
  });

  test('after signing out nothing of the account is kept, and visitors get the pages of the server', async () => {
    const erin = await server.createUser('erin');
    const page = await server.openWindow(withWorker);
    await signIn(page, server.url, erin);
    await page.goto(server.url);
    await page.locator('#content').waitFor();
    await waitForOfflineCopy(page);
    await page.evaluate(
      async (accountId) =>
        fetch('/api/web/session/sign_out', {
          method: 'POST',
          headers: { 'fieldfare-account': accountId, 'content-type': 'application/json' },
          body: '{}',
        }),
      (await erin.rest.v1.accounts.verifyCredentials()).id,
    );
    await expect.poll(() => countAccountCopies(page)).toBe(0);
    await page.goto(`${server.url}/@erin`);
    await page.getByRole('heading', { name: 'erin' }).waitFor();
    expect(await page.locator('#app').count()).toBe(0);
  });

  test('what another window stores while an account signs out is not kept', async () => {
    const hans = await server.createUser('hans');
    const page = await server.openClient(hans, '/', withWorker);
    await waitForOfflineCopy(page);
    const unlock = await server.lockTable('sessions');
    const ended = endSession(page, hans);
    await expect.poll(() => countAccountCopies(page)).toBe(0);
    await page.evaluate(() => fetch('/api/v2/instance'));
    await expect.poll(() => countAccountCopies(page)).toBe(1);
    await unlock();
    await ended;
    expect(await countAccountCopies(page)).toBe(0);
  });
});

/** Makes the page think that its window is hidden: a headless browser shows all of them. */
const leaveWindow = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

const hasSnapshot = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await caches.match('/home?snapshot')) !== undefined);
