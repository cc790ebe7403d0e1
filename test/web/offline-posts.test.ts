import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { waitForOfflineCopy } from './offline-copy.ts';
import { describeWithServer, type WebServer, type WebUser } from './web-server.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const pending = (page: Page) => page.getByRole('article', { name: 'Post that waits to be sent' });

async function writePost(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'What is on your mind?' }).click();
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await pending(page).filter({ hasText: text }).waitFor();
}

/** The texts of the posts of a user, oldest first. */
async function listTexts(user: WebUser): Promise<(string | undefined)[]> {
  const { id } = await user.rest.v1.accounts.verifyCredentials();
  const statuses = await user.rest.v1.accounts.$select(id).statuses.list();
  return statuses.map(({ text, content }) => text ?? content.replaceAll(/<[^>]+>/g, '')).toReversed();
}

/** Creates a user who has time to undo a post. */
async function createWithUndo(server: WebServer, name: string): Promise<WebUser> {
  const user = await server.createUser(name);
  await server.sql(`update web_settings set data = '{"hasSeenTour":true}'
    where user_id = (select id from users where email = '${user.email}')`);
  return user;
}

const paint = (color: string) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: color } })
    .png()
    .toBuffer();

/** What the composer has written to this browser, without what is only about requests. */
const storedPosts = (page: Page): Promise<object[]> =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.includes('.composer.'))
      .map(([, text]) => {
        const { posts, visibility, language, quotePolicy, inReplyToId } = JSON.parse(text);
        for (const { media } of posts) for (const file of media) delete file.isChanged;
        return { posts, visibility, language, quotePolicy, inReplyToId };
      }),
  );

/** The addresses to which a page posts statuses, from now on. */
function watchPosts(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && /\/(?:statuses|threads)$/.test(pathname)) sent.push(pathname);
  });
  return sent;
}

const undo = (page: Page) => page.locator('.toast.undo');

const withWorker = { hasServiceWorker: true };

