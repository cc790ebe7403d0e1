import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, sendSignUp, type WebUser } from './web-server.ts';

describeWithServer('moderation of rules, sign-ups, announcements and figures', (server) => {
  let staff: WebUser;
  const admin = async (): Promise<WebUser> => (staff ??= await server.createUser('merle', 'owner'));
  const openPage = async (name: string): Promise<Page> => server.openClient(await admin(), `/moderation/${name}`);

  const act = async (page: Page, item: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${item}` }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };

  test('rules have the order that staff choose, and those that staff delete are no longer shown', async () => {
    const rules = async () => (await (await admin()).rest.v2.instance.fetch()).rules.map(({ text }) => text);
    const page = await openPage('rules');
    for (const text of ['Be kind', 'No spam', 'Name your birds']) {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('textbox', { name: 'Rule' }).fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('list', { name: 'Rules' }).getByText(text).waitFor();
    }
    await act(page, 'Name your birds', 'Move up');
    await expect.poll(rules).toEqual(['Be kind', 'Name your birds', 'No spam']);
    await act(page, 'Be kind', 'Move down');
    await expect.poll(rules).toEqual(['Name your birds', 'Be kind', 'No spam']);
    const titles = page.getByRole('list', { name: 'Rules' }).locator('.item-title');
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Name your birds', 'Be kind', 'No spam']);
    await act(page, 'No spam', 'Change');
    await page.getByRole('textbox', { name: 'Rule' }).fill('No advertising');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(rules).toEqual(['Name your birds', 'Be kind', 'No advertising']);
    await act(page, 'Be kind', 'Delete rule');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
    await expect.poll(rules).toEqual(['Name your birds', 'No advertising']);
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Name your birds', 'No advertising']);

    const visitor = await server.openWindow();
    await visitor.goto(`${server.url}/about`);
    await visitor.getByText('Name your birds').waitFor();
    expect(await visitor.getByText('Be kind').count()).toBe(0);
  });

  test('staff close sign-ups with a message, and open them with approval', async () => {
    const page = await openPage('settings');
    const signUps = page.getByRole('combobox', { name: 'Sign-ups', exact: true });
    const save = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/settings? saved/).waitFor();
      await page.reload();
    };
    await signUps.selectOption({ label: 'Closed' });
    await page.getByRole('textbox', { name: 'Message while sign-ups are closed' }).fill('We open again in spring.');
    await save();
    const visitor = await server.openWindow();
    await visitor.goto(`${server.url}/auth/sign_up`);
    await visitor.getByText('We open again in spring.').waitFor();
    expect(await visitor.getByLabel('Username').count()).toBe(0);

    await signUps.selectOption({ label: 'Open, with approval' });
    await save();
    await visitor.reload();
    await visitor.getByLabel('Username').waitFor();
    await visitor.getByLabel('Why would you like to join?').waitFor();
    await signUps.selectOption({ label: 'Open' });
    await save();
  });

  test('readers see an announcement when it is published, until it is withdrawn, without a reload', async () => {
    const reader = await server.openClient(await server.createUser('rita'));
    const page = await openPage('announcements');
    await page.getByRole('button', { name: 'Add announcement' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('The server moves');
    await page.getByLabel('Publish later').fill('2999-01-01T12:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The server moves').waitFor();
    expect(await (await admin()).rest.v1.announcements.list()).toEqual([]);
    await expectAccessible(page);

    await act(page, 'The server moves', 'Publish');
    await reader.getByText('1 announcement').click();
    await reader.getByText('The server moves').waitFor();
    await act(page, 'The server moves', 'Withdraw');
    await reader.getByText('The server moves').waitFor({ state: 'detached' });

    await act(page, 'The server moves', 'Publish');
    await reader.getByText('1 announcement').click();
    await reader.getByText('The server moves').waitFor();
    await act(page, 'The server moves', 'Delete announcement');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete announcement' }).click();
    await page.getByText('No announcements yet').waitFor();
    await reader.getByText('The server moves').waitFor({ state: 'detached' });
  });

  test('the figures of the last days are those of what happened', async () => {
    const [nora, otto] = [await server.createUser('nora'), await server.createUser('otto')];
    const { id } = await nora.rest.v1.statuses.create({ status: 'Cheap watches' });
    await otto.rest.v1.statuses.$select(id).favourite();
    const { account } = await nora.rest.v1.statuses.$select(id).fetch();
    const first = await otto.rest.v1.reports.create({ accountId: account.id, statusIds: [id], comment: 'Spam' });
    await otto.rest.v1.reports.create({ accountId: account.id, comment: 'Again' });
    await (await admin()).rest.v1.admin.reports.$select(first.id).resolve();
    const users = await (await admin()).rest.v1.admin.accounts.list({ local: true });
    expect(users.length).toBeGreaterThan(2);

    // The counts of today are stored every few minutes.
    await server.runSchedule('measures.count_today');
    const page = await server.openClient(await admin(), '/moderation');
    const figure = (title: string) => page.getByRole('figure').filter({ hasText: title }).locator('strong');
    expect(await figure('New reports').innerText()).toBe('2');
    expect(await figure('Resolved reports').innerText()).toBe('1');
    expect(await figure('Interactions').innerText()).toBe('1');
    expect(await figure('New users').innerText()).toBe(String(users.length));
    await expectAccessible(page);
  });

  test('a browser solves the check that staff turned on, and a form that is sent earlier waits for it', async () => {
    const page = await openPage('settings');
    const check = page.getByRole('combobox', { name: 'Check against automatic sign-ups (proof of work)' });
    await check.selectOption({ label: 'Easy (about a second)' });
    await page.getByRole('combobox', { name: 'Sign-ups', exact: true }).selectOption({ label: 'Open' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/settings? saved/).waitFor();

    const visitor = await server.openWindow({ size: 'phone' });
    await visitor.addInitScript(() => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const derive = crypto.subtle.deriveBits.bind(crypto.subtle);
      crypto.subtle.deriveBits = (...args) => promise.then(() => derive(...args));
      addEventListener('go on', () => resolve());
    });
    await visitor.goto(`${server.url}/auth/sign_up`);
    await visitor.getByText('You can fill in the form meanwhile.').waitFor();
    await visitor.getByRole('progressbar', { name: 'Check against automatic sign-ups' }).waitFor();
    await expectAccessible(visitor);
    await visitor.getByLabel('Username').fill('visitor');
    await visitor.getByLabel('E-mail address').fill('visitor@mail.example');
    await visitor.getByLabel('Password').fill('correct horse battery');
    await visitor.getByRole('checkbox', { name: /agree/ }).check();
    await visitor.getByRole('button', { name: 'Sign up' }).click();
    await visitor.getByRole('status').getByText('the form is sent as soon as the check is done').waitFor();
    await Promise.all([
      visitor.waitForEvent('framenavigated'),
      visitor.evaluate(() => void dispatchEvent(new Event('go on'))),
    ]);
    // The proof stays in the form if it is shown again.
    await sendSignUp(visitor, 'correct horse battery');
    const [signedUp] = await (await admin()).rest.v1.admin.accounts.list({ local: true, username: 'visitor' });
    expect([signedUp?.approved, Object.keys(signedUp ?? {})]).toEqual([
      true,
      expect.not.arrayContaining(['lacks_proof_of_work', 'lacksProofOfWork']),
    ]);

    await server.sql(
      `update users set approved = false, lacks_proof_of_work = true where email = 'visitor@mail.example'`,
    );
    await page.goto(`${server.url}/moderation/sign-ups`);
    await page.getByText('No proof of work').waitFor();
    await expectAccessible(page);
  });
});
