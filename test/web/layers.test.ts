import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { swipe } from './swipe.ts';
import { describeWithServer, followLink, type WebUser } from './web-server.ts';

type Size = 'phone' | 'desktop';

/** A kind of layer: opens one on the page of a thread, and finds it. */
interface Kind {
  readonly open: (page: Page) => Promise<void>;
  readonly selector: string;
  /** The window that has it; both if not set. */
  readonly size?: Size;
}

const post = (page: Page) => page.locator('article.status.main');

const choose = async (page: Page, name: string): Promise<void> => {
  await post(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

const kinds: Readonly<Record<string, Kind>> = {
  'the viewer': {
    open: (page) => post(page).getByRole('button', { name: 'A blue bird' }).click(),
    selector: 'dialog.viewer[open]',
  },
  'a dialog': {
    open: (page) => post(page).getByRole('button', { name: 'ALT' }).click(),
    selector: 'dialog.dialog[open]',
  },
  'a question that a menu opens': {
    open: (page) => choose(page, 'Delete and redraft'),
    selector: 'dialog.small[open]',
  },
  'a dialog that is loaded first': {
    open: (page) => choose(page, 'React with an emoji'),
    selector: 'dialog.dialog[open]',
  },
  'the menu of a post': {
    open: (page) => post(page).getByRole('button', { name: 'More actions' }).click(),
    selector: '.menu:popover-open',
  },
  'the menu of the bar': {
    open: (page) => page.locator('.bottom-bar').getByRole('button', { name: 'More' }).click(),
    selector: '.menu:popover-open',
    size: 'phone',
  },
  'the menu of accounts': {
    open: (page) => page.locator('.navigation .me').click(),
    selector: '.menu:popover-open',
    size: 'desktop',
  },
  'the composer': {
    open: (page) => page.locator('.navigation .publish').click(),
    selector: 'dialog.dialog[open] .composer',
    size: 'desktop',
  },
  'the help for shortcuts': {
    open: (page) => page.keyboard.press('?'),
    selector: 'dialog.wide[open]',
    size: 'desktop',
  },
};

const kindsOn = (size: Size): string[] => Object.keys(kinds).filter((name) => (kinds[name]?.size ?? size) === size);

describeWithServer('layers above the page', (server) => {
  let alice: WebUser;
  let thread = '';
  beforeAll(async () => {
    alice = await server.createUser('alice', 'owner');
    const content = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#335577' } })
      .png()
      .toBuffer();
    const file = new Blob([new Uint8Array(content)], { type: 'image/png' });
    const media = await alice.rest.v2.media.create({ file, description: 'A blue bird' });
    const { id } = await alice.rest.v1.statuses.create({ status: 'Seen at the lake', mediaIds: [media.id] });
    thread = `/@alice/${id}`;
    for (let number = 1; number <= 12; number += 1)
      await alice.rest.v1.statuses.create({ status: `Reply ${number}`, inReplyToId: id });
  });

  const pathOf = (page: Page): string => new URL(page.url()).pathname;
  const expectPath = (page: Page, path: string, message = '') =>
    expect.poll(() => pathOf(page), { message }).toBe(path);
  const openLayers = (page: Page): Promise<number> => page.locator('dialog[open], :popover-open').count();
  const entryOf = (page: Page): Promise<unknown> => page.evaluate('history.state?.layers ?? 0');
  /** Waits until the history and what is shown agree: so many layers are open. */
  const expectLayers = async (page: Page, count: number, message = ''): Promise<void> => {
    await expect.poll(async () => [await openLayers(page), await entryOf(page)], { message }).toEqual([count, count]);
  };

  /** Opens the thread from the bookmarks, so that there is a page to go back to. */
  async function openThread(size: Size): Promise<Page> {
    const page = await server.openClient(alice, '/bookmarks', { size });
    await followLink(page, thread);
    await post(page).getByRole('button', { name: 'A blue bird' }).waitFor();
    await page.getByText('Reply 1', { exact: true }).waitFor();
    return page;
  }

  async function openLayer(page: Page, name: string): Promise<Kind> {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(`no layer: ${name}`);
    await kind.open(page);
    await page.locator(kind.selector).waitFor();
    await expectLayers(page, 1, name);
    return kind;
  }

  test.each(['phone', 'desktop'] as const)('back closes each layer and nothing else, on the %s', async (size) => {
    const page = await openThread(size);
    for (const name of kindsOn(size)) {
      await openLayer(page, name);
      await page.goBack();
      await expectLayers(page, 0, name);
      expect(pathOf(page), name).toBe(thread);
      await post(page).waitFor();
      // Forward does not bring back what was closed, and does not leave an entry that goes nowhere.
      await page.goForward();
      await expectLayers(page, 0, name);
      expect(pathOf(page), name).toBe(thread);
      await page.goBack();
      await expectPath(page, '/bookmarks', name);
      await page.goForward();
      await expectPath(page, thread, name);
      await post(page).waitFor();
      await expectLayers(page, 0, name);
    }
  });

  test.each(['phone', 'desktop'] as const)(
    'Escape closes each layer with its entry in the history, on the %s',
    async (size) => {
      const page = await openThread(size);
      for (const name of kindsOn(size)) {
        const kind = await openLayer(page, name);
        await page.keyboard.press('Escape');
        await page.locator(kind.selector).waitFor({ state: 'hidden' });
        await expectLayers(page, 0, name);
        await page.goBack();
        await expectPath(page, '/bookmarks', name);
        await page.goForward();
        await post(page).waitFor();
      }
    },
  );

  test.each(['phone', 'desktop'] as const)(
    'a click beside a layer closes it with its entry, on the %s',
    async (size) => {
      const page = await openThread(size);
      for (const name of ['a dialog', 'the menu of a post']) {
        await openLayer(page, name);
        await page.mouse.click(5, 300);
        await expectLayers(page, 0);
      }
      await openLayer(page, 'the viewer');
      await page.locator('dialog.viewer').getByRole('button', { name: 'Close' }).click();
      await expectLayers(page, 0);
      expect(pathOf(page)).toBe(thread);
      await page.goBack();
      await expectPath(page, '/bookmarks');
    },
  );

  test('back closes layers above others one by one, and the composer keeps its text', async () => {
    const page = await openThread('desktop');
    await openLayer(page, 'the composer');
    const field = page.locator('dialog .composer textarea').first();
    await field.fill('Half a thought');
    await page.getByRole('button', { name: 'Add an emoji' }).click();
    await expectLayers(page, 2);
    await page.goBack();
    await expectLayers(page, 1);
    expect(await field.inputValue()).toBe('Half a thought');
    for (const name of [/Visibility/, /Language/]) {
      await page.locator('dialog .composer-chips').getByRole('button', { name }).click();
      await expectLayers(page, 2);
      await page.goBack();
      await expectLayers(page, 1);
    }
    await page.goBack();
    await expectLayers(page, 0);
    expect(pathOf(page)).toBe(thread);
    await openLayer(page, 'the composer');
    await expect.poll(() => field.inputValue()).toBe('Half a thought');
    // Two layers close at once: the question, and the composer below it.
    await page.getByRole('button', { name: 'Discard' }).click();
    await expectLayers(page, 2);
    await page.locator('dialog.small').getByRole('button', { name: 'Discard' }).click();
    await expectLayers(page, 0);
    await page.goBack();
    await expectPath(page, '/bookmarks');
  });

  test('on a phone, back leaves the composer and keeps its text', async () => {
    const page = await openThread('phone');
    await page.locator('.bottom-bar').getByRole('link', { name: 'New post' }).click();
    const field = page.locator('.composer textarea').first();
    await field.fill('On the way');
    await page.getByRole('button', { name: 'Add an emoji' }).click();
    await expectLayers(page, 1);
    await page.goBack();
    await expectLayers(page, 0);
    expect(pathOf(page)).toBe('/publish');
    await page.goBack();
    await expectPath(page, thread);
    await page.goForward();
    await expect.poll(() => field.inputValue()).toBe('On the way');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('dialog.small').getByRole('button', { name: 'Discard' }).click();
    await expectPath(page, '/');
    await page.goBack();
    await expectPath(page, thread);
  });

  test('a link in a layer closes it: back leads from the new page to the one below, forward there again', async () => {
    const page = await openThread('phone');
    await post(page).getByRole('button', { name: 'More actions' }).click();
    await expectLayers(page, 1);
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await expectPath(page, '/publish');
    await expectLayers(page, 0);
    await page.goBack();
    await expectPath(page, thread);
    await expectLayers(page, 0);
    await page.goForward();
    await expectPath(page, '/publish');
    await page.goBack();
    await page.goBack();
    await expectPath(page, '/bookmarks');
  });

  test('a link in a layer to a page of the server leaves no entry of the layer', async () => {
    const page = await openThread('desktop');
    await openLayer(page, 'the menu of accounts');
    await page.getByRole('menuitem', { name: 'Add an account' }).click();
    await page.waitForURL(/auth\/sign_in/);
    await page.goBack();
    await post(page).waitFor();
    await expectLayers(page, 0);
    await page.goBack();
    await expectPath(page, '/bookmarks');
  });

  test('a click in the page beside a menu follows its link, and back leads to the page without the menu', async () => {
    const page = await openThread('desktop');
    await openLayer(page, 'the menu of a post');
    await page.locator('.navigation').getByRole('link', { name: 'Home', exact: true }).click();
    await expectPath(page, '/');
    await page.goBack();
    await expectPath(page, thread);
    await expectLayers(page, 0);
    await openLayer(page, 'the menu of a post');
    await page.locator('.page-header').getByRole('button', { name: 'Back' }).click();
    await expectPath(page, '/bookmarks');
  });

  test.each(['the composer', 'the menu of a post', 'the viewer'])(
    'a window that is reloaded below %s shows the page, and one step back leaves it',
    async (name) => {
      const page = await openThread('desktop');
      await openLayer(page, name);
      await page.reload();
      await post(page).waitFor();
      await expectLayers(page, 0);
      expect(pathOf(page)).toBe(thread);
      await page.goBack();
      await expectPath(page, '/bookmarks');
    },
  );

  test.each(['phone', 'desktop'] as const)('the page does not scroll below a layer, on the %s', async (size) => {
    const page = await openThread(size);
    const scrollTop = () => page.evaluate(() => Math.round(scrollY));
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, 120);
    await expect.poll(scrollTop).toBe(120);
    const width = await page.evaluate(() => document.querySelector('#content')?.getBoundingClientRect().width);
    for (const name of ['a dialog', 'the menu of a post', 'the viewer']) {
      await openLayer(page, name);
      await page.mouse.move(8, 500);
      await page.mouse.wheel(0, 400);
      await page.keyboard.press('PageDown');
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await scrollTop()).toBe(120);
      expect(await page.evaluate(() => document.querySelector('#content')?.getBoundingClientRect().width)).toBe(width);
      await page.goBack();
      await expectLayers(page, 0);
      await expect.poll(scrollTop).toBe(120);
    }
    await page.mouse.wheel(0, 200);
    await expect.poll(scrollTop).toBeGreaterThan(200);
  });

  test('a layer that asks before it closes stays open, and back closes it afterwards', async () => {
    const page = await server.openClient(alice, '/bookmarks');
    await page.goto(`${server.url}/moderation/emojis`);
    await page.getByRole('button', { name: 'Add emojis' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add emojis' }).first();
    const buffer = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#335577' } })
      .png()
      .toBuffer();
    await dialog.getByLabel('Images').setInputFiles([{ name: 'wren.png', mimeType: 'image/png', buffer }]);
    const question = page.locator('dialog.small');
    await page.goBack();
    await question.waitFor();
    await expectLayers(page, 2);
    // Chromium closes a dialog by itself when it was refused once; it is shown again.
    for (let turn = 0; turn < 2; turn += 1) {
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await expectLayers(page, 1);
      await page.keyboard.press('Escape');
      await question.waitFor();
      await expectLayers(page, 2);
    }
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await expectLayers(page, 1);
    await page.goBack();
    await question.locator('.button.danger').click();
    await expectLayers(page, 0);
    expect(pathOf(page)).toBe('/moderation/emojis');
  });

  test('the focus returns to what opened the layer', async () => {
    const page = await openThread('desktop');
    for (const name of ['a dialog', 'the menu of a post', 'the viewer']) {
      await openLayer(page, name);
      await page.goBack();
      await expectLayers(page, 0);
      const isInPost = () => page.evaluate(() => document.activeElement?.closest('article.main') != null);
      await expect.poll(isInPost).toBe(true);
    }
  });

  test('on a phone, menus and dialogs are at the lower edge and are swiped away', async () => {
    const page = await openThread('phone');
    for (const name of ['the menu of a post', 'the menu of the bar', 'a dialog', 'a question that a menu opens']) {
      const { selector } = await openLayer(page, name);
      const box = async () => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
        return { x, top: y, width, bottom: y + height };
      };
      // Without the space of the scrollbar.
      const width = await page.evaluate('document.body.getBoundingClientRect().width');
      await expect.poll(box, { message: name }).toMatchObject({ x: 0, width, bottom: 844 });
      const { top } = await box();
      // A short pull changes nothing.
      await swipe(page, { x: 200, y: top + 10 }, { x: 200, y: top + 35 });
      await expect.poll(box, { message: name }).toMatchObject({ top });
      await expectLayers(page, 1, name);
      await swipe(page, { x: 200, y: top + 10 }, { x: 200, y: top + 140 });
      await expectLayers(page, 0, name);
    }
    await openLayer(page, 'the menu of a post');
    for (const item of await page.getByRole('menuitem').all())
      expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(48);
  });
});