describeWithServer('posts and follows that wait to be sent', (server) => {
  test('posts wait on top of home, and are sent in order, once, by one of two windows', async () => {
    const ada = await server.createUser('ada');
    const page = await server.openClient(ada, '/', withWorker);
    await page.getByText('Your home is quiet').waitFor();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await writePost(page, 'First from the tunnel');
    await writePost(page, 'Second from the tunnel');
    await pending(page).first().getByText('Waiting for a connection').waitFor();
    await expectAccessible(page);

    const other = await page.context().newPage();
    await other.goto(server.url);
    await pending(other).filter({ hasText: 'First from the tunnel' }).waitFor();
    await page.context().setOffline(false);
    await pending(page).last().waitFor({ state: 'detached' });
    await pending(other).last().waitFor({ state: 'detached' });
    expect(await listTexts(ada)).toEqual(['First from the tunnel', 'Second from the tunnel']);
    await page.getByRole('article').filter({ hasText: 'Second from the tunnel' }).first().waitFor();
  });

  test('a post is sent once after its window was closed', async () => {
    const bea = await server.createUser('bea');
    const page = await server.openClient(bea, '/', withWorker);
    await page.getByText('Your home is quiet').waitFor();
    await waitForOfflineCopy(page);
    const context = page.context();
    await context.setOffline(true);
    await writePost(page, 'Closed before it was sent');
    await page.close();
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto(server.url);
    await next.getByRole('article').filter({ hasText: 'Closed before it was sent' }).first().waitFor();
    await pending(next).waitFor({ state: 'detached' });
    expect(await listTexts(bea)).toEqual(['Closed before it was sent']);
  });

  test('a waiting reply is shown in its thread, edited or discarded', async () => {
    const [cara, dan] = [await server.createUser('cara'), await server.createUser('dan')];
    const status = await cara.rest.v1.statuses.create({ status: 'Who is on the train?' });
    const page = await server.openClient(dan, `/@cara/${status.id}`, withWorker);
    await page.getByRole('button', { name: 'Reply to @cara' }).click();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await field(page).fill('@cara I am');
    await field(page).press('Control+Enter');
    await pending(page).filter({ hasText: '@cara I am' }).waitFor();
    await pending(page).getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('@cara I am');
    expect(await pending(page).count()).toBe(0);

    await field(page).fill('@cara I am, in the last car');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await pending(page).filter({ hasText: 'in the last car' }).waitFor();
    await page.context().setOffline(false);
    await pending(page).waitFor({ state: 'detached' });
    const [reply] = await listTexts(dan);
    expect(reply).toBe('@cara I am, in the last car');

    await page.goto(server.url);
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await writePost(page, 'Better not');
    await pending(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await pending(page).waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    expect(await listTexts(dan)).toHaveLength(1);
  });

  test('a refused post is shown with the reason, and returns to the composer', async () => {
    const [eli, fay] = [await server.createUser('eli'), await server.createUser('fay')];
    const status = await eli.rest.v1.statuses.create({ status: 'Soon deleted' });
    const page = await server.openClient(fay, `/@eli/${status.id}`, withWorker);
    await page.getByRole('button', { name: 'Reply to @eli' }).click();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await field(page).fill('@eli A long answer');
    await field(page).press('Control+Enter');
    await pending(page).waitFor();
    await eli.rest.v1.statuses.$select(status.id).remove();
    await page.context().setOffline(false);
    const notice = page.getByRole('region', { name: 'Waiting to be sent' });
    await notice.getByRole('alert').filter({ hasText: 'The server refused this' }).waitFor();
    await notice.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('@eli A long answer');
    await page.getByText('Saved as a draft.').waitFor();
    await page.goto(`${server.url}/drafts`);
    await page.getByText('@eli A long answer').first().waitFor();
    expect(await listTexts(fay)).toEqual([]);
  });

  test('a follow waits with a mark on its button, and is sent or cancelled', async () => {
    const [gil, hal] = [await server.createUser('gil'), await server.createUser('hal')];
    const page = await server.openClient(hal, '/@gil', withWorker);
    const { id } = await gil.rest.v1.accounts.verifyCredentials();
    const follow = page.getByRole('button', { name: 'Follow gil' }).first();
    const waiting = page.getByRole('button', { name: 'Waiting for a connection to follow gil: cancel' }).first();
    await follow.waitFor();
    await waitForOfflineCopy(page);
    await page.context().setOffline(true);
    await follow.click();
    await waiting.click();
    await follow.click();
    await waiting.waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Following gil: options' }).first().waitFor();
    const [relationship] = await hal.rest.v1.accounts.relationships.fetch({ id: [id] });
    expect(relationship?.following).toBe(true);
  });

  test('a post can be undone before anybody sees it, and the composer opens as it was', async () => {
    const ida = await createWithUndo(server, 'ida');
    const page = await server.openClient(ida, '/');
    await page.getByRole('button', { name: 'What is on your mind?' }).click();
    await field(page).fill('A thread with a typpo');
    const image = { name: 'bird.png', mimeType: 'image/png', buffer: await paint('#335577') };
    await page.getByLabel('Choose files').setInputFiles(image);
    await page.getByRole('button', { name: 'Edit bird.png' }).click();
    await page.locator('progress').waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog', { name: 'Add description' });
    await dialog.getByRole('textbox').fill('A blackbird');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Content warning' }).click();
    await page.getByRole('textbox', { name: 'Content warning' }).fill('Birds');
    await page.getByRole('button', { name: 'Add another post to the thread' }).click();
    await page.getByRole('textbox', { name: 'Text of post 2' }).fill('Its second post');
    await page.getByRole('button', { name: /^Visibility/ }).click();
    await page.getByRole('radio', { name: /^Followers only/ }).check();
    await page.keyboard.press('Escape');
    const written = await storedPosts(page);
    const sent = watchPosts(page);
    await page.getByRole('button', { name: 'Post thread' }).click();
    await pending(page).getByText('Sent in a few seconds').waitFor();
    expect(await page.getByRole('region', { name: 'Waiting to be sent' }).count()).toBe(0);
    await expectAccessible(page);
    // Another window shows it, and sends only what others wait for.
    const other = await page.context().newPage();
    const sentByOther = watchPosts(other);
    await other.goto(server.url);
    await pending(other).filter({ hasText: 'A thread with a typpo' }).waitFor();
    await page.bringToFront();

    await undo(page).getByRole('button', { name: 'Undo' }).click();
    const composer = page.getByRole('dialog', { name: 'New post' });
    await composer.getByRole('textbox', { name: 'Text of post 1' }).waitFor();
    expect(await storedPosts(page)).toEqual(written);
    await pending(page).waitFor({ state: 'detached' });
    await pending(other).waitFor({ state: 'detached' });
    expect([sent, sentByOther]).toEqual([[], []]);

    await composer.getByRole('textbox', { name: 'Text of post 1' }).fill('A thread without a typo');
    await composer.getByRole('button', { name: 'Post thread' }).click();
    await undo(page).getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Your post is published.').waitFor();
    await page.getByRole('article').filter({ hasText: 'A blackbird' }).or(page.getByText('Birds')).first().waitFor();
    expect(await listTexts(ida)).toEqual(['A thread without a typo', 'Its second post']);
  });

  test('a post that can still be undone is published once when its page is left, or when its browser crashes', async () => {
    const jo = await createWithUndo(server, 'jo');
    const page = await server.openClient(jo, '/publish', { size: 'phone' });
    await field(page).fill('Left in a hurry');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await pending(page).filter({ hasText: 'Left in a hurry' }).waitFor();
    await expectAccessible(page);
    await undo(page).getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(/\/publish\?redraft=/);
    await expect.poll(() => field(page).inputValue()).toBe('Left in a hurry');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await pending(page).waitFor();
    await page.goto(`${server.url}/about`);
    await expect.poll(() => listTexts(jo)).toEqual(['Left in a hurry']);
    await page.goto(server.url);
    await page.getByRole('article').filter({ hasText: 'Left in a hurry' }).first().waitFor();
    await expect.poll(() => pending(page).count()).toBe(0);

    await page.goto(`${server.url}/publish`);
    await field(page).fill('Lost in a crash');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await pending(page).waitFor();
    const devTools = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    devTools.send('Page.crash').catch(() => undefined);
    await crashed;
    const next = await page.context().newPage();
    await next.goto(server.url);
    await expect.poll(() => listTexts(jo)).toEqual(['Left in a hurry', 'Lost in a crash']);
    await expect.poll(() => pending(next).count()).toBe(0);
  });
});
