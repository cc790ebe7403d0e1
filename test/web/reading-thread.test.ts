import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;
const post = (user: WebUser, status: string, inReplyToId?: string) =>
  user.rest.v1.statuses.create({ status, ...(inReplyToId !== undefined && { inReplyToId }) });

describeWithServer('reading threads', (server) => {
  test('a thread opens at the post, with what it answers above and its replies below', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    const root = await post(alice, 'How it began. '.repeat(20));
    const middle = await post(bob, '@alice The post in the middle', root.id);
    const reply = await post(alice, '@bob An answer', middle.id);
    await post(bob, '@alice An answer to the answer', reply.id);

    for (const size of ['phone', 'desktop'] as const) {
      const page = await server.openClient(alice, `/@bob/${middle.id}`, { size });
      await page.getByText('An answer to the answer').waitFor();
      const top = await page.locator('.status.main').evaluate((main) => main.getBoundingClientRect().top);
      expect(top).toBeGreaterThan(0);
      expect(top).toBeLessThan(120);
      expect(await page.evaluate('scrollY')).toBeGreaterThan(100);
      const texts = await page.locator('article .status-content').allInnerTexts();
      expect(
        texts.map((text) =>
          text
            .replace(/^@\w+ /, '')
            .slice(0, 20)
            .trim(),
        ),
      ).toEqual(['How it began. How it', 'The post in the midd', 'An answer', 'An answer to the ans']);
      await expectAccessible(page);
      await server.closeWindows();
    }
  });

  test('a reply from another account appears live, and a deleted post is said to be gone', async () => {
    const [carol, dave] = [await server.createUser('carol'), await server.createUser('dave')];
    const root = await post(carol, 'Who is there?');
    const page = await server.openClient(carol, `/@carol/${root.id}`);
    await page.getByText('No replies yet').waitFor();
    await post(dave, '@carol Me, live', root.id);
    await page.getByText('Me, live').waitFor();

    await page.locator('.status.main').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('This post was deleted').waitFor();
    await expect(carol.rest.v1.statuses.$select(root.id).fetch()).rejects.toThrow();
  });

  test("Mastodon's shortcuts move between posts, act on them and open pages", async () => {
    const [erin, frank] = [await server.createUser('erin'), await server.createUser('frank')];
    await frank.rest.v1.accounts.$select(await idOf(erin)).follow();
    for (const text of ['The oldest', 'The middle one', 'The newest']) await post(erin, text);
    const page = await server.openClient(frank);
    await page.getByText('The newest').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.status-content')?.textContent);

    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    expect(await focused()).toBe('The middle one');
    await page.keyboard.press('f');
    const middle = page.getByRole('article').filter({ hasText: 'The middle one' });
    await middle.getByRole('button', { name: 'Favourite', pressed: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor();
    await page.locator('.status.main').getByText('The middle one').waitFor();

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Next or previous post').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('heading', { name: 'Live feeds' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.status.main').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByText('The newest').waitFor();
  });

  test('a click beside the controls of a post opens it, and a favourite that the server refuses is undone with a message', async () => {
    const [grace, heidi] = [await server.createUser('grace'), await server.createUser('heidi')];
    await heidi.rest.v1.accounts.$select(await idOf(grace)).follow();
    await post(grace, 'Click me');
    const page = await server.openClient(heidi, '/', { size: 'phone' });
    await page.getByText('Click me').waitFor();
    await page.route('**/favourite', (route) =>
      route.fulfill({ status: 422, contentType: 'application/json', body: '{"error":"Not this one"}' }),
    );
    await page.getByRole('button', { name: 'Favourite' }).click();
    await page.getByText('Not this one').waitFor();
    await page.getByRole('button', { name: 'Favourite', pressed: false }).waitFor();
    await page.unroute('**/favourite');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Favourite', pressed: true }).waitFor();
    await page.getByText('Click me').click();
    await page.locator('.status.main').getByText('Click me').waitFor();
    await page.getByRole('link', { name: '1 favourite' }).click();
    await page.getByRole('heading', { name: 'Favourited by' }).waitFor();
    await page.locator('#content').getByText('@heidi').waitFor();
    await expectAccessible(page);
  });
});
