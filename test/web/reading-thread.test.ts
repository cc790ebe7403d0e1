import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, type WebUser } from './web-server.ts';

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
      const isAtTop = () =>
        page.locator('.status.main').evaluate((main) => {
          const { top } = main.getBoundingClientRect();
          return top > 0 && top < 120 && scrollY > 100;
        });
      await expect.poll(isAtTop).toBe(true);
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

  test('replies are folded with their count, and stay so after Back; the posts of an author are numbered and read as one text', async () => {
    const [ivan, judy] = [await server.createUser('ivan'), await server.createUser('judy')];
    const first = await post(ivan, 'First of three. '.repeat(30));
    const second = await post(ivan, 'Second of three', first.id);
    const warned = { status: 'Third, behind a warning', spoilerText: 'Birds of prey', inReplyToId: second.id };
    await ivan.rest.v1.statuses.create(warned);
    const reply = await post(judy, '@ivan A question', first.id);
    const answer = await post(ivan, '@judy An answer', reply.id);
    await post(judy, '@ivan Thanks', answer.id);

    const page = await server.openClient(judy, `/@ivan/${first.id}`, { size: 'phone' });
    const replies = page.getByRole('listitem');
    await replies.filter({ hasText: 'Thanks' }).waitFor();
    expect(await page.locator('.status-part').allInnerTexts()).toEqual(['1/3', '2/3', '3/3']);
    expect(await replies.filter({ hasText: 'Thanks' }).getAttribute('aria-level')).toBe('3');

    const question = replies.filter({ hasText: 'A question' });
    await question.getByRole('button', { name: 'Hide 2 replies', expanded: true }).tap();
    await question.getByRole('button', { name: 'Show 2 replies', expanded: false }).waitFor();
    expect(await page.getByText('Thanks').count()).toBe(0);
    await expectAccessible(page);
    const before = await question.evaluate((row) => Math.round(row.getBoundingClientRect().top));
    await question.locator('.status-time').tap();
    await page.locator('.status.main').getByText('A question').waitFor();
    await page.goBack();
    await page.locator('.status.main').getByText('First of three').waitFor({ state: 'attached' });
    await question.getByRole('button', { name: 'Show 2 replies' }).waitFor();
    await expect.poll(() => question.evaluate((row) => Math.round(row.getBoundingClientRect().top))).toBe(before);
    // The keyboard folds and unfolds the focused reply.
    await question.getByRole('article').focus();
    await page.keyboard.press('c');
    await page.getByText('Thanks').waitFor();

    await page.getByRole('link', { name: 'Read as one text' }).tap();
    const text = page.getByRole('article', { name: 'ivan' });
    await text.getByText('Second of three').waitFor();
    await text.getByRole('button', { name: 'Show more' }).tap();
    await text.getByText('Third, behind a warning').waitFor();
    expect(await page.getByText('A question').count()).toBe(0);
    await expectAccessible(page);
  });

  test('replies that came since the last visit are marked, and keys lead from one to the next', async () => {
    const [kim, lena] = [await server.createUser('kim'), await server.createUser('lena')];
    const root = await post(kim, 'Who saw them?');
    for (const number of [1, 2, 3]) await post(lena, `@kim Sighting ${number}`, root.id);
    const page = await server.openClient(kim, `/@kim/${root.id}`);
    const marked = page.locator('.reply.is-new');
    await page.getByText('Sighting 3').waitFor();
    expect(await marked.count()).toBe(0);
    await page.goto('about:blank');
    for (const number of [4, 5]) await post(lena, `@kim Sighting ${number}`, root.id);
    await post(kim, 'And I saw one', root.id);

    await page.goto(`${server.url}/@kim/${root.id}`);
    await page.getByRole('button', { name: '2 new replies' }).waitFor();
    await page.getByText('Sighting 5').waitFor();
    expect(await marked.locator('.status-content').allInnerTexts()).toEqual(['@kim Sighting 4', '@kim Sighting 5']);
    await expectAccessible(page);
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.status-content')?.textContent);
    await page.keyboard.press('.');
    await expect.poll(focused).toBe('@kim Sighting 4');
    await page.keyboard.press('.');
    await expect.poll(focused).toBe('@kim Sighting 5');
    await page.getByRole('button', { name: 'New reply 2 of 2' }).waitFor();
    await page.keyboard.press(',');
    await expect.poll(focused).toBe('@kim Sighting 4');

    await page.getByRole('button', { name: 'Newest reply' }).click();
    await expect.poll(focused).toBe('And I saw one');
    await page.reload();
    await page.getByText('Sighting 5').waitFor();
    expect(await marked.count()).toBe(0);
  });

  test('of a thread with 500 replies only those near the window are rendered, and the newest is one press away', async () => {
    const mona = await server.createUser('mona');
    const root = await post(mona, 'A long thread');
    await post(mona, 'The only real reply', root.id);
    const page = await server.openClient(mona, '/bookmarks', { size: 'phone' });
    await page.route('**/context', async (route) => {
      const response = await route.fetch();
      const context = (await response.json()) as { descendants: { id: string }[] };
      const [real] = context.descendants;
      const descendants = Array.from({ length: 500 }, (_, index) => ({
        ...real,
        id: String(BigInt(real?.id ?? 0) + BigInt(index)),
        content: `<p>Reply number ${index + 1}</p>`,
      }));
      await route.fulfill({ response, json: { ...context, descendants } });
    });
    await followLink(page, `/@mona/${root.id}`);
    await page.getByText('Reply number 1', { exact: true }).waitFor();
    const rows = page.getByRole('listitem');
    expect(await rows.count()).toBeLessThan(30);
    expect(await rows.first().getAttribute('aria-setsize')).toBe('500');
    await page.getByRole('button', { name: 'Newest reply' }).tap();
    const last = rows.filter({ hasText: 'Reply number 500' });
    await last.waitFor();
    await expect.poll(() => last.getByRole('article').evaluate((post) => document.activeElement === post)).toBe(true);
    expect(await rows.count()).toBeLessThan(30);
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
    await page.getByText('This post was deleted').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.status.main').getByText('Who is there?').waitFor();
    await page.locator('.status.main').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByText('This post was deleted').waitFor();
    // The step back of the menu would cancel the way to another page.
    await page.waitForFunction('!history.state?.layers');
    // Leaving the page makes the deletion final.
    await page.goto(`${server.url}/explore`);
    await expect
      .poll(() =>
        carol.rest.v1.statuses
          .$select(root.id)
          .fetch()
          .then(
            () => true,
            () => false,
          ),
      )
      .toBe(false);
  });

  test("Mastodon's shortcuts move between posts, act on them and open pages", async () => {
    const [erin, frank] = [await server.createUser('erin'), await server.createUser('frank')];
    await frank.rest.v1.accounts.$select(await idOf(erin)).follow();
    for (const text of ['The oldest', 'The middle one', 'The newest']) await post(erin, text);
    const page = await server.openClient(frank);
    await page.getByText('The newest').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.status-content')?.textContent);

    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect.poll(focused).toBe('The middle one');
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
