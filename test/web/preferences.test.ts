import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, makeFinal, signIn } from './web-server.ts';

const groups = '/api/v1/fieldfare/groups';

describeWithServer('preferences', (server) => {
  test('the search finds a setting, and a theme applies at once and on other devices', async () => {
    const alice = await server.createUser('alice');
    const page = await server.openClient(alice, '/preferences', { size: 'phone', hasServiceWorker: true });
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('theme');
    await page.getByRole('link', { name: /Appearance/ }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('radio', { name: 'Very large' }).check();
    const { rest } = alice;
    await expect
      .poll(async () => (await page.request.get(`${server.url}/api/web/session`)).json())
      .toMatchObject({
        settings: { appearance: { theme: 'dark', textSize: 'huge' } },
      });
    const other = await server.openClient(alice, '/preferences/appearance');
    await other.locator('html[data-theme=dark][data-text-size=huge]').waitFor();
    expect(await other.getByRole('radio', { name: 'Very large' }).isChecked()).toBe(true);
    expect((await rest.v1.accounts.verifyCredentials()).username).toBe('alice');
    await expectAccessible(other);
  });

  test('privacy and the defaults of posts are stored for all apps', async () => {
    const bob = await server.createUser('bob');
    const page = await server.openClient(bob, '/preferences/privacy', { hasServiceWorker: true });
    await page.getByRole('switch', { name: 'Approve followers' }).check();
    await page.getByRole('switch', { name: 'Show which app I post with' }).uncheck();
    await expect.poll(async () => (await bob.rest.v1.accounts.verifyCredentials()).locked).toBe(true);
    await expectAccessible(page);
    await page.getByRole('link', { name: /New posts/ }).click();
    await page.getByRole('radio', { name: /Quiet public/ }).check();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('combobox', { name: 'Reply' }).first().selectOption('followers');
    await expect
      .poll(async () => (await bob.rest.v1.accounts.verifyCredentials()).source)
      .toMatchObject({ privacy: 'unlisted', language: 'de' });
    await page.reload();
    await page.getByRole('combobox', { name: 'Reply' }).first().waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Reply' }).first().inputValue()).toBe('followers');
    await expectAccessible(page);
  });

  test('a filter is created, changed, exported, deleted and imported', async () => {
    const carol = await server.createUser('carol');
    const page = await server.openClient(carol, '/preferences/filters');
    await page.getByText('You have no filters').waitFor();
    await page.getByRole('link', { name: 'New filter' }).click();
    await page.getByRole('textbox', { name: 'Name of the filter' }).fill('Spoilers');
    await page.getByRole('textbox', { name: 'Word or phrase 1' }).fill('finale');
    await page.getByRole('button', { name: 'Add a word or phrase' }).click();
    await page.getByRole('textbox', { name: 'Word or phrase 2' }).fill('season');
    await page.getByRole('radio', { name: /Hide completely/ }).check();
    await page.getByRole('combobox', { name: 'Ends after' }).selectOption('604800');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.getByText('Filter Spoilers created').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('You have no filters').waitFor();
    await expect.poll(() => carol.rest.v2.filters.list()).toEqual([]);
    await page.goBack();
    await page.getByRole('textbox', { name: 'Name of the filter' }).fill('Spoilers');
    await page.getByRole('textbox', { name: 'Word or phrase 1' }).fill('finale');
    await page.getByRole('button', { name: 'Add a word or phrase' }).click();
    await page.getByRole('textbox', { name: 'Word or phrase 2' }).fill('season');
    await page.getByRole('combobox', { name: 'Ends after' }).selectOption('604800');
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.locator('.toast.undo').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: /Spoilers/ }).click();
    await page.getByRole('button', { name: 'Remove word or phrase 1' }).click();
    await page.getByRole('radio', { name: /Blur media/ }).check();
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.getByRole('link', { name: /Spoilers/ }).waitFor();
    const [filter] = await carol.rest.v2.filters.list();
    expect(filter).toMatchObject({ title: 'Spoilers', filterAction: 'blur', expiresAt: expect.any(String) });
    expect(filter?.keywords.map(({ keyword }) => keyword)).toEqual(['season']);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export to a file' }).click();
    const file = await (await download).path();
    await page.getByRole('link', { name: /Spoilers/ }).click();
    await page.getByRole('button', { name: 'Delete filter' }).click();
    await page.getByText('You have no filters').waitFor();
    await page.getByText('Filter Spoilers deleted').waitFor();
    await makeFinal(page);
    await page.getByLabel('Import a file').setInputFiles(file);
    await page.getByRole('link', { name: /Spoilers/ }).waitFor();
    await expectAccessible(page);
  });

  test('hashtags are featured, and the state of sign-in is shown', async () => {
    const dave = await server.createUser('dave');
    const page = await server.openClient(dave, '/preferences/hashtags', { colorScheme: 'dark' });
    await page.getByRole('textbox', { name: 'Hashtag' }).fill('#birds');
    await page.getByRole('button', { name: 'Feature' }).click();
    await page.getByRole('link', { name: '#birds' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${server.url}/preferences/security`);
    await page.getByText('dave@mail.example').waitFor();
    await page.getByText('You are signed in with 1 browser').waitFor();
    await expectAccessible(page);
  });

  test('a webhook of an app is paused and deleted', async () => {
    const fay = await server.createUser('fay');
    const webhooks = '/api/v1/fieldfare/webhooks';
    await fay.send('POST', webhooks, { url: 'https://hooks.example/fay', events: ['status.created'] });
    const list = () => fay.send<readonly { readonly state: string }[]>('GET', webhooks);
    const page = await server.openClient(fay, '/preferences/apps', { size: 'phone' });
    await page.getByRole('button', { name: 'Pause hooks.example' }).click();
    await page.getByText('paused').waitFor();
    await expect.poll(list).toMatchObject([{ state: 'disabled' }]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume hooks.example' }).click();
    await page.getByRole('button', { name: 'Delete the webhook hooks.example' }).click();
    await page.getByText('https://hooks.example/fay').waitFor({ state: 'detached' });
    await makeFinal(page);
    await expect.poll(list).toEqual([]);
  });

  test('a group is created, and its moderator approves and removes what members post', async () => {
    const [gina, helen] = [await server.createUser('gina', 'moderator'), await server.createUser('helen')];
    const page = await server.openClient(gina, '/preferences/groups', { size: 'phone' });
    await page.getByText('You moderate no group').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('textbox', { name: 'Username' }).fill('birds');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Birdwatchers');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByText('No post waits.').waitFor();
    await page.getByRole('switch', { name: 'Check posts first' }).check();
    const list = () => gina.send<readonly { readonly id: string; readonly moderated: boolean }[]>('GET', groups);
    await expect.poll(async () => (await list())[0]?.moderated).toBe(true);

    const [group] = await list();
    await helen.send('POST', `/api/v1/accounts/${group?.id}/follow`, {});
    await helen.rest.v1.statuses.create({ status: 'An owl for @birds' });
    const waiting = () => gina.send<readonly object[]>('GET', `${groups}/${group?.id}/waiting_posts`);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await page.reload();
    await page.getByText('An owl for').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Boost' }).click();
    await page.getByText('No post waits.').waitFor();
    const boosts = () => helen.send<readonly object[]>('GET', `/api/v1/accounts/${group?.id}/statuses`);
    await expect.poll(async () => (await boosts()).length).toBe(1);

    const member = await server.openClient(helen, '/@birds');
    expect(await member.getByRole('link', { name: 'Post to this group' }).getAttribute('href')).toContain('birds');
    await expectAccessible(member);
    await page.reload();
    await page.getByRole('button', { name: 'Remove from group' }).click();
    await page.getByText('The post is no longer in the group').waitFor();
    await expect.poll(async () => (await boosts()).length).toBe(0);

    // Wherever a post is shown, its menu has it.
    await gina.rest.v1.statuses.create({ status: 'A kite for @birds' });
    await expect.poll(async () => (await boosts()).length).toBe(1);
    await followLink(page, '/@birds');
    await page.getByText('A kite for').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Remove from Birdwatchers' }).click();
    await page.getByText('Removed from Birdwatchers').waitFor();
    await makeFinal(page);
    await expect.poll(async () => (await boosts()).length).toBe(0);
    await member.getByRole('button', { name: 'More actions' }).waitFor({ state: 'detached' });
  });

  test('two accounts are switched, and a tab does not act for the account of another tab', async () => {
    const [erin, frank] = [await server.createUser('erin'), await server.createUser('frank')];
    const page = await server.openClient(erin, '/', { hasServiceWorker: true });
    await page.getByRole('button', { name: 'Account: erin' }).click();
    const add = page.getByRole('menuitem', { name: 'Add an account' });
    expect(await add.getAttribute('href')).toBe('/auth/sign_in?add=true');
    await signIn(page, server.url, frank, '?add=true');
    await page.getByRole('button', { name: 'Account: frank' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(server.url);
    await other.getByRole('button', { name: 'Account: frank' }).click();
    await expectAccessible(other);
    await other.getByRole('menuitem', { name: /erin/ }).click();
    await other.getByRole('button', { name: 'Account: erin' }).waitFor();

    // The first tab still shows frank: it may not act for erin.
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await page.getByText('You switched to another account in another tab.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Account: erin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out of @erin' }).click();
    await page.getByRole('button', { name: 'Account: frank' }).waitFor();
  });
});
