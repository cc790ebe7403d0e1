import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, type WebUser } from './web-server.ts';

describeWithServer('the client in Arabic', (server) => {
  let reader: WebUser;
  let author: WebUser;

  const openInArabic = async (path: string): Promise<Page> => {
    if (reader === undefined) {
      reader = await server.createUser('merle', 'owner');
      author = await server.createUser('wren');
      await author.rest.v1.accounts.updateCredentials({ displayName: 'سلمى' });
      const { id } = await author.rest.v1.accounts.verifyCredentials();
      await reader.rest.v1.accounts.$select(id).follow();
      await author.rest.v1.statuses.create({ status: '@merle ما رأيك في هذا الطائر؟' });
      await reader.send('PATCH', '/api/v1/fieldfare/preferences', { locale: 'ar' });
    }
    return server.openClient(reader, path, { size: 'phone' });
  };

  test('home runs from right to left, and its arrows and handles too', async () => {
    const page = await openInArabic('/home');
    const post = page.locator('article.status').first();
    await post.waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir].join()')).toBe('ar,rtl');
    const reply = post.getByRole('link', { name: 'رد', exact: true });
    expect(await reply.locator('svg').evaluate((icon) => getComputedStyle(icon).transform)).toContain('matrix(-1');
    // The handle begins below the name, and its sign comes before its letters.
    const name = await endsOf(page, '.status-author strong');
    const handle = await endsOf(page, '.status-author .soft');
    expect(Math.abs(name.right - handle.right)).toBeLessThan(2);
    expect(handle.first).toBeLessThan(handle.last);
    // A mention at the start does not turn an Arabic text around.
    expect(await post.locator('.status-content').evaluate((content) => getComputedStyle(content).direction)).toBe(
      'rtl',
    );
    await expectAccessible(page);
  });

  test('a private mention is shown in the direction of its text', async () => {
    const page = await openInArabic('/home');
    await author.rest.v1.statuses.create({ status: '@merle رسالة خاصة', visibility: 'direct' });
    await followLink(page, '/conversations');
    const preview = page.locator('.conversation-post');
    expect(await preview.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await preview.textContent()).toBe('@merle رسالة خاصة');
  });

  test('a reply in another direction begins below the name of its author', async () => {
    const page = await openInArabic('/home');
    const { id } = await author.rest.v1.statuses.create({ status: 'سُمنة الحقول' });
    await author.rest.v1.statuses.create({ status: 'Turdus pilaris', inReplyToId: id });
    await followLink(page, `/@wren/${id}`);
    const reply = page.locator('.reply');
    const content = await reply.locator('.status-content').evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      return { right, direction: getComputedStyle(element).direction };
    });
    expect(content.direction).toBe('ltr');
    expect(Math.abs((await endsOf(page, '.reply .status-author strong')).right - content.right)).toBeLessThan(2);
  });

  test('an empty text begins on the right, as does the text that explains the field', async () => {
    const page = await openInArabic('/publish');
    const field = page.locator('.composer textarea').first();
    const direction = () => field.evaluate((element) => getComputedStyle(element).direction);
    await expect.poll(direction).toBe('rtl');
    await field.fill('A fieldfare');
    await expect.poll(direction).toBe('ltr');
    await field.fill('طائر');
    await expect.poll(direction).toBe('rtl');
  });

  test('every kind of page fits the phone', async () => {
    const page = await openInArabic('/home');
    for (const path of [
      '/home',
      '/publish',
      '/preferences',
      '/notifications',
      '/explore',
      '/@wren',
      '/moderation/accounts',
    ]) {
      await followLink(page, path);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow), path).toBeLessThanOrEqual(0);
    }
  });
});

interface Ends {
  /** Where the text ends on the right. */
  readonly right: number;
  /** Where its first and its last character are. */
  readonly first: number;
  readonly last: number;
}

/** Measures the text of an element, in pixels from the left of the window. */
function endsOf(page: Page, selector: string): Promise<Ends> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const characters: DOMRect[] = [];
      while (walker.nextNode() !== null) {
        const { currentNode: node } = walker;
        for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          characters.push(range.getBoundingClientRect());
        }
      }
      return {
        right: Math.max(...characters.map(({ right }) => right)),
        first: characters[0]?.left ?? 0,
        last: characters.at(-1)?.left ?? 0,
      };
    });
}
