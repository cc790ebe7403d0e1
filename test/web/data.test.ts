import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { boost, createOf, filesOf, tarGzOf } from '../api/accounts/post-import-files.ts';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer } from './web-server.ts';

describeWithServer('data of the account', (server) => {
  test('follows are downloaded, and a file is checked, imported and its failures shown', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    const { id: bobId } = await bob.rest.v1.accounts.verifyCredentials();
    await alice.rest.v1.accounts.$select(bobId).follow();
    const page = await server.openClient(alice, '/preferences/data');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download: Accounts you follow' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('following_accounts.csv');
    expect(await readFile(await download.path(), 'utf8')).toContain('bob@');

    await page.getByRole('combobox', { name: 'What the file contains' }).selectOption('Muted accounts');
    const file = { name: 'mutes.csv', mimeType: 'text/csv', buffer: Buffer.from('Account address\nbob\nnobody\n') };
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('2 lines can be imported.').waitFor();
    expect((await alice.rest.v1.mutes.list()).length).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import now' }).click();
    await page.getByText('1 line imported', { exact: true }).waitFor();
    await page.getByText('1 line was not imported').click();
    await page.getByText('Not found').waitFor();
    expect((await alice.rest.v1.mutes.list()).map(({ username }) => username)).toEqual(['bob']);
    await page.getByRole('button', { name: 'Remove from this list' }).click();
    await page.getByText('1 line imported', { exact: true }).waitFor({ state: 'detached' });
  });

  test('an archive is requested, made and downloaded, and the next one is possible a week later', async () => {
    const fred = await server.createUser('fred');
    await fred.rest.v1.statuses.create({ status: 'Into the archive' });
    const page = await server.openClient(fred, '/preferences/data');
    await page.getByRole('button', { name: 'Request archive' }).click();
    await page.getByText('Your archive is ready.').waitFor();
    await page.route('**/api/v1/fieldfare/archives', async (route) => {
      const response = await route.fetch();
      const [archive] = await response.json();
      const progress = { state: 'building', posts_written: 200, posts_total: 1_200 };
      return route.fulfill({ response, json: [{ ...archive, ...progress }] });
    });
    await page.reload();
    await page.getByText('Posts written so far: 200 of 1,200').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText('Your archive is ready.').waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /Download archive \(.* kB\)/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^archive-\d{4}-\d\d-\d\d\.tar\.gz$/);
    expect(gunzipSync(await readFile(await download.path())).includes('Into the archive')).toBe(true);
    await page.getByText('You can request the next archive on').waitFor();
    await page.getByRole('button', { name: 'Delete archive' }).click();
    await page.getByText('Your archive is ready.').waitFor({ state: 'detached' });
    await page.getByText('You can request the next archive on').waitFor();
    await page.reload();
    await page.getByText('You can request the next archive on').waitFor();
  });

  test('an import that overwrites names what it removes, and a file without lines is refused', async () => {
    const [carol, dora] = [await server.createUser('carol'), await server.createUser('dora')];
    const { id: doraId } = await dora.rest.v1.accounts.verifyCredentials();
    await carol.rest.v1.accounts.$select(doraId).block();
    const page = await server.openClient(carol, '/preferences/data', { size: 'phone', colorScheme: 'dark' });
    await page.getByRole('combobox', { name: 'What the file contains' }).selectOption('Blocked accounts');
    const fileOf = (text: string) => ({ name: 'blocks.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByLabel('CSV file').setInputFiles(fileOf('\n'));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('alert').filter({ hasText: 'The file has no lines' }).waitFor();
    await page.getByRole('radio', { name: /Replace what I have/ }).check();
    await page.getByLabel('CSV file').setInputFiles(fileOf('eve@far.test\n'));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 entry that the file does not list will be removed.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    expect((await carol.rest.v1.blocks.list()).length).toBe(1);
  });

  test('posts of an archive are imported, marked with where they come from, and deleted again', async () => {
    const gina = await server.createUser('gina');
    const page = await server.openClient(gina, '/preferences/data');
    const items = [createOf(1, 'An old post'), createOf(2, 'For one', { visibility: 'direct' }), boost];
    const buffer = tarGzOf(filesOf(items));
    await page
      .getByLabel('Archive with posts')
      .setInputFiles({ name: 'archive.tar.gz', mimeType: 'application/gzip', buffer });
    await page.getByRole('button', { name: 'Read the archive' }).click();
    await page.getByText('Posts that can be imported: 1').waitFor();
    await page.getByText('Boosts, which are left out: 1').waitFor();
    await page.getByRole('checkbox', { name: 'Also import direct posts' }).check();
    await page.getByRole('checkbox', { name: 'These posts are mine' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import now' }).click();
    await page.getByText('Imported posts: 2').waitFor();
    const { id } = await gina.rest.v1.accounts.verifyCredentials();
    const statuses = await gina.rest.v1.accounts.$select(id).statuses.list();
    expect(statuses.map(({ visibility }) => visibility)).toEqual(['direct', 'public']);
    const dataPage = page.url();
    await page.goto(new URL('/@gina', dataPage).href);
    const card = page.getByRole('article').filter({ hasText: 'An old post' });
    await card.getByRole('img', { name: 'Imported from old.example' }).waitFor();
    await gina.rest.v1.statuses.create({ status: 'A new post' });
    await page.reload();
    const own = page.getByRole('article').filter({ hasText: 'A new post' });
    await own.waitFor();
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More about' }).click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await choose('Only imported posts');
    await own.waitFor({ state: 'detached' });
    await card.waitFor();
    await expectAccessible(page);
    await choose('Without imported posts');
    await card.waitFor({ state: 'detached' });
    await own.waitFor();
    await page.getByRole('button', { name: 'All posts' }).click();
    await card.waitFor();
    // The account has posts, but none that these pages show.
    await page.goto(new URL('/@gina/tagged/swifts', dataPage).href);
    await page.getByRole('heading', { name: 'No posts of gina with #swifts to show' }).waitFor();
    await page.goto(new URL('/@gina/media', dataPage).href);
    await page.getByRole('heading', { name: 'No media of gina to show' }).waitFor();
    await gina.rest.v1.statuses
      .$select((await gina.rest.v1.accounts.$select(id).statuses.list())[0]?.id ?? '')
      .remove();
    await page.goto(dataPage);
    await page.getByRole('button', { name: 'Delete these posts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete these posts' }).click();
    await page.getByText('Imported posts: 2').waitFor({ state: 'detached' });
    await page.getByText('The posts are being deleted.').waitFor({ state: 'detached' });
    expect(await gina.rest.v1.accounts.$select(id).statuses.list()).toEqual([]);
  });
});
