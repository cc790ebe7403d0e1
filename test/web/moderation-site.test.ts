import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, type WebUser } from './web-server.ts';

/** As many accounts as a trend needs. */
const crowdSize = 5;

describeWithServer('the site in moderation', (server) => {
  let staff: WebUser;
  const admin = async (): Promise<WebUser> => (staff ??= await server.createUser('merle', 'owner'));
  const openPage = async (path: string): Promise<Page> => server.openClient(await admin(), `/moderation/${path}`);
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('who gets a role that staff made sees the pages that it permits, and no others', async () => {
    const wren = await server.createUser('wren');
    const page = await openPage('roles');
    await page.getByRole('button', { name: 'Add role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gardeners');
    await page.getByRole('checkbox', { name: 'Review trends' }).check();
    await expectAccessible(page);
    await save(page);
    await page.getByText('Gardeners').waitFor();

    const { id } = await wren.rest.v1.accounts.verifyCredentials();
    await followLink(page, `/moderation/accounts/${id}`);
    const role = page.getByRole('region', { name: 'Role' });
    await role.getByRole('combobox', { name: 'Role' }).selectOption('Gardeners');
    await role.getByRole('button', { name: 'Change role' }).click();
    await expect.poll(async () => (await wren.rest.v1.accounts.verifyCredentials()).role?.name).toBe('Gardeners');

    const gardener = await server.openClient(wren, '/moderation');
    await gardener.getByRole('link', { name: /^Trends/ }).waitFor();
    expect(await gardener.getByRole('link', { name: /^Roles/ }).count()).toBe(0);
    await gardener.goto(`${server.url}/moderation/roles`);
    await gardener.locator('.page-header h1').waitFor();
    expect(await gardener.getByText('Gardeners').count()).toBe(0);
  });

  test('visitors read the terms of service once staff publish their draft', async () => {
    const terms = (): Promise<Response> => fetch(`${server.url}/api/v1/instance/terms_of_service`);
    const page = await openPage('texts');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('Leave the **berries** for the birds.');
    await page.getByRole('button', { name: 'Markdown to HTML' }).click();
    await expect.poll(() => text.inputValue()).toBe('<p>Leave the <strong>berries</strong> for the birds.</p>');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text.inputValue()).toBe('Leave the **berries** for the birds.');
    await text.fill('<p onclick="peck()">Leave the <b>berries</b> for the birds.</p>');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview: Text' });
    await expect
      .poll(() => preview.locator('p').evaluate((element) => element.outerHTML))
      .toBe('<p>Leave the <b>berries</b> for the birds.</p>');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved').waitFor();
    expect((await terms()).status).toBe(404);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('region', { name: 'Published versions' }).getByRole('link').first().waitFor();
    await expectAccessible(page);
    expect(await (await terms()).json()).toMatchObject({ content: expect.stringContaining('berries') });
    const visitor = await server.openWindow();
    await visitor.goto(`${server.url}/terms-of-service`);
    await visitor.getByText('Leave the berries for the birds.').waitFor();
  });

  test('staff replace the preview image of the server, and return to the original', async () => {
    const thumbnail = async () => (await (await admin()).rest.v2.instance.fetch()).thumbnail;
    const { url: original } = await thumbnail();
    const buffer = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
    const page = await openPage('images');
    const preview = page.getByRole('region', { name: 'Preview image' });
    await preview.getByLabel('Image').setInputFiles({ name: 'hedge.png', mimeType: 'image/png', buffer });
    await preview.getByRole('textbox', { name: 'Description' }).fill('A hedge in winter');
    await preview.getByRole('button', { name: 'Replace image' }).click();
    await preview.getByRole('button', { name: 'Use the original image' }).waitFor();
    expect(await thumbnail()).toMatchObject({
      description: 'A hedge in winter',
      url: expect.not.stringMatching(original),
    });
    await preview.getByRole('button', { name: 'Use the original image' }).click();
    await preview.getByRole('button', { name: 'Use the original image' }).waitFor({ state: 'detached' });
    expect((await thumbnail()).url).toBe(original);
  });

  test('nobody signs up with a blocked e-mail provider or from a blocked address, until the block is removed', async () => {
    const page = await openPage('email-domains');
    await page.getByRole('button', { name: 'Block an e-mail provider' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('throwaway.example');
    await save(page);
    await page.getByText('throwaway.example').first().waitFor();
    expect(await signUp('crane', 'crane@throwaway.example')).toBe(422);
    await page.getByRole('button', { name: 'Actions for throwaway.example' }).click();
    await page.getByRole('menuitem', { name: 'Remove block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove block' }).click();
    await page.getByText('No blocked e-mail providers').waitFor();
    await expect.poll(() => signUp('crane', 'crane@throwaway.example')).toBe(200);

    await followLink(page, '/moderation/ip-blocks');
    await page.getByRole('button', { name: 'Block an address' }).click();
    const network = page.getByRole('textbox', { name: 'Address or network' });
    await network.fill('127.0.0.0/99');
    await save(page);
    await page.getByText('is not an IP address or a network').waitFor();
    expect(await network.getAttribute('aria-invalid')).toBe('true');
    await network.fill('127.0.0.0/8');
    await page.getByRole('combobox', { name: 'Severity' }).selectOption('sign_up_block');
    await save(page);
    await page.getByRole('button', { name: 'Actions for 127.0.0.0/8' }).waitFor();
    await expectAccessible(page);
    expect(await signUp('heron', 'heron@mail.example')).toBe(403);
    await page.getByRole('button', { name: 'Actions for 127.0.0.0/8' }).click();
    await page.getByRole('menuitem', { name: 'Remove block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove block' }).click();
    await page.getByText('No blocked addresses').waitFor();
    await expect.poll(() => signUp('heron', 'heron@mail.example')).toBe(200);
  });

  test('staff confirm a service provider by the fingerprint of its key, and delete it', async () => {
    const publicKey = 'FbUJDVCftINc9FlgRu2jLagCVvOa7I2Myw8aidvkong=';
    const registration = await fetch(`${server.url}/api/fasp/registration`, {
      method: 'POST',
      body: JSON.stringify({
        name: 'Wide Search',
        baseUrl: 'https://fasp.invalid',
        serverId: 'b2ks6vm8p23w',
        publicKey,
      }),
    });
    expect(registration.status).toBe(201);
    const page = await openPage('providers');
    await page.getByText('Waits for confirmation').waitFor();
    await expectAccessible(page);
    const menu = page.getByRole('button', { name: 'Actions for Wide Search' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog');
    const fingerprint = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
    await dialog.getByText(fingerprint).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Waits for confirmation').waitFor({ state: 'detached' });
    // The page shows by itself that it cannot be reached.
    await page.getByText('Fails: not reachable').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Ask for capabilities again' }).click();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete provider' }).click();
    await dialog.getByRole('button', { name: 'Delete provider' }).click();
    await page.getByText('No service providers').waitFor();
  });

  test('a hashtag trends once staff allow it, and no longer once they do not', async () => {
    for (let number = 0; number < crowdSize; number += 1) {
      const { rest } = await server.createUser(`crowd_${number}`);
      await rest.v1.statuses.create({ status: 'Apples on the ground #orchards' });
    }
    const { rest } = await admin();
    await vi.waitUntil(
      async () => {
        await server.runSchedule('trend.refresh_trends');
        return (await rest.v1.admin.trends.tags.list()).length > 0;
      },
      { timeout: 60_000 },
    );
    expect(await rest.v1.trends.tags.list()).toEqual([]);
    const page = await openPage('trends');
    await page.getByText('Waits for review').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('May trend').waitFor();
    await expect.poll(() => listTrendingTags()).toEqual(['orchards']);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByText('May trend').waitFor({ state: 'detached' });
    await expect.poll(() => listTrendingTags()).toEqual([]);
  });

  async function listTrendingTags(): Promise<string[]> {
    const response = await fetch(`${server.url}/api/v1/trends/tags`);
    return ((await response.json()) as { name: string }[]).map(({ name }) => name);
  }

  /** Signs up as an app does, and returns the status of the response. */
  async function signUp(username: string, email: string): Promise<number> {
    const send = async (path: string, body: object, token?: string): Promise<Response> =>
      fetch(server.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    const redirect = 'urn:ietf:wg:oauth:2.0:oob';
    const app = await send('/api/v1/apps', { client_name: 'Signs up', redirect_uris: redirect, scopes: 'read write' });
    const { client_id, client_secret } = (await app.json()) as { client_id: string; client_secret: string };
    const token = await send('/oauth/token', {
      grant_type: 'client_credentials',
      scope: 'read write',
      client_id,
      client_secret,
    });
    const { access_token: accessToken } = (await token.json()) as { access_token: string };
    const account = { username, email, password: 'correct horse battery', agreement: true, locale: 'en' };
    return (await send('/api/v1/accounts', account, accessToken)).status;
  }
});
