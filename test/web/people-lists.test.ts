import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, fillSignIn, followLink, makeFinal, type WebUser } from './web-server.ts';

describeWithServer('lists, collections and the own profile', (server) => {
  let alice: WebUser;
  let bob: WebUser;
  const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;

  beforeAll(async () => {
    alice = await server.createUser('alice');
    bob = await server.createUser('bob');
    await bob.rest.v1.accounts.$select(await idOf(alice)).follow();
  });

  test('a list is created, gets a member, is renamed and deleted', async () => {
    const page = await server.openClient(bob, '/lists');
    await page.getByText('You have no lists yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByLabel('Name of the list').fill('Friends');
    await page.getByRole('radio', { name: 'No replies' }).check();
    await page.getByRole('checkbox', { name: 'Hide members from home' }).check();
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByRole('link', { name: 'Members of Friends' }).click();
    await page.getByLabel('Add people you follow').fill('ali');
    await Promise.all([waitForMember(page), page.getByRole('button', { name: 'Add alice' }).click()]);
    await page.getByRole('list', { name: 'Members' }).getByText('@alice').waitFor();
    await expectAccessible(page);

    const [list] = await bob.rest.v1.lists.list();
    expect(list).toMatchObject({ title: 'Friends', repliesPolicy: 'none', exclusive: true });
    const [member] = await bob.rest.v1.lists.$select(list?.id ?? '').accounts.list();
    expect(member?.acct).toBe('alice');

    await followLink(page, '/lists');
    await page.getByRole('button', { name: 'Edit list Friends' }).click();
    await page.getByLabel('Name of the list').fill('Close friends');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete list Close friends' }).click();
    await page.getByText('You have no lists yet').waitFor();
    await page.getByText('List Close friends deleted').waitFor();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Delete list Close friends' }).click();
    await makeFinal(page);
    await page.getByText('You have no lists yet').waitFor();
    expect(await bob.rest.v1.lists.list()).toEqual([]);
  });

  test('a profile is put on lists by checkboxes', async () => {
    const list = await bob.rest.v1.lists.create({ title: 'Gardeners' });
    const page = await server.openClient(bob, '/@alice', { size: 'phone' });
    await page.getByRole('button', { name: 'More about alice' }).click();
    await page.getByRole('menuitem', { name: 'Add to lists' }).click();
    await Promise.all([waitForMember(page), page.getByRole('checkbox', { name: 'Gardeners' }).check()]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'More about alice' }).click();
    await page.getByRole('menuitem', { name: 'Add to lists' }).click();
    await page.getByRole('checkbox', { name: 'Gardeners', checked: true }).waitFor();
    const [member] = await bob.rest.v1.lists.$select(list.id).accounts.list();
    expect(member?.acct).toBe('alice');
  });

  test('bookmarks are put into folders, which are renamed and deleted', async () => {
    const { id } = await alice.rest.v1.statuses.create({ status: 'Rye bread with seeds' });
    await bob.rest.v1.statuses.$select(id).bookmark();
    const page = await server.openClient(bob, '/bookmarks', { size: 'phone' });
    const post = page.getByText('Rye bread with seeds');
    await post.waitFor();
    await page.locator('article').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Folders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('Recipes');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('checkbox', { name: 'Recipes', checked: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Recipes' }).click();
    await page.getByRole('heading', { name: 'Recipes', exact: true }).waitFor();
    await post.waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Rename folder' }).click();
    await page.getByLabel('Name of the folder').fill('Baking');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Baking', exact: true }).waitFor();
    await page.locator('article').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Folders' }).click();
    await page.getByRole('checkbox', { name: 'Baking' }).uncheck();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('No bookmarks in this folder yet').waitFor();

    await page.getByRole('button', { name: 'Delete folder' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
    await page.getByRole('heading', { name: 'Bookmarks', exact: true }).waitFor();
    await post.waitFor();
    await expect.poll(() => bob.send('GET', '/api/v1/fieldfare/bookmark_folders')).toEqual([]);
  });

  test('a collection is created, shown to others, and left by its member', async () => {
    await alice.rest.v1.accounts.updateCredentials({ discoverable: true });
    const page = await server.openClient(bob, '/@bob/collections');
    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByLabel('Name', { exact: true }).fill('People of gardens');
    await page.getByLabel('Description').fill('They know every flower');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { name: 'People of gardens' }).waitFor();
    await page.getByLabel('Add accounts').fill('alice');
    await page.getByRole('button', { name: 'Add alice' }).click();
    await page.getByRole('list', { name: 'Accounts' }).getByText('@alice').waitFor();
    await expectAccessible(page);

    const others = await server.openClient(alice, new URL(page.url()).pathname);
    await others.getByRole('button', { name: 'Leave collection' }).click();
    await others.getByRole('dialog').getByRole('button', { name: 'Leave collection' }).click();
    await others.getByText('No accounts in this collection yet').waitFor();

    await page.getByRole('button', { name: 'Edit collection' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Gardeners');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Gardeners' }).waitFor();
    await page.getByRole('button', { name: 'Delete collection' }).click();
    await page.getByText('You have no collections yet').waitFor();
  });

  test('a visitor signs in from a collection, and follows all, some or none of its accounts', async () => {
    const names = ['karla', 'lotte', 'mats'];
    const members = await Promise.all(names.map((name) => server.createUser(name)));
    const ids: string[] = [];
    for (const { rest } of members) {
      await rest.v1.accounts.updateCredentials({ discoverable: true });
      ids.push((await rest.v1.accounts.verifyCredentials()).id);
    }
    const fields = { name: 'People of woods', account_ids: ids };
    const { collection } = await alice.send<{ collection: { id: string } }>('POST', '/api/v1/collections', fields);
    await members[1]?.rest.v1.accounts.updateCredentials({ locked: true });
    const reader = await server.createUser('nora');
    const path = `/collections/${collection.id}`;

    const page = await server.openWindow({ size: 'phone' });
    await page.goto(server.url + path);
    await page.getByText('Sign in to follow these accounts').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'Sign up' }).last().getAttribute('href')).toContain('return_to=');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, reader);
    await page.getByRole('button', { name: 'Follow 3 accounts' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Choose all' }).uncheck();
    expect(await page.getByRole('button', { name: 'Follow 0 accounts' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByRole('checkbox', { name: 'Choose mats' }).uncheck();
    await page.getByRole('button', { name: 'Follow 2 accounts' }).click();
    await page.getByText('1 account followed. 1 request sent.').waitFor();
    await page.getByRole('button', { name: 'Requested to follow lotte: withdraw' }).waitFor();
    await expectAccessible(page);
    const related = () => reader.rest.v1.accounts.relationships.fetch({ id: ids });
    expect((await related()).map(({ following, requested }) => [following, requested])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Follow 2 accounts' }).waitFor();
    expect((await related()).some(({ following, requested }) => following || requested === true)).toBe(false);

    await page.route('**/api/v1/accounts/*/follow', (route) =>
      route.fulfill({ status: 429, json: { error: 'Later' } }),
    );
    await page.getByRole('button', { name: 'Follow 2 accounts' }).click();
    await page.getByText('1 account could not be changed').waitFor();
    await page.locator('.follow-member .problem').waitFor();
    await page.unroute('**/api/v1/accounts/*/follow');
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByRole('button', { name: 'Follow 3 accounts' }).click();
    await page.getByText('2 accounts followed. 1 request sent.').waitFor();
    await page.getByRole('checkbox', { name: 'Choose all' }).waitFor({ state: 'detached' });

    // A link that is pasted into the search opens it.
    const search = page.getByRole('combobox', { name: 'Search' });
    await page.goto(`${server.url}/search`);
    await search.fill(server.url + path);
    await search.press('Enter');
    await page.waitForURL(server.url + path);
  });

  test('the own profile is edited, with a cropped profile picture and its description', async () => {
    const page = await server.openClient(bob, '/preferences/profile');
    const image = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c33' } })
      .composite([
        { input: { create: { width: 300, height: 300, channels: 3, background: '#33c' } }, left: 300, top: 0 },
      ])
      .png()
      .toBuffer();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose profile picture' }).click();
    await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: image });
    const crop = page.getByRole('dialog', { name: 'Choose the visible part' });
    await crop.getByRole('slider', { name: 'Left and right' }).focus();
    await page.keyboard.press('End');
    await expectAccessible(page);
    await crop.getByRole('button', { name: 'Use this part' }).click();
    await page.getByLabel('Description of the profile picture').fill('A blue square');
    await page.getByLabel('Name', { exact: true }).fill('Bob the Gardener');
    await page.getByLabel('About you').fill('Roses, mostly');
    await page.getByText('13 of 500 characters').waitFor();
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label 1').fill('Pronouns');
    await page.getByLabel('Content 1').fill('he/him');
    await page.getByRole('checkbox', { name: 'Approve followers yourself' }).check();
    await page.getByLabel('Sites that may name you').fill('https://news.example/articles');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('Your profile is saved').waitFor();

    const account = await bob.rest.v1.accounts.verifyCredentials();
    expect(account).toMatchObject({ displayName: 'Bob the Gardener', locked: true });
    expect(account.fields).toMatchObject([{ name: 'Pronouns', value: 'he/him' }]);
    const stored = Buffer.from(await (await fetch(account.avatar)).arrayBuffer());
    const { dominant } = await sharp(stored).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);

    await page.getByRole('link', { name: 'View profile' }).click();
    await page.getByRole('heading', { name: 'Bob the Gardener', level: 2, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show the profile picture of Bob the Gardener' }).click();
    const viewer = page.getByRole('dialog', { name: 'Images' });
    await viewer.getByRole('img', { name: 'A blue square' }).waitFor();
    await expectAccessible(page);
    await viewer.getByRole('button', { name: 'Close' }).click();
    await viewer.waitFor({ state: 'detached' });
  });

  test('what was typed in the profile stays when the page is left', async () => {
    const page = await server.openClient(alice, '/preferences/profile', { size: 'phone', colorScheme: 'dark' });
    await page.getByLabel('About you').fill('Not yet saved');
    await page.getByRole('link', { name: 'View profile' }).click();
    await page.getByRole('heading', { name: 'alice', level: 2, exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('About you').inputValue()).toBe('Not yet saved');
    await expectAccessible(page);
  });
});

/** Waits until the server has the next member of a list, which the client shows at once. */
const waitForMember = (page: Page): Promise<unknown> =>
  page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/accounts'));
