import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, WebServer, type WebUser } from './web-server.ts';

describeWithServer('remote profiles', (server) => {
  const other = new WebServer();
  let bob: WebUser;
  let domain = '';

  beforeAll(async () => {
    await other.start();
    domain = new URL(other.url).host;
    const dana = await other.createUser('dana');
    await dana.rest.v1.accounts.updateCredentials({ displayName: 'Dana Far Away', note: 'Writes from elsewhere' });
    bob = await server.createUser('bob');
  });
  afterAll(() => other[Symbol.asyncDispose]());

  test('a remote profile opens in place, names its own server and is followed', async () => {
    const page = await server.openClient(bob, `/@dana@${domain}`);
    await page.getByRole('heading', { name: 'Dana Far Away', level: 2, exact: true }).waitFor();
    await page.getByText('Writes from elsewhere').waitFor();
    const original = page.getByRole('link', { name: `Open on ${domain}` });
    expect(await original.getAttribute('href')).toBe(`${other.url}/@dana`);
    await page.getByText('Older posts may only be on the original server.').waitFor();
    await page.getByRole('button', { name: 'Follow Dana Far Away' }).click();
    await page.getByRole('button', { name: 'Following Dana Far Away: options' }).waitFor();
    await expectAccessible(page);
  });

  test('a report can go to the other server, and blocking that server states what ends', async () => {
    const page = await server.openClient(bob, `/@dana@${domain}`, { size: 'phone' });
    await page.getByRole('button', { name: 'More about Dana Far Away' }).click();
    await page.getByRole('menuitem', { name: 'Report Dana Far Away' }).click();
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('There are no posts to choose.').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('checkbox', { name: `Also send a copy to ${domain}` }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('button', { name: `Block ${domain}` }).click();
    const dialog = page.getByRole('dialog', { name: `Block ${domain}?` });
    await dialog.getByText('You stop following 1 account there.').waitFor();
    await dialog.getByRole('button', { name: 'Block server' }).click();
    await page.getByText(`You block the server ${domain}`).waitFor();

    const staff = await server.createUser('owner', 'owner');
    const [report] = await staff.rest.v1.admin.reports.list();
    expect(report?.forwarded).toBe(true);
  });
});
