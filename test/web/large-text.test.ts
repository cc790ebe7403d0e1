import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

const latin = 'Bruno, keeper of the very long orchards';
const arabic = 'كلارا المصورة الفوتوغرافية من المدينة';

describeWithServer('long names and large text', (server) => {
  let wilma: WebUser;
  let thread = '';
  beforeAll(async () => {
    wilma = await server.createUser('wilma');
    const { id: wilmaId } = await wilma.rest.v1.accounts.verifyCredentials();
    const post = await wilma.rest.v1.statuses.create({ status: 'Seen at the lake' });
    thread = `/@wilma/${post.id}`;
    for (const [username, displayName] of [
      ['bruno', latin],
      ['clara', arabic],
      ['dora', 'Dora'],
    ] as const) {
      const user = await server.createUser(username);
      await user.rest.v1.accounts.updateCredentials({ displayName });
      const { id } = await user.rest.v1.accounts.verifyCredentials();
      await wilma.rest.v1.accounts.$select(id).follow();
      await user.rest.v1.accounts.$select(wilmaId).follow();
      await user.rest.v1.statuses.$select(post.id).favourite();
      await user.rest.v1.statuses.create({ status: `@wilma Greetings of ${username}`, visibility: 'direct' });
    }
  });
  afterEach(async () => {
    await wilma.send('PATCH', '/api/v1/fieldfare/preferences', { locale: 'en' });
    await server.closeWindows();
  });

  const enlarge = (page: Page): Promise<unknown> => page.evaluate("document.documentElement.style.fontSize = '200%'");

  /** Whether the first letters of a name that is too long are visible, and where it begins. */
  const startOf = (name: Locator) =>
    name.evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) throw new Error('no name');
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 2);
      const [first, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return {
        isCut: element.scrollWidth > element.clientWidth,
        isVisible: first.left >= box.left - 1 && first.right <= box.right + 1,
      };
    });
  const nameIn = (page: Page, container: string, name: string): Locator =>
    page.locator(container).filter({ hasText: name }).first();

  test.each(['en', 'ar'])('names in both directions are cut at their own end: %s', async (language) => {
    await wilma.send('PATCH', '/api/v1/fieldfare/preferences', { locale: language });
    const page = await server.openClient(wilma, '/conversations', { size: 'phone' });
    await enlarge(page);
    for (const name of [latin, arabic]) {
      await nameIn(page, '.conversation-head > .one-line', name).waitFor();
      expect(await startOf(nameIn(page, '.conversation-head > .one-line', name))).toEqual({
        isCut: true,
        isVisible: true,
      });
    }
    for (const [path, container, names] of [
      ['/', '.status-author bdi', [latin, arabic]],
      ['/@wilma/followers', '.account-row-name bdi', [latin, arabic]],
      ['/@bruno', '.page-header h1 bdi', [latin]],
      ['/@clara', '.page-header h1 bdi', [arabic]],
    ] as const) {
      await page.goto(server.url + path);
      await page.locator(container).first().waitFor();
      await enlarge(page);
      for (const name of names) {
        await nameIn(page, container, name).waitFor();
        expect([path, name, await startOf(nameIn(page, container, name))]).toEqual([
          path,
          name,
          { isCut: true, isVisible: true },
        ]);
      }
    }
  });

  test('private mentions stay inside the window', async () => {
    const page = await server.openClient(wilma, '/conversations', { size: 'phone' });
    await page.locator('.conversation').first().waitFor();
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size);
      const rows = await page.locator('.conversation').evaluateAll((all) =>
        all.map((row) => {
          const ends = [
            ...row.querySelectorAll('.conversation-text, .conversation-head > *, .conversation-post, time'),
          ];
          const right = Math.max(...ends.map((element) => element.getBoundingClientRect().right));
          return right <= (row.querySelector('[aria-haspopup=menu]')?.getBoundingClientRect().left ?? 0) + 1;
        }),
      );
      expect(rows).toEqual([true, true, true]);
    }
    await expectAccessible(page);
  });

  test('what happened is as wide as the phone with text twice as large', async () => {
    const page = await server.openClient(wilma, '/notifications', { size: 'phone' });
    await page.locator('.notification-text').first().waitFor();
    const widths = () =>
      page.locator('.notification-text').evaluateAll((all) =>
        all.map((text) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          const rects = [...range.getClientRects()];
          const [left, right] = [Math.min(...rects.map((one) => one.left)), Math.max(...rects.map((one) => one.right))];
          return (right - left) / document.documentElement.clientWidth;
        }),
      );
    await enlarge(page);
    for (const width of await widths()) expect(width).toBeGreaterThan(0.5);
    await page.goto(server.url);
    await page.locator('.status').first().waitFor();
    await enlarge(page);
    const name = await page.locator('.status-author').first().boundingBox();
    expect(name?.width).toBeGreaterThan(220);
    // All actions are in one row.
    const tops = await page
      .locator('.status')
      .first()
      .locator('.status-actions > *:visible')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
  });

  test('a number and its word keep their distance in Arabic', async () => {
    await wilma.send('PATCH', '/api/v1/fieldfare/preferences', { locale: 'ar' });
    const page = await server.openClient(wilma, thread, { size: 'phone' });
    const counts = page.locator('.status-counts a');
    await counts.first().waitFor();
    // The word is on the left of the number.
    const gap = await counts.first().evaluate((link) => {
      const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
      const letters: { readonly letter: string; readonly box: DOMRect }[] = [];
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode())
        for (const [at, letter] of [...(text.textContent ?? '')].entries()) {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          letters.push({ letter, box: range.getBoundingClientRect() });
        }
      const digit = letters.find(({ letter }) => /\p{N}/u.test(letter));
      const word = letters.find(({ letter }) => /\p{L}/u.test(letter));
      return (digit?.box.left ?? 0) - (word?.box.right ?? 0);
    });
    expect(gap).toBeGreaterThan(2);
  });

  test('the line where the reader left off and the way there move nothing', async () => {
    const { id } = await wilma.rest.v1.accounts.verifyCredentials();
    for (const size of ['phone', 'desktop'] as const) {
      // One for each window: what is read in one moves the marker.
      const bruno = await server.createUser(`reader_${size}`);
      await bruno.rest.v1.accounts.$select(id).follow();
      const first = await wilma.rest.v1.statuses.create({ status: 'Read yesterday' });
      for (let number = 1; number <= 8; number += 1) await wilma.rest.v1.statuses.create({ status: `New ${number}` });
      await bruno.rest.v1.markers.create({ home: { lastReadId: first.id } });
      const page = await server.openClient(bruno, '/', { size });
      const offer = page.getByRole('button', { name: 'Continue where you left off' });
      await offer.waitFor();
      const [box, header] = [await offer.boundingBox(), await page.locator('.page-header').boundingBox()];
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
      const line = page.getByRole('article', { name: 'You left off here · 8 new posts above' });
      await line.waitFor();
      const [above, below] = await page.evaluate(() => {
        const cards = [...document.querySelectorAll('.status')];
        const read = cards.findIndex((one) => one.querySelector('.status-content')?.textContent === 'Read yesterday');
        return [cards[read - 1]?.getBoundingClientRect().bottom, cards[read]?.getBoundingClientRect().top];
      });
      expect(above).toBeCloseTo(below ?? 0, 0);
      await offer.click();
      await offer.waitFor({ state: 'detached' });
      expect((await page.locator('.page-header').boundingBox())?.height).toBe(header?.height);
    }
  });

  test('code that is wider than the post scrolls by the keyboard', async () => {
    const coder = await server.createUser('coder');
    await coder.send('POST', '/api/v1/statuses', {
      status: `Look:\n\n\`\`\`\n${'const wide = 1; '.repeat(20)}\n\`\`\``,
      content_type: 'text/markdown',
    });
    const page = await server.openClient(coder, '/@coder', { size: 'phone' });
    const code = page.locator('.status-content pre');
    await code.waitFor();
    expect(await code.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    await code.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => code.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await expectAccessible(page);
  });
});
