import { afterEach, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer } from './web-server.ts';

describeWithServer('reading', (server) => {
  afterEach(() => server.closeWindows());

  test('home shows posts of followed accounts, and new ones wait behind a button', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    const { id } = await alice.rest.v1.accounts.verifyCredentials();
    await bob.rest.v1.accounts.$select(id).follow();
    await alice.rest.v1.statuses.create({ status: 'The first post #birds' });

    const page = await server.openClient(bob);
    await page.getByText('The first post').waitFor();
    await alice.rest.v1.statuses.create({ status: 'A second post' });
    await page.getByRole('button', { name: '1 new post' }).click();
    await page.getByText('A second post').waitFor();
    expect(await page.locator('article').allInnerTexts()).toHaveLength(2);
    await expectAccessible(page);
  });
});
