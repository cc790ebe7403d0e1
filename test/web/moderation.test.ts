import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebServer, type WebUser } from './web-server.ts';

describeWithServer('reports', (server) => {
  test('a moderator sees a report with posts and history, decides it and undoes it', async () => {
    const [staff, alice, bob] = await createPeople(server, 'one');
    const { id: statusId } = await bob.rest.v1.statuses.create({ status: 'Buy my **pills**' });
    const bobId = await idOf(bob);
    await alice.send('POST', '/api/v1/reports', {
      account_id: bobId,
      status_ids: [statusId],
      comment: 'He sells pills',
      category: 'spam',
    });
    const page = await server.openClient(staff, '/moderation/reports');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Legal problem');
    await page.getByText('No reports match these filters').waitFor();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Spam');
    await page.getByRole('combobox', { name: 'State' }).selectOption('All');
    await expectAccessible(page);
    await page.getByRole('link', { name: /He sells pills/ }).click();
    await page.getByRole('region', { name: 'Reported posts' }).getByText('Buy my').waitFor();
    await page
      .getByRole('region', { name: 'Reported account' })
      .getByText('No decisions so far')
      .waitFor({ state: 'hidden' });
    await page.getByText('No decisions so far').waitFor();
    await page.getByText('Notes about the report').click();
    const notes = page.getByRole('group').filter({ hasText: 'Notes about the report' });
    await notes.getByRole('textbox').fill('Looked at it');
    await notes.getByRole('button', { name: 'Add note' }).click();
    await notes.getByText('Looked at it').waitFor();

    await page.getByRole('button', { name: 'Limit account' }).click();
    await page.getByText('Only followers see the posts.').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Message to the user' }).fill('No advertising, please.');
    await page.getByRole('button', { name: 'Limit account' }).last().click();
    await page.getByText('Limited @bobone').waitFor();
    const { rest } = staff;
    await expect.poll(async () => (await rest.v1.admin.accounts.$select(bobId).fetch()).silenced).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect((await rest.v1.admin.accounts.$select(bobId).fetch()).silenced).toBe(false);
    expect(await rest.v1.admin.reports.list()).toHaveLength(1);
    const strikes = await staff.send('GET', `/api/v1/fieldfare/admin/accounts/${bobId}/strikes`);
    expect(strikes).toMatchObject([{ action: 'silence', text: 'No advertising, please.' }]);
  });

  test('a moderator clears 50 reports with the keyboard alone', async () => {
    const [staff, alice, bob] = await createPeople(server, 'two');
    await staff.send('GET', '/api/v1/admin/reports?limit=200').then(async (open) => {
      for (const { id } of open as { id: string }[]) await staff.rest.v1.admin.reports.$select(id).resolve();
    });
    const bobId = await idOf(bob);
    for (let number = 1; number <= 50; number += 1)
      await alice.send('POST', '/api/v1/reports', { account_id: bobId, comment: `Complaint ${number}` });

    const page = await server.openClient(staff, '/moderation/reports');
    await page.getByText('Complaint 50').waitFor();
    const { keyboard } = page;
    await keyboard.press('j');
    await keyboard.press('Enter');
    for (let left = 50; left > 0; left -= 1) {
      await page.getByText(`Complaint ${left}`, { exact: true }).locator('visible=true').first().waitFor();
      await page.getByText(left === 1 ? '1 open report in' : `${left} open reports in`).waitFor();
      if (left % 2 === 0) await keyboard.press('e');
      else {
        await keyboard.press('1');
        const consequence = page.getByText('The user receives your message.');
        await consequence.waitFor();
        await keyboard.press('Enter');
        // The dialog takes the keys until it is closed.
        await consequence.waitFor({ state: 'hidden' });
      }
    }
    await page.getByText('No open reports.').waitFor();
    await expect.poll(async () => (await staff.rest.v1.admin.reports.list()).length).toBe(0);
  });
});

async function createPeople(server: WebServer, suffix: string): Promise<[WebUser, WebUser, WebUser]> {
  return [
    await server.createUser(`merle${suffix}`, 'admin'),
    await server.createUser(`alice${suffix}`),
    await server.createUser(`bob${suffix}`),
  ];
}

const idOf = async (user: WebUser): Promise<string> => (await user.rest.v1.accounts.verifyCredentials()).id;
