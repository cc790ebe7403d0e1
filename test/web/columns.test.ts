import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { swipe } from './swipe.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

describeWithServer('columns', (server) => {
  test('columns are added, ordered, pinned and removed, and stored on the server', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    await bob.rest.v1.statuses.create({ status: 'Look at these #berries' });
    await alice.rest.v1.lists.create({ title: 'Friends' });
    const page = await server.openClient(alice, '/preferences/columns');
    await page.getByRole('switch', { name: 'Columns on wide windows' }).check();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const titles = () => page.locator('.column-header h2').allInnerTexts();
    await expect.poll(titles).toEqual(['Home', 'This server']);
    await page.getByRole('region', { name: 'This server' }).getByText('Look at these').waitFor();

    const add = async () => page.getByRole('button', { name: 'Add a column' }).click();
    await add();
    await page.getByRole('textbox', { name: /Hashtags/ }).fill('#berries');
    await page.getByRole('textbox', { name: /Hashtags/ }).press('Enter');
    await page.getByRole('region', { name: '#berries' }).getByText('Look at these').waitFor();
    await add();
    await page.getByRole('textbox', { name: /An account/ }).fill('nobody');
    await page.getByRole('textbox', { name: /An account/ }).press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: /An account/ }).fill('@bob');
    await page.getByRole('textbox', { name: /An account/ }).press('Enter');
    await page.getByRole('region', { name: '@bob' }).getByText('Look at these').waitFor();
    await add();
    await page.getByRole('button', { name: 'Friends' }).click();
    await expect.poll(titles).toEqual(['Home', 'This server', '#berries', '@bob', 'Friends']);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Move #berries' }).press('ArrowLeft');
    await expect.poll(titles).toEqual(['Home', '#berries', 'This server', '@bob', 'Friends']);
    await page.getByRole('button', { name: 'Move @bob' }).dragTo(page.getByRole('button', { name: 'Move Home' }));
    await expect.poll(titles).toEqual(['@bob', 'Home', '#berries', 'This server', 'Friends']);
    await page.getByRole('button', { name: 'Options of #berries' }).click();
    await page.getByRole('menuitem', { name: 'Pin at the start' }).click();
    await page.getByRole('button', { name: 'Options of Friends' }).click();
    await page.getByRole('menuitem', { name: 'Move one place back' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Move one place forward' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Remove column' }).click();
    await page.getByRole('button', { name: 'Options of Home' }).click();
    await page.getByRole('menuitemradio', { name: 'Wide' }).click();
    await expect.poll(titles).toEqual(['#berries', '@bob', 'Home', 'This server']);
    await page.locator('.column.wide').waitFor();
    await page.reload();
    await expect.poll(titles).toEqual(['#berries', '@bob', 'Home', 'This server']);
    await expect.poll(() => page.locator('.column.wide .column-header h2').allInnerTexts()).toEqual(['Home']);

    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.locator('.columns').count()).toBe(0);
  });

  test('home has tabs on phones, between which one swipes, with their places and new posts', async () => {
    const [ines, jon] = [await server.createUser('ines'), await server.createUser('jon')];
    const list = await ines.rest.v1.lists.create({ title: 'Birders' });
    const { id: jonId } = await jon.rest.v1.accounts.verifyCredentials();
    await ines.rest.v1.accounts.$select(jonId).follow();
    await ines.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [jonId] });
    for (let number = 1; number <= 12; number++)
      await jon.rest.v1.statuses.create({ status: `Bird number ${number}${' feather'.repeat(60)}` });
    await jon.rest.v1.statuses.create({ status: 'Only #terns' });
    await jon.rest.v1.statuses.create({ status: 'Only #gulls' });
    const page = await server.openClient(ines, '/', { size: 'phone' });
    await page.getByRole('link', { name: 'Tabs of home' }).click();
    const add = async (): Promise<void> => page.getByRole('button', { name: 'Add a tab' }).click();
    await add();
    await page.getByRole('textbox', { name: /Hashtags/ }).fill('#terns gulls');
    await page.getByRole('textbox', { name: /Hashtags/ }).press('Enter');
    await add();
    await page.getByRole('button', { name: 'Birders' }).click();
    const rows = page.getByRole('list', { name: 'Tabs and columns' }).getByRole('listitem');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['Home', 'This server', '#terns #gulls', 'Birders']);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove This server' }).click();
    await page.getByRole('button', { name: 'Move Birders up' }).click();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['Home', 'Birders', '#terns #gulls']);
    const isDisabled = (name: string) => page.getByRole('button', { name }).isDisabled();
    expect(await isDisabled('Move Home up')).toBe(true);
    expect(await isDisabled('Move #terns #gulls down')).toBe(true);
    expect(await isDisabled('Move #terns #gulls up')).toBe(false);
    const target = await rows.nth(2).boundingBox();
    await rows.nth(1).locator('[data-handle]').hover();
    await page.mouse.down();
    await page.mouse.move(20, (target?.y ?? 0) + 20, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['Home', '#terns #gulls', 'Birders']);

    await page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).click();
    const tab = (name: string) => page.getByRole('tab', { name });
    const panel = page.getByRole('tabpanel');
    await panel.getByText('Only #gulls').waitFor();
    await expectAccessible(page);
    await swipe(page, { x: 300, y: 500 }, { x: 150, y: 505 });
    await page.getByRole('tabpanel', { name: '#terns #gulls' }).getByText('Only #terns').waitFor();
    await panel.getByText('Only #gulls').waitFor();
    expect(await panel.getByRole('article').count()).toBe(2);
    await swipe(page, { x: 10, y: 500 }, { x: 250, y: 505 });
    expect(await tab('#terns #gulls').getAttribute('aria-selected')).toBe('true');
    await swipe(page, { x: 300, y: 500 }, { x: 150, y: 505 });
    await panel.getByText('Bird number 12').waitFor();
    const endOfScroll = async (): Promise<void> =>
      page.evaluate(
        () => new Promise<void>((resolve) => document.addEventListener('scrollend', () => resolve(), { once: true })),
      );
    await Promise.all([endOfScroll(), page.evaluate(() => scrollTo(0, 1_200))]);
    await panel.getByText('Bird number 9').waitFor();
    // Scrolling back and forth with a finger does not turn the page.
    await Promise.all([endOfScroll(), swipe(page, { x: 200, y: 500 }, { x: 230, y: 560 })]);
    expect(await tab('Birders').getAttribute('aria-selected')).toBe('true');
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
    const placeOfNinth = async () => Math.round((await panel.getByText('Bird number 9').boundingBox())?.y ?? 0);
    // Once the page no longer moves.
    let left = Number.NaN;
    const lastMove = async (): Promise<number> => {
      const before = left;
      left = await placeOfNinth();
      return left - before;
    };
    await expect.poll(lastMove, { interval: 250 }).toBe(0);

    await tab('Home').click();
    await panel.getByText('Only #gulls').waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await jon.rest.v1.statuses.create({ status: 'A rare #tern among #terns' });
    await tab('#terns #gulls has new posts').waitFor();
    await tab('Birders').click();
    await panel.getByText('Bird number 9').waitFor();
    await expect.poll(placeOfNinth).toBe(left);
    await tab('Birders').click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await tab('Birders').press('ArrowLeft');
    await panel.getByRole('button', { name: '1 new post' }).click();
    await panel.getByText('A rare').waitFor();
    await page.reload();
    await panel.getByText('A rare').waitFor();
    expect(await tab('#terns #gulls').getAttribute('aria-selected')).toBe('true');

    await ines.rest.v1.lists.$select(list.id).remove();
    await page.getByRole('tab', { name: 'Birders' }).click();
    await page.getByRole('heading', { name: 'This no longer exists' }).waitFor();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Home', '#terns #gulls']);
  });

  test('two devices that change the tabs at the same time keep both changes', async () => {
    const kim = await server.createUser('kim');
    const open = async (user: WebUser) => server.openClient(user, '/preferences/columns');
    const [first, second] = [await open(kim), await open(kim)];
    const addTag = async (page: typeof first, name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add a tab' }).click();
      await page.getByRole('textbox', { name: /Hashtags/ }).fill(name);
      await page.getByRole('textbox', { name: /Hashtags/ }).press('Enter');
      await page.getByRole('listitem').getByText(`#${name}`).waitFor();
    };
    const titles = (page: typeof first) =>
      page.getByRole('list', { name: 'Tabs and columns' }).getByRole('listitem').allInnerTexts();
    await addTag(first, 'one');
    await addTag(second, 'two');
    await expect.poll(() => titles(second)).toEqual(['Home', 'This server', '#one', '#two']);
    await first.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => titles(first)).toEqual(['Home', 'This server', '#one', '#two']);
  });

  test('each column scrolls by itself, loads older posts and gets new ones', async () => {
    const carol = await server.createUser('carol');
    for (let number = 1; number <= 45; number++)
      await carol.rest.v1.statuses.create({ status: `Post number ${number}`, visibility: 'public' });
    const page = await server.openClient(carol, '/deck', { colorScheme: 'dark' });
    const column = page.getByRole('region', { name: 'This server' });
    await column.getByText('Post number 45').waitFor();
    const home = page.getByRole('region', { name: 'Home', exact: true });
    await home.getByRole('group', { name: 'Posts: Home' }).focus();
    const reachFirst = async (): Promise<boolean> => {
      await page.keyboard.press('End');
      return home.getByText('Post number 1', { exact: true }).isVisible();
    };
    await expect.poll(reachFirst).toBe(true);
    // Only that column was scrolled.
    await column.getByText('Post number 45').waitFor();
    await carol.rest.v1.statuses.create({ status: 'A newer post' });
    await column.getByRole('button', { name: '1 new post' }).click();
    await column.getByText('A newer post').waitFor();

    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByRole('textbox', { name: 'A search' }).fill('newer');
    await page.getByRole('textbox', { name: 'A search' }).press('Enter');
    const found = page.getByRole('region', { name: 'Search: newer' });
    await found.getByText('A newer post').waitFor();
    await carol.rest.v1.statuses.create({ status: 'The newer the better' });
    await column.getByRole('button', { name: '1 new post' }).waitFor();
    await found.getByRole('button', { name: 'Search again' }).click();
    await found.getByText('The newer the better').waitFor();
    await expectAccessible(page);
  });

  test('a column of notifications gets new ones, and a column for writing posts into the others', async () => {
    const [dora, emil] = [await server.createUser('dora'), await server.createUser('emil')];
    const page = await server.openClient(dora, '/deck');
    const addColumn = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add a column' }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    };
    await addColumn('Notifications');
    const notifications = page.getByRole('region', { name: 'Notifications' });
    await notifications.getByText('No notifications yet').waitFor();
    await emil.rest.v1.statuses.create({ status: '@dora Have you seen the waxwings?' });
    await notifications.getByText('Have you seen the waxwings?').waitFor();
    await expect
      .poll(async () => (await dora.rest.v1.markers.fetch({ timeline: ['notifications'] })).notifications?.lastReadId)
      .toBeDefined();

    await addColumn('New post');
    const field = page.getByRole('region', { name: 'New post' }).getByRole('textbox', { name: 'Text', exact: true });
    await field.waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'New post' }).click();
    await page.keyboard.type('Forty of them, in the rowan');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const local = page.getByRole('region', { name: 'This server' });
    await local.getByRole('button', { name: '2 new posts' }).click();
    await local.getByText('Forty of them, in the rowan').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'New post', exact: true }).count()).toBe(0);
  });

  test('a column of conversations gets new ones, and moves one with a new post to the top', async () => {
    const [fay, gus, hal] = [
      await server.createUser('fay'),
      await server.createUser('gus'),
      await server.createUser('hal'),
    ];
    const page = await server.openClient(fay, '/deck');
    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Private mentions', exact: true }).click();
    const column = page.getByRole('region', { name: 'Private mentions' });
    await column.getByText('No private mentions yet').waitFor();
    const rows = column.getByRole('article');
    const mention = (from: typeof gus, status: string) =>
      from.rest.v1.statuses.create({ status, visibility: 'direct' });

    const first = await mention(gus, '@fay A bittern at the pond');
    await rows.filter({ hasText: 'A bittern at the pond' }).getByText('Unread:').waitFor();
    await mention(hal, '@fay Bring the telescope');
    await rows.first().getByText('Bring the telescope').waitFor();
    await gus.rest.v1.statuses.create({
      status: '@fay It is still here',
      visibility: 'direct',
      inReplyToId: first.id,
    });
    await rows.first().getByText('It is still here').waitFor();
    expect(await rows.count()).toBe(2);
    await expectAccessible(page);
  });
});
