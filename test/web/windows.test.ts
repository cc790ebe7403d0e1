import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { describeWithServer, endSession, followLink, signIn } from './web-server.ts';

const favourite = (page: Page, text: string) =>
  page.getByRole('article').filter({ hasText: text }).getByRole('button', { name: 'Favourite' });

describeWithServer('windows of the web client', (server) => {
  test('a form that is submitted three times at once sends one request', async () => {
    const ada = await server.createUser('ada');
    const page = await server.openClient(ada, '/publish');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole('textbox', { name: 'Text' }).fill('Pressed by a nervous finger');
    await page.getByRole('button', { name: 'Post', exact: true }).evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 3; click += 1) button.click();
    });
    await page.getByRole('article').filter({ hasText: 'Pressed by a nervous finger' }).first().waitFor();
    expect(sent.filter((path) => path === '/api/v1/statuses')).toHaveLength(1);

    await page.goto(`${server.url}/lists`);
    await page.getByRole('button', { name: 'New list' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Birds');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Create' })
      .evaluate((button: HTMLButtonElement) => {
        for (let click = 0; click < 3; click += 1) button.click();
      });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent.filter((path) => path === '/api/v1/lists')).toHaveLength(1);
  });

  test('what is done in one window shows in the others of the same account', async () => {
    const [ben, bea] = [await server.createUser('ben'), await server.createUser('bea')];
    await bea.rest.v1.statuses.create({ status: 'Seen in two windows' });
    const first = await server.openClient(ben, '/@bea');
    const second = await first.context().newPage();
    await second.goto(`${server.url}/@bea`);
    await favourite(second, 'Seen in two windows').waitFor();
    await favourite(first, 'Seen in two windows').click();
    await expect.poll(() => favourite(second, 'Seen in two windows').getAttribute('aria-pressed')).toBe('true');
    await favourite(second, 'Seen in two windows').click();
    await expect.poll(() => favourite(first, 'Seen in two windows').getAttribute('aria-pressed')).toBe('false');
    await first.getByRole('button', { name: 'Follow bea' }).click();
    await second.getByRole('button', { name: 'Following bea: options' }).waitFor();
  });

  test('what is written in one window is in the other, is one draft, and is gone from both when it is published', async () => {
    const [ivy, iris] = [await server.createUser('ivy'), await server.createUser('iris')];
    const post = await iris.rest.v1.statuses.create({ status: 'Answer me' });
    const field = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
    const drafts = () => ivy.send<{ posts: { text: string }[] }[]>('GET', '/api/v1/fieldfare/drafts');
    const path = `/publish?in_reply_to=${post.id}`;
    const first = await server.openClient(ivy, path);
    const second = await first.context().newPage();
    const list = await first.context().newPage();
    await second.goto(server.url + path);
    await list.goto(`${server.url}/drafts`);
    await list.getByText('No drafts').waitFor();
    await field(second).waitFor();
    await field(first).fill('@iris Begun here');
    await expect.poll(() => field(second).inputValue()).toBe('@iris Begun here');
    await first.getByText('Saved as a draft.').waitFor();
    await second.getByText('Saved as a draft.').waitFor();
    await list.getByText('@iris Begun here').waitFor();
    await field(second).fill('@iris Begun here, continued there');
    await expect.poll(() => field(first).inputValue()).toBe('@iris Begun here, continued there');
    await field(first).fill('@iris Begun here, continued there, ended here');
    await list.getByText('ended here').waitFor();
    expect(await drafts()).toHaveLength(1);
    await first.getByRole('button', { name: 'Post', exact: true }).click();
    await expect.poll(() => field(second).inputValue()).toBe('@iris ');
    await list.getByText('No drafts').waitFor();
    await expect.poll(drafts).toEqual([]);
    const replies = await iris.rest.v1.statuses.$select(post.id).context.fetch();
    expect(replies.descendants.map(({ content }) => content.includes('ended here'))).toEqual([true]);
  });

  test('what is read or dismissed, the language and the end of the session count in all windows', async () => {
    const [jack, jill] = [await server.createUser('jack', 'owner'), await server.createUser('jill')];
    await jack.send('POST', '/api/v1/fieldfare/admin/announcements', { text: 'The server moves' });
    const post = await jack.rest.v1.statuses.create({ status: 'Like me' });
    await jill.rest.v1.statuses.$select(post.id).favourite();
    const first = await server.openClient(jack);
    const second = await first.context().newPage();
    await second.goto(server.url);
    const [badge, announcement] = [second.locator('.unread-badge').first(), second.locator('.announcement-bar')];
    await badge.waitFor();
    await announcement.waitFor();
    await first.locator('.announcement-bar summary').click();
    await first.getByRole('button', { name: 'Dismiss' }).click();
    await announcement.waitFor({ state: 'detached' });
    await followLink(first, '/notifications');
    await badge.waitFor({ state: 'detached' });
    await followLink(first, '/preferences/language');
    await first.getByRole('radio', { name: 'Deutsch' }).check();
    await second.getByRole('link', { name: 'Startseite' }).first().waitFor();
    await expect.poll(() => second.locator('html').getAttribute('lang')).toBe('de');

    await first.getByRole('button', { name: 'Konto: jack' }).click();
    const signedOut = first.waitForEvent('load');
    await first.getByRole('menuitem', { name: /abmelden/i }).click();
    await second.getByText('Deine Sitzung ist beendet.').waitFor();
    await signedOut;
    await signIn(first, server.url, jack);
    await second.getByText('Deine Sitzung ist beendet.').waitFor({ state: 'detached' });
  });

  test('a button that is pressed again while its request runs ends as it was pressed last', async () => {
    const [hal, hope] = [await server.createUser('hal'), await server.createUser('hope')];
    const post = await hope.rest.v1.statuses.create({ status: 'Pressed twice' });
    const page = await server.openClient(hal, '/@hope');
    const sent: string[] = [];
    const first = Promise.withResolvers<void>();
    await page.route(/\/(?:un)?favourite$/, async (route) => {
      sent.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      if (sent.length === 1) await first.promise;
      await route.continue();
    });
    const press = (times: number): Promise<void> =>
      favourite(page, 'Pressed twice').evaluate(async (button: HTMLButtonElement, count) => {
        for (let click = 0; click < count; click += 1) {
          button.click();
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }, times);
    await press(2);
    expect(await favourite(page, 'Pressed twice').getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => sent).toEqual(['favourite']);
    first.resolve();
    await expect.poll(() => sent).toEqual(['favourite', 'unfavourite']);
    const isFavourited = async () => (await hal.rest.v1.statuses.$select(post.id).fetch()).favourited;
    await expect.poll(isFavourited).toBe(false);
    expect(await favourite(page, 'Pressed twice').getAttribute('aria-pressed')).toBe('false');
    await press(3);
    await expect.poll(isFavourited).toBe(true);
    expect(await favourite(page, 'Pressed twice').getAttribute('aria-pressed')).toBe('true');
    // The last press wanted what the first request had done.
    await expect.poll(() => sent.slice(2).at(-1)).toBe('favourite');
  });

  test('marks, members of lists and collections, and settings that change again while their request runs end as they were pressed last', async () => {
    const [mia, moss] = [await server.createUser('mia'), await server.createUser('moss')];
    const sender = await mia.rest.v1.accounts.lookup({ acct: 'moss' });
    await mia.rest.v1.accounts.$select(sender.id).follow();
    await moss.rest.v1.statuses.create({ status: '@mia Read me, or not', visibility: 'direct' });
    const list = await mia.rest.v1.lists.create({ title: 'Mosses' });
    const page = await server.openClient(mia, '/conversations');
    const sentWhilePressed = async (address: RegExp, press: () => Promise<void>): Promise<number> => {
      const [pressed, sent] = [Promise.withResolvers<void>(), [] as string[]];
      await page.route(address, async (route) => {
        if (route.request().method() !== 'GET') {
          sent.push(route.request().url());
          if (sent.length === 1) await pressed.promise;
        }
        await route.continue();
      });
      await press();
      await expect.poll(() => sent.length).toBeGreaterThan(0);
      const { length } = sent;
      pressed.resolve();
      return length;
    };

    const mark = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Options for the conversation with @moss' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const marks = ['Mark as read', 'Mark as unread', 'Mark as read', 'Mark as unread'];
    expect(
      await sentWhilePressed(/conversations\/\d+\/(?:un)?read$/, async () => {
        for (const name of marks) await mark(name);
      }),
    ).toBe(1);
    await expect.poll(async () => (await mia.rest.v1.conversations.list())[0]?.unread).toBe(true);

    // A step back by which the menu closes would cancel the load of a document.
    await followLink(page, `/lists/${list.id}/members`);
    await page.getByLabel('Add people you follow').fill('moss');
    const found = page.locator('.account-search');
    expect(
      await sentWhilePressed(/lists\/\d+\/accounts$/, async () => {
        for (const name of ['Add moss', 'Remove moss', 'Add moss', 'Remove moss'])
          await found.getByRole('button', { name }).click();
      }),
    ).toBe(1);
    await found.getByRole('button', { name: 'Add moss' }).waitFor();
    await expect.poll(() => mia.rest.v1.lists.$select(list.id).accounts.list()).toEqual([]);

    await moss.rest.v1.accounts.updateCredentials({ discoverable: true });
    const { collection } = await mia.send<{ collection: { id: string } }>('POST', '/api/v1/collections', {
      name: 'Bog',
    });
    await page.goto(`${server.url}/@moss`);
    await page.getByRole('button', { name: 'More about moss' }).click();
    await page.getByRole('menuitem', { name: 'Add to collections' }).click();
    const box = page.getByRole('checkbox', { name: 'Bog' });
    const itemStates = async (): Promise<string[]> => {
      const path = `/api/v1/collections/${collection.id}`;
      const found = await mia.send<{ collection: { items: { state: string }[] } }>('GET', path);
      return found.collection.items.map(({ state }) => state);
    };
    const clickBox = async (times: number): Promise<void> => {
      for (let clicks = 0; clicks < times; clicks += 1) await box.click();
    };
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
    expect(await sentWhilePressed(/collections\/\d+\/items/, () => clickBox(2))).toBe(1);
    await removed;
    expect(await box.isChecked()).toBe(false);
    await expect.poll(itemStates).toEqual([]);
    expect(await sentWhilePressed(/collections\/\d+\/items/, () => clickBox(3))).toBe(1);
    expect(await box.isChecked()).toBe(true);
    await expect.poll(itemStates).toEqual(['accepted']);

    for (const [path, address, name] of [
      ['/preferences/privacy', /fieldfare\/preferences$/, 'Show which app I post with'],
      ['/preferences/reading', /web\/settings$/, 'Open content warnings'],
    ] as const) {
      await page.goto(`${server.url}${path}`);
      const toggle = page.getByRole('switch', { name });
      const isOn = await toggle.isChecked();
      const press = async (): Promise<void> => {
        for (let presses = 0; presses < 3; presses += 1) await toggle.click();
      };
      const isSaving = (request: Request) => address.test(request.url()) && request.method() !== 'GET';
      const saved = page.waitForResponse((response) => isSaving(response.request()));
      expect(await sentWhilePressed(address, press)).toBe(1);
      expect(await toggle.isChecked()).toBe(!isOn);
      await saved;
      await page.waitForLoadState('networkidle');
      await page.reload();
      expect(await toggle.isChecked()).toBe(!isOn);
    }
  });

  test('after the end of the session, one notice is shown', async () => {
    const [cal, cora] = [await server.createUser('cal'), await server.createUser('cora')];
    await cora.rest.v1.statuses.create({ status: 'Too late to like this' });
    const page = await server.openClient(cal, '/@cora');
    await endSession(page, cal);
    await favourite(page, 'Too late to like this').click();
    await page.getByText('Your session has ended.').waitFor();
    await expect.poll(() => favourite(page, 'Too late to like this').getAttribute('aria-pressed')).toBe('false');
    expect(await page.locator('.toast').count()).toBe(0);
  });

  test('entries of menus with long names have one line', async () => {
    const [dan, dora] = [await server.createUser('dan'), await server.createUser('dora')];
    await dora.rest.v1.accounts.updateCredentials({ displayName: 'Dora, keeper of quite old orchards' });
    await dora.rest.v1.statuses.create({ status: 'Mute me if you can' });
    const page = await server.openClient(dan, '/@dora', { size: 'phone' });
    await page.getByRole('button', { name: /^More about/ }).click();
    const entry = page.getByRole('menuitem', { name: /^Mute/ });
    expect(await entry.innerText()).toBe('Mute Dora, keeper of quite o…');
    const heights = await page
      .getByRole('menuitem')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
    expect(new Set(heights.map(Math.round)).size).toBe(1);
  });

  test('an address that does not exist stays in the client', async () => {
    const eve = await server.createUser('eve');
    const page = await server.openClient(eve, '/no/such/page');
    await page.getByRole('heading', { level: 1, name: 'Nothing found here' }).waitFor();
    await page.locator('#content').getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  test('nothing is behind a transparent image once it is loaded', async () => {
    const fay = await server.createUser('fay');
    const background = { r: 200, g: 30, b: 60, alpha: 0 };
    const png = await sharp({ create: { width: 400, height: 300, channels: 4, background } })
      .png()
      .toBuffer();
    const file = new Blob([new Uint8Array(png)], { type: 'image/png' });
    const { id } = await fay.rest.v2.media.create({ file, description: 'Glass' });
    await fay.rest.v1.statuses.create({ status: 'See through', mediaIds: [id] });
    const page = await server.openClient(fay, '/@fay');
    const post = page.getByRole('article').filter({ hasText: 'See through' });
    await post.getByRole('img', { name: 'Glass' }).waitFor();
    await post.locator('canvas').waitFor({ state: 'detached' });
  });
});
