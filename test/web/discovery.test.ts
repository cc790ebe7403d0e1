import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, makeFinal, type WebUser } from './web-server.ts';

/** Lets everyone find the account and its posts. */
const allowSearch = (user: WebUser): Promise<unknown> =>
  user.send('PATCH', '/api/v1/accounts/update_credentials', { indexable: true, discoverable: true });

describeWithServer('discovery', (server) => {
  test.each(['phone', 'desktop'] as const)('the first day leads to people, on the %s', async (size) => {
    const dora = await server.createUser(`dora_${size}`);
    await allowSearch(dora);
    const page = await server.openClient(await server.createUser(`nora_${size}`), '/', { size });
    await page.getByRole('heading', { name: 'Your home is quiet' }).waitFor();
    await page
      .getByRole('list', { name: 'Your first steps' })
      .getByRole('link', { name: 'Bring your follows' })
      .waitFor();
    expect(await page.getByText('For your server').count()).toBe(0);
    await expectAccessible(page);

    // A name without its server leads on.
    const field = page.locator('.first-steps').getByRole('combobox', { name: 'Search' });
    await field.fill('nobody_of_that_name');
    await field.press('Enter');
    await page.getByText('People on other servers have an address such as @name@server.example.').waitFor();
    await page.getByRole('link', { name: 'People', exact: true }).first().click();
    await page.getByText('Ask for the whole address').waitFor();
  });

  test('who follows few people sees people first in Explore', async () => {
    const [finn, gitte, hanna] = [
      await server.createUser('finn'),
      await server.createUser('gitte'),
      await server.createUser('hanna'),
    ];
    await allowSearch(hanna);
    const follow = async (from: WebUser, to: WebUser): Promise<void> => {
      await from.rest.v1.accounts.$select((await to.rest.v1.accounts.verifyCredentials()).id).follow();
    };
    await follow(finn, gitte);
    await follow(gitte, hanna);
    const page = await server.openClient(finn, '/explore', { size: 'phone' });
    const people = page.getByRole('region', { name: 'People to follow' });
    await people.getByText('@hanna').waitFor();
    await people.getByRole('button', { name: 'Follow' }).first().click();
    await expect.poll(async () => (await finn.rest.v1.accounts.verifyCredentials()).followingCount).toBe(2);
  });

  test('search suggests people while one types, and lists posts, people and hashtags', async () => {
    const ada = await server.createUser('ada');
    const ben = await server.createUser('bengt');
    await allowSearch(ben);
    await ben.rest.v1.statuses.create({ status: 'A kingfisher at the #millpond' });
    const page = await server.openClient(ada, '/search');
    await page.getByRole('heading', { name: 'Narrow a search for posts' }).waitFor();
    await expectAccessible(page);

    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('beng');
    await page.getByRole('option', { name: '@bengt' }).waitFor();
    await expectAccessible(page);
    await field.fill('kingfisher ha');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('kingfisher has:');
    await field.fill('kingfisher');
    await field.press('Enter');
    await page.getByText('A kingfisher at the').waitFor();
    await page.getByRole('link', { name: 'Hashtags', exact: true }).click();
    await page.getByText('Nothing found').waitFor();

    await field.fill('millpond');
    await field.press('Enter');
    await page.getByRole('link', { name: '#millpond' }).first().click();
    await page.waitForURL('**/tags/millpond');

    await page.goto(`${server.url}/search`);
    await field.click();
    await page.getByRole('option', { name: 'millpond' }).waitFor();
    await page.getByRole('button', { name: 'Clear recent searches' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
  });

  test('the address of a post and a handle open in place', async () => {
    const [cleo, dov] = [await server.createUser('cleo'), await server.createUser('dov')];
    const post = await dov.rest.v1.statuses.create({ status: 'Found by its address' });
    const page = await server.openClient(cleo, '/explore', { size: 'phone' });
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill(post.url ?? '');
    await field.press('Enter');
    await page.waitForURL(`**/@dov/${post.id}`);
    await page.getByText('Found by its address').waitFor();

    await page.goto(`${server.url}/search?q=${encodeURIComponent(`@dov@${new URL(server.url).host}`)}`);
    await page.waitForURL('**/@dov');
  });

  test('a search for a handle on a server that does not answer shows what is stored here, and names the server', async () => {
    const hal = await server.createUser('hal');
    const host = `${new URL(server.url).hostname}:9`;
    await hal.rest.v1.statuses.create({ status: `Write to nora@${host}` });
    const page = await server.openClient(hal, '/search');
    const field = page.getByRole('combobox', { name: 'Search' });
    const unreachable = page.getByText(`${host} did not answer`);
    await field.fill(`nora@${host}`);
    await field.press('Enter');
    await unreachable.waitFor();
    await page.getByText('Write to').waitFor();
    await expectAccessible(page);
    await page.goto(`${server.url}/search?q=${encodeURIComponent(`@nobody@${host}`)}`);
    await unreachable.waitFor();
    await page.getByText('Nothing found').waitFor();
    await page.goto(`${server.url}/@nobody@${host}`);
    await unreachable.waitFor();
  });

  test('a hashtag is followed and featured on its page', async () => {
    const eli = await server.createUser('eli');
    await eli.rest.v1.statuses.create({ status: 'Look: #plovers' });
    const page = await server.openClient(eli, '/tags/plovers');
    await page.getByText('1 post today').waitFor();
    await page.getByText('by 1 person').waitFor();
    await page.getByRole('button', { name: 'Follow hashtag' }).click();
    await page.getByRole('button', { name: 'Following hashtag' }).waitFor();
    await page.getByRole('button', { name: 'Feature on profile' }).click();
    await page.getByRole('button', { name: 'Featured on profile' }).waitFor();
    await expectAccessible(page);
    await expect.poll(async () => (await eli.rest.v1.tags.$select('plovers').fetch()).following).toBe(true);
    await expect.poll(async () => (await eli.rest.v1.featuredTags.list()).map(({ name }) => name)).toEqual(['plovers']);
  });

  test('explore shows trends and suggests people to follow', async () => {
    const [fern, gita] = [await server.createUser('fern', 'owner'), await server.createUser('gita')];
    await gita.rest.v1.accounts.updateCredentials({ discoverable: true, note: 'Birds and bogs' });
    const page = await server.openClient(fern, '/explore', { colorScheme: 'dark' });
    await page.getByText('No trending posts now').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Hashtags', exact: true }).click();
    await page.getByText('No trending hashtags now').waitFor();
    await page.getByRole('link', { name: 'News', exact: true }).click();
    await page.getByText('No trending links now').waitFor();
    await page.locator('main').getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('link', { name: 'Browse all profiles' }).waitFor();
    await expectAccessible(page);
  });

  test('private mentions are conversations with an unread mark that arrive live', async () => {
    const [hugo, iris] = [await server.createUser('hugo'), await server.createUser('iris')];
    const page = await server.openClient(hugo, '/conversations');
    await page.getByText('No private mentions yet').waitFor();
    await iris.rest.v1.statuses.create({ status: '@hugo Shall we count geese?', visibility: 'direct' });
    const row = page.getByRole('article').filter({ hasText: 'Shall we count geese?' });
    await row.getByText('Unread:').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Options for the conversation with @iris' }).click();
    await page.getByRole('menuitem', { name: 'Mark as read' }).click();
    await row.getByText('Unread:').waitFor({ state: 'detached' });
    await expect.poll(async () => (await hugo.rest.v1.conversations.list())[0]?.unread).toBe(false);
    await row.getByRole('link').click();
    await page.waitForURL('**/@iris/*');
    await page.getByText('Shall we count geese?').waitFor();

    await page.goto(`${server.url}/conversations`);
    await row.getByRole('button', { name: 'Options for the conversation with @iris' }).click();
    await page.getByRole('menuitem', { name: 'Remove conversation' }).click();
    await page.getByText('No private mentions yet').waitFor();
    await makeFinal(page);
    expect(await hugo.rest.v1.conversations.list()).toEqual([]);
  });

  test('an announcement appears on home, is answered with an emoji and dismissed', async () => {
    const [joan, kai] = [await server.createUser('joan', 'owner'), await server.createUser('kai')];
    await joan.send('POST', '/api/v1/fieldfare/admin/announcements', { text: 'The server moves on Friday' });
    const page = await server.openClient(kai);
    await page.getByText('1 announcement').click();
    const card = page.getByRole('article', { name: 'Announcement' });
    await card.getByText('The server moves on Friday').waitFor();
    await card.getByRole('button', { name: 'Add a reaction' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '🎉' }).click();
    const mine = card.getByRole('button', { name: '🎉, 1 reaction' });
    await mine.waitFor();
    expect(await mine.getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
    await expect
      .poll(async () => (await kai.rest.v1.announcements.list())[0]?.reactions.map(({ name }) => name))
      .toEqual(['🎉']);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
    await page.goto(`${server.url}/announcements`);
    await page.getByText('The server moves on Friday').waitFor();
  });
});
