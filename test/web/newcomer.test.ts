import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../clients/chromium.ts';
import { findFreePort } from '../free-port.ts';
import { Installation } from '../ops/cli-process.ts';
import { colorRules, expectAccessible } from './accessibility.ts';
import { fillSignIn, mustSkip, sendSignUp, signIn, sizes } from './web-server.ts';

const password = 'correct horse battery';

/** A server as newcomers start it: `npm start` in a new checkout, with no settings but a free port. */
describe.skipIf(mustSkip())('a newcomer', () => {
  const installation = new Installation({ REGISTRATIONS: 'open', WEB_CLIENT_DIR: 'web/dist' });
  let url = '';
  let setupLink = '';
  const pages: Page[] = [];

  beforeAll(async () => {
    const port = await findFreePort();
    const npm = installation.npmStart({ PORT: String(port) });
    await npm.waitForOutput('/setup?token=');
    url = `http://localhost:${port}`;
    setupLink = /http\S+\/setup\?token=\S+/.exec(npm.stdout)?.[0] ?? '';
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  async function openWindow(): Promise<Page> {
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    pages.push(page);
    return page;
  }

  test('opens the printed link, becomes the owner, and is in the client', async () => {
    const page = await openWindow();
    await page.goto(setupLink);
    await page.getByLabel('Username').fill('olivia');
    await page.getByLabel('E-mail address').fill('olivia@mail.example');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Your home is quiet' }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    await takeTour(page);
    const steps = page.getByRole('list', { name: 'For your server' });
    expect(await steps.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '/moderation/settings',
      '/moderation/settings?field=registrations',
      '/moderation/images',
      '/moderation/relays',
      '/moderation/domain-lists',
    ]);
    expect(await page.locator('.first-steps').getByRole('combobox').getAttribute('placeholder')).toBe(
      '@name@server.example',
    );
    await steps.getByRole('link', { name: 'Decide who may sign up' }).click();
    await page.getByRole('combobox', { name: 'Sign-ups', exact: true }).and(page.locator(':focus')).waitFor();
    await page.goBack();
    await steps.getByRole('link', { name: 'Join a relay' }).click();
    await page.getByRole('heading', { name: 'Relays', exact: true }).waitFor();
  });

  test('signs up, confirms the address by the link in the mail, and signs in to the client', async () => {
    const page = await openWindow();
    await page.goto(`${url}/auth/sign_up`);
    await signUp(page, 'nadia');
    await page.goto(await waitForLink('nadia@mail.example'));
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await page.getByRole('heading', { name: 'Thank you, your address is confirmed' }).waitFor();
    const stored = page.waitForResponse('**/api/web/settings');
    await page.goto(url);
    await page.getByRole('heading', { name: 'Your home is quiet' }).waitFor();
    await tourOf(page).waitFor();
    await stored;
    await page.keyboard.press('Escape');
    await tourOf(page).waitFor({ state: 'detached' });
  });

  test('writes a first post, follows the second person, and switches between both accounts', async () => {
    const page = await openWindow();
    await signIn(page, url, { email: 'olivia@mail.example', password });
    await page.getByRole('button', { name: 'What is on your mind?' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('My first post on my own server');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Your post is published.').waitFor();
    await page.getByRole('article').filter({ hasText: 'My first post on my own server' }).waitFor();

    await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Search' }).fill('nadia');
    await page.getByRole('option', { name: /@nadia/ }).click();
    await page.getByRole('button', { name: 'Follow nadia' }).click();
    await page.getByRole('button', { name: 'Following nadia: options' }).waitFor();

    await page.getByRole('button', { name: 'Account: olivia' }).click();
    await page.getByRole('menuitem', { name: 'Add an account' }).click();
    await page.waitForURL('**/auth/sign_in?add=true');
    await fillSignIn(page, { email: 'nadia@mail.example', password });
    await page.getByRole('button', { name: 'Account: nadia' }).waitFor();
    await page
      .getByRole('link', { name: /^Notifications/ })
      .first()
      .click();
    await page.getByText('olivia followed you').waitFor();
    await page.getByRole('button', { name: 'Account: nadia' }).click();
    await page.getByRole('menuitem', { name: /olivia/ }).click();
    await page.getByRole('button', { name: 'Account: olivia' }).waitFor();
  });

  test('invites a friend, who follows and reads the owner after the sign-up', async () => {
    const owner = await openWindow();
    await signIn(owner, url, { email: 'olivia@mail.example', password });
    await owner.goto(`${url}/settings/invites`);
    await owner.getByRole('checkbox', { name: 'Those who sign up follow you', checked: true }).waitFor();
    await owner.getByRole('button', { name: 'Create the invite' }).click();
    await owner.getByText('Guests follow you.').waitFor();
    const link = await owner.getByRole('link', { name: /\/invite\// }).getAttribute('href');
    const page = await openWindow();
    await page.goto(link ?? '');
    await page.getByText('You will follow this account.').waitFor();
    await signUp(page, 'frieda');
    await page.goto(await waitForLink('frieda@mail.example'));
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await page.getByRole('heading', { name: 'Thank you, your address is confirmed' }).waitFor();
    await page.goto(url);
    await page.getByRole('article').filter({ hasText: 'My first post on my own server' }).waitFor();
  });

  const tourOf = (page: Page) => page.getByRole('dialog', { name: 'A short tour' });

  /** Takes the tour that was opened, and expects that it is not shown again unless the palette is asked for it. */
  async function takeTour(page: Page): Promise<void> {
    const tour = tourOf(page);
    await tour.getByRole('heading', { name: 'Where posts come from' }).waitFor();
    await expectAccessible(page);
    await tour.getByRole('button', { name: 'Next' }).press('Enter');
    await tour.getByRole('heading', { name: 'How to find people' }).waitFor();
    await tour.getByRole('button', { name: 'Back' }).click();
    await tour.getByRole('heading', { name: 'Where posts come from' }).waitFor();
    await tour.getByRole('button', { name: 'Next' }).dblclick();
    await tour.getByText('Step 3 of 3').waitFor();
    await page.setViewportSize(sizes.phone);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, colorRules);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(sizes.desktop);
    await tour.getByRole('button', { name: 'Done' }).click();
    await tour.waitFor({ state: 'detached' });

    await page.reload();
    await page.getByRole('heading', { name: 'Your home is quiet' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Pages, settings, people, hashtags' }).fill('tour');
    await page.getByRole('option', { name: 'A short tour' }).click();
    await tour.waitFor();
    await page.goBack();
    await tour.waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${url}/`);
  }

  /** Fills in the form to sign up that is open. */
  async function signUp(page: Page, name: string): Promise<void> {
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('E-mail address').fill(`${name}@mail.example`);
    await page.getByRole('checkbox', { name: /agree|accept/ }).check();
    await sendSignUp(page, password);
  }

  /** Returns the link to confirm an address in the mail that the server wrote to its folder. */
  async function waitForLink(address: string): Promise<string> {
    const folder = join(installation.dataDir, 'mail');
    const find = (): string | undefined =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .filter((text) => text.includes(address))
        .map((text) => /http\S+\/auth\/confirmation\?\S+/.exec(text)?.[0])
        .find((link) => link !== undefined);
    await expect.poll(find, { timeout: 60_000 }).toBeDefined();
    return find() ?? '';
  }
});
