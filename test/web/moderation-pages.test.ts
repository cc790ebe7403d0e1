import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, type WebUser } from './web-server.ts';

describeWithServer('pages of moderation', (server) => {
  let staff: WebUser;
  const admin = async (): Promise<WebUser> => (staff ??= await server.createUser('merle', 'owner'));

  test('staff find an account, limit it and lift the limit', async () => {
    const wren = await server.createUser('wren');
    const page = await server.openClient(await admin(), '/moderation/accounts');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('textbox', { name: 'Username' }).fill('wre');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('a.item').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove filter Username: wre' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /wren/ }).click();
    await page.getByRole('button', { name: 'Limit account' }).click();
    await page.getByText('All open reports about this account are resolved.').waitFor();
    await page.getByRole('textbox', { name: 'Message to the user' }).fill('Please calm down.');
    await page.getByRole('button', { name: 'Limit account' }).last().click();
    await page.getByText('Please calm down.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Lift the limit' }).click();
    await page.getByRole('button', { name: 'Lift the limit' }).waitFor({ state: 'detached' });
    const { id } = await wren.rest.v1.accounts.verifyCredentials();
    expect((await (await admin()).rest.v1.admin.accounts.$select(id).fetch()).silenced).toBe(false);
  });

  test('staff approve several sign-ups at once', async () => {
    for (const name of ['finch', 'robin']) await server.createUser(name, 'user', { approved: false });
    const page = await server.openClient(await admin(), '/moderation/sign-ups');
    await page.getByText('@finch').first().waitFor();
    await page.getByText('@robin').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Approve (2)' }).click();
    await page.getByText('2 sign-ups approved').waitFor();
    await page.getByText('Nobody waits for approval').waitFor();
  });

  test('staff block a server, and import blocks after a preview', async () => {
    const page = await server.openClient(await admin(), '/moderation/domain-blocks');
    await page.getByRole('button', { name: 'Block a server' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('spam.example');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('spam.example').waitFor();
    await page.getByRole('button', { name: 'Import a list' }).click();
    await page.getByRole('textbox', { name: 'Or paste the list' }).fill('#domain,#severity\nbad.example,suspend\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('bad.example').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 server changed').waitFor();
    await page.getByRole('list', { name: 'Blocked servers' }).getByText('bad.example').waitFor();
    await page.getByRole('button', { name: 'Actions for bad.example' }).click();
    await page.getByRole('menuitem', { name: 'Remove block' }).click();
    await page.getByRole('button', { name: 'Remove block' }).click();
    await expect.poll(async () => (await (await admin()).rest.v1.admin.domainBlocks.list()).length).toBe(1);
  });

  test('staff change settings, rules and announcements', async () => {
    const page = await server.openClient(await admin(), '/moderation/settings');
    await page.getByRole('textbox', { name: 'Name of the server' }).fill('The Hedge');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 setting saved').waitFor();
    expect((await (await admin()).rest.v2.instance.fetch()).title).toBe('The Hedge');
    const posts = /^Delete remote posts/u;
    await page.getByRole('spinbutton', { name: posts }).fill('30');
    await page.getByRole('button', { name: 'Count what would be deleted' }).click();
    await page.getByText('Remote posts: 0').waitFor();
    await page.getByText('Notifications: 0').waitFor();
    await expectAccessible(page);

    await followLink(page, '/moderation/rules');
    for (const text of ['Be kind', 'No spam']) {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('textbox', { name: 'Rule' }).fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('list', { name: 'Rules' }).getByText(text).waitFor();
    }
    await page.getByRole('button', { name: 'Actions for No spam' }).click();
    await page.getByRole('menuitem', { name: 'Translate' }).click();
    await page.getByRole('textbox', { name: 'Language code' }).fill('de');
    await page.getByRole('textbox', { name: 'Rule', exact: true }).fill('Keine Werbung');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Translated: de').waitFor();

    await followLink(page, '/moderation/announcements');
    await page.getByRole('button', { name: 'Add announcement' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('We moved to a new machine');
    await page.getByRole('checkbox', { name: 'Publish at once' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('We moved to a new machine').waitFor();
    expect(await (await admin()).rest.v1.announcements.list()).toHaveLength(1);
  });

  test('staff try an automatic rule on past posts before they enable it', async () => {
    const writer = await server.createUser('linnet');
    await writer.rest.v1.statuses.create({ status: 'Cheap watches for everyone' });
    const page = await server.openClient(await admin(), '/moderation/automatic-rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Watches');
    await page.getByRole('textbox', { name: 'Words in the text' }).fill('cheap watches');
    await page.getByRole('checkbox', { name: 'Hold for review' }).check();
    await page.getByRole('spinbutton', { name: 'Score' }).fill('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for Watches' }).click();
    await page.getByRole('menuitem', { name: 'Try on past posts' }).click();
    await page.getByRole('button', { name: 'Start a trial' }).click();
    await page.getByText('1 post matches').waitFor();
    await page.getByText('Cheap watches for everyone').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Actions for Watches' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByText('On', { exact: true }).waitFor();
    await writer.rest.v1.statuses.create({ status: 'More cheap watches' }).catch(() => undefined);

    await followLink(page, '/moderation/held-posts');
    await page.getByText('More cheap watches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('No posts wait for review').waitFor();
  });

  test.each([
    ['light', 'desktop'],
    ['dark', 'phone'],
  ] as const)(
    'every page of moderation opens from the overview, without findings: %s, %s',
    async (colorScheme, size) => {
      const page = await server.openClient(await admin(), '/moderation', { colorScheme, size });
      await page.getByRole('heading', { name: 'The last 30 days' }).waitFor();
      await expectAccessible(page);
      const paths = await page
        .locator('.sections a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(paths.length).toBeGreaterThan(20);
      for (const path of paths) {
        await followLink(page, path);
        await page.locator('.page-header h1').waitFor();
        await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
        expect(await page.locator('.state[role=alert]').count(), path).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true);
        await expectAccessible(page);
      }
    },
  );

  test('no page of moderation is wider than the window: 320 pixels wide, also with text twice as large', async () => {
    const page = await server.openClient(await admin(), '/moderation', { size: 'phone' });
    await page.setViewportSize({ width: 320, height: 700 });
    const { id } = await (await admin()).rest.v1.accounts.verifyCredentials();
    await page.getByRole('heading', { name: 'The last 30 days' }).waitFor();
    const linked = await page
      .locator('.sections a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const wide: string[] = [];
    for (const path of ['/moderation', ...linked, `/moderation/accounts/${id}`]) {
      await followLink(page, path);
      await page.locator('.page-header h1').waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      for (const fontSize of ['', '200%']) {
        const overflow = await page.evaluate((size) => {
          document.documentElement.style.fontSize = size;
          return document.documentElement.scrollWidth - document.documentElement.clientWidth;
        }, fontSize);
        if (overflow > 0) wide.push(`${path} ${fontSize}: ${overflow}`);
      }
    }
    expect(wide).toEqual([]);
  });

  test('the audit log lists what staff did, by kind', async () => {
    const page = await server.openClient(await admin(), '/moderation/audit-log');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Kind of target' }).selectOption('domain block');
    await page.getByRole('list').getByText('spam.example').first().waitFor();
    await expectAccessible(page);
  });
});
