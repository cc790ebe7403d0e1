import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, endSession, fillSignIn, type WebServer, type WebUser } from './web-server.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true });
const paint = (color: string) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: color } })
    .png()
    .toBuffer();

async function listOwn(user: WebUser) {
  const { id } = await user.rest.v1.accounts.verifyCredentials();
  return user.rest.v1.accounts.$select(id).statuses.list();
}

const picture = process.env['SCREENSHOTS'];
async function look(page: Page, name: string): Promise<void> {
  if (picture !== undefined) await page.screenshot({ path: join(picture, `${name}.png`) });
}

describeWithServer('composing', (server: WebServer) => {
  test('a post with an image and its description appears on top of home', async () => {
    const alice = await server.createUser('alice');
    const page = await server.openClient(alice);
    await page.getByRole('button', { name: 'What is on your mind?' }).click();
    await field(page).fill('A blackbird on the roof');
    const image = { name: 'bird.png', mimeType: 'image/png', buffer: await paint('#335577') };
    await page.getByLabel('Choose files').setInputFiles(image);
    await page.getByRole('button', { name: 'Edit bird.png' }).waitFor();
    await page.locator('progress').waitFor({ state: 'detached' });

    await postButton(page).click();
    await page.getByRole('dialog', { name: 'Post without a description?' }).waitFor();
    await page.getByRole('button', { name: 'Add description' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add description' });
    await dialog.getByRole('textbox').fill('A blackbird that sings');
    await dialog.getByRole('button', { name: /Focal point: 50 %/ }).press('ArrowRight');
    await dialog.getByRole('button', { name: /Focal point: 55 %/ }).waitFor();
    await look(page, 'describe');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit A blackbird that sings' }).click();
    await page.getByRole('dialog', { name: 'Edit description' }).getByRole('button', { name: 'Cancel' }).click();
    await look(page, 'home-composer');
    await expectAccessible(page);
    await postButton(page).click();

    await page.locator('article', { hasText: 'A blackbird on the roof' }).waitFor();
    const [status] = await listOwn(alice);
    expect(status?.mediaAttachments[0]?.description).toBe('A blackbird that sings');
    expect(status?.mediaAttachments[0]?.meta?.focus).toMatchObject({ x: 0.1, y: 0 });
    const copies = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.composer.')));
    await expect.poll(copies).toEqual([]);
  });

  test('a post that stays on this server is marked, and so is a reply to it', async () => {
    const lena = await server.createUser('lena');
    const page = await server.openClient(lena, '/publish', { size: 'phone' });
    await field(page).fill('Only for us');
    await page.getByRole('button', { name: /^Visibility: / }).click();
    await page.getByRole('checkbox', { name: /Only on this server/ }).check();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Visibility: Public · Only on this server' }).waitFor();
    await postButton(page).click();
    const posted = page.locator('article', { hasText: 'Only for us' });
    await posted.getByLabel('Only on this server').waitFor();
    await expect.poll(async () => (await listOwn(lena))[0]).toMatchObject({ visibility: 'public', localOnly: true });
    await posted.getByRole('link', { name: /Reply/ }).click();
    await page.getByRole('button', { name: 'Visibility: Public · Only on this server' }).click();
    expect(await page.getByRole('checkbox', { name: /Only on this server/ }).isDisabled()).toBe(true);
  });

  test('what was typed is there after the tab was closed, and in the drafts', async () => {
    const ben = await server.createUser('ben');
    const page = await server.openClient(ben, '/publish', { size: 'phone' });
    await field(page).fill('Half');
    await page.getByText('Saved as a draft.').waitFor();
    await field(page).fill('Half a thought');
    await look(page, 'publish-phone');
    await expectAccessible(page);
    const again = await page.context().newPage();
    await page.close();

    await again.goto(`${server.url}/publish`);
    await expect.poll(() => field(again).inputValue()).toBe('Half a thought');
    await field(again).fill('Half a thought, and more');
    await again.getByText('Saved as a draft.').waitFor();
    await again.goto(`${server.url}/drafts`);
    await again.getByText('Half a thought, and more').waitFor();
    await look(again, 'drafts');
    await expectAccessible(again);
    await again.getByRole('link', { name: 'Continue' }).click();
    await expect.poll(() => field(again).inputValue()).toBe('Half a thought, and more');
    const deleted = again.waitForResponse((response) => response.request().method() === 'DELETE');
    await postButton(again).click();
    await expect.poll(async () => (await listOwn(ben))[0]?.content).toBe('<p>Half a thought, and more</p>');
    expect(new URL((await deleted).url()).pathname).toMatch(/^\/api\/v1\/fieldfare\/drafts\/\d+$/);
    await again.goto(`${server.url}/drafts`);
    await again.getByText('No drafts').waitFor();
  });

  test('a tab that is closed while it stores its draft leaves one draft, and the next one goes on with it', async () => {
    const otto = await server.createUser('otto');
    const drafts = async () => {
      const found = await otto.send<{ posts: { text: string }[] }[]>('GET', '/api/v1/fieldfare/drafts');
      return found.map(({ posts }) => posts.map(({ text }) => text));
    };
    let page = await server.openClient(otto, '/publish');
    /** Types a text, and closes the tab when the server has stored it. The tab never gets the response. */
    const closeWhileStoring = async (text: string): Promise<void> => {
      const stored = Promise.withResolvers<void>();
      await page.route('**/api/v1/fieldfare/drafts**', async (route) => {
        await route.fetch();
        stored.resolve();
      });
      await field(page).fill(text);
      await stored.promise;
      const next = await page.context().newPage();
      await page.close();
      page = next;
      await page.goto(`${server.url}/publish`);
      await expect.poll(() => field(page).inputValue()).toBe(text);
    };
    await closeWhileStoring('Half');
    await field(page).fill('Half a thought');
    await expect.poll(drafts).toEqual([['Half a thought']]);
    await page.getByText('Saved as a draft.').waitFor();
    await closeWhileStoring('A whole thought');
    await field(page).fill('A whole thought, at last');
    await expect.poll(drafts).toEqual([['A whole thought, at last']]);
  });

  test('handles, hashtags and emojis are completed by the keyboard', async () => {
    const [cleo] = [await server.createUser('cleo'), await server.createUser('cornelius')];
    const page = await server.openClient(cleo, '/publish');
    await field(page).pressSequentially('Hi @corn');
    await page.getByRole('option', { name: /cornelius/ }).waitFor();
    await look(page, 'completion');
    await expectAccessible(page);
    await field(page).press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe('Hi @cornelius ');
    await field(page).pressSequentially(':blackbir');
    await page.getByRole('option').first().waitFor();
    await field(page).press('Tab');
    await expect.poll(() => field(page).inputValue()).toMatch(/^Hi @cornelius \S+ $/u);
  });

  test('a poll is posted, and characters are counted as by the server', async () => {
    const dora = await server.createUser('dora');
    const page = await server.openClient(dora, '/publish');
    await field(page).fill(`@bob@remote.example https://example.com/${'long'.repeat(40)}`);
    await page.getByText(`${500 - '@bob '.length - 23} characters left`).waitFor();
    await field(page).fill('x'.repeat(501));
    await page.getByText('1 character too many').waitFor();
    expect(await postButton(page).isDisabled()).toBe(true);
    await field(page).fill('Which bird?');
    await page.getByRole('button', { name: 'Poll' }).click();
    await page.getByRole('textbox', { name: 'Option 1' }).fill('Fieldfare');
    await page.getByRole('textbox', { name: 'Option 2' }).fill('Redwing');
    await page.getByRole('combobox', { name: 'Duration of the poll' }).selectOption({ label: '3 days' });
    await look(page, 'poll');
    await expectAccessible(page);
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(dora))[0]?.poll?.options.length).toBe(2);
  });

  test('visibility is explained, replies are not wider than what they answer', async () => {
    const [eva, finn] = [await server.createUser('eva'), await server.createUser('finn')];
    const status = await eva.rest.v1.statuses.create({ status: 'Quiet question', visibility: 'unlisted' });
    const page = await server.openClient(finn, `/@eva/${status.id}`);
    await page.getByRole('button', { name: 'Reply to @eva' }).click();
    await page.getByRole('button', { name: 'Visibility: Quiet public' }).click();
    await page.getByText('Everyone can see it, but not in public feeds, search and trends.').waitFor();
    await look(page, 'visibility');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await field(page).inputValue()).toBe('@eva ');
    await field(page).press('End');
    await field(page).pressSequentially('An answer');
    await field(page).press('Control+Enter');
    await page.locator('article', { hasText: 'An answer' }).waitFor();
    const [reply] = await listOwn(finn);
    expect(reply).toMatchObject({ visibility: 'unlisted', inReplyToId: status.id });
  });

  test('a thread of posts is published at once', async () => {
    const gus = await server.createUser('gus');
    const page = await server.openClient(gus, '/publish');
    await field(page).fill('First part');
    await page.getByRole('button', { name: 'Add another post to the thread' }).click();
    await page.getByRole('textbox', { name: 'Text of post 2' }).fill('Second part');
    await page.getByRole('button', { name: 'Post thread' }).click();
    await expect.poll(async () => (await listOwn(gus)).length).toBe(2);
    const [second, first] = await listOwn(gus);
    expect(second?.inReplyToId).toBe(first?.id);
  });

  test('a scheduled post is listed, its time changed, and deleted', async () => {
    const hana = await server.createUser('hana');
    const page = await server.openClient(hana, '/publish');
    await field(page).fill('For the new year');
    await page.getByRole('button', { name: 'More options' }).click();
    const year = new Date().getFullYear() + 1;
    await page.getByLabel('Publish at').fill(`${year}-01-01T08:30`);
    await look(page, 'options');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect.poll(async () => (await hana.rest.v1.scheduledStatuses.list()).length).toBe(1);
    await page.goto(`${server.url}/scheduled`);
    await page.getByText('For the new year').waitFor();
    await page.getByRole('button', { name: 'Change time' }).click();
    await page.getByLabel('Publish at').fill(`${year}-02-01T08:30`);
    await page.getByRole('button', { name: 'Save time' }).click();
    await page.getByText(new RegExp(`February 1, ${year}`)).waitFor();
    await look(page, 'scheduled');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.getByText('No scheduled posts').waitFor();
  });

  test('an own post is edited with its media', async () => {
    const ida = await server.createUser('ida');
    const file = new File([new Uint8Array(await paint('#885522'))], 'a.png', { type: 'image/png' });
    const media = await ida.rest.v2.media.create({ file, description: 'Brown' });
    const status = await ida.rest.v1.statuses.create({ status: 'With a tpyo', mediaIds: [media.id] });
    const page = await server.openClient(ida, `/publish?edit=${status.id}`);
    await expect.poll(() => field(page).inputValue()).toBe('With a tpyo');
    await field(page).fill('Without a typo');
    await page.getByRole('button', { name: 'Edit Brown' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Brown paper');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(async () => (await listOwn(ida))[0]?.content).toBe('<p>Without a typo</p>');
    expect((await listOwn(ida))[0]?.mediaAttachments).toMatchObject([{ id: media.id, description: 'Brown paper' }]);
  });

  test('a text survives the end of the session, and is posted once after signing in again', async () => {
    const jon = await server.createUser('jon');
    const page = await server.openClient(jon, '/publish', { hasServiceWorker: true });
    await field(page).fill('Written before the session ended');
    await endSession(page, jon);
    await postButton(page).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByText('Your text is kept.').first().waitFor();
    await expectAccessible(page);
    expect(await field(page).inputValue()).toBe('Written before the session ended');

    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const tab = await opened;
    await fillSignIn(tab, jon);
    await tab.close();
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(jon)).length).toBe(1);
  });

  test('a response that got lost publishes nothing twice', async () => {
    const kim = await server.createUser('kim');
    const page = await server.openClient(kim, '/publish');
    await field(page).fill('Only once');
    await page.route('**/api/v1/statuses', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await postButton(page).click();
    const pending = page.getByRole('article', { name: 'Post that waits to be sent' });
    await pending.getByText('Only once').waitFor();
    expect(await listOwn(kim)).toHaveLength(1);
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await page.getByRole('article').filter({ hasText: 'Only once' }).first().waitFor();
    await pending.waitFor({ state: 'detached' });
    expect(await listOwn(kim)).toHaveLength(1);
  });

  test('a post that is sent while home is being loaded stays there', async () => {
    const ned = await server.createUser('ned');
    const page = await server.openClient(ned, '/favourites');
    const [requested, shown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The server reads home before it stores the post, and responds after it.
    await page.route('**/api/v1/timelines/home?*', async (route) => {
      const response = await route.fetch();
      requested.resolve();
      await shown.promise;
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await requested.promise;
    await page.getByRole('link', { name: 'New post' }).first().click();
    await field(page).fill('Sooner than home');
    const posted = page.waitForResponse((response) => response.request().method() === 'POST');
    await postButton(page).click();
    await posted;
    const post = page.getByRole('article').filter({ hasText: 'Sooner than home' });
    await post.waitFor();
    const answered = page.waitForResponse((response) => response.url().includes('/timelines/home'));
    shown.resolve();
    await (await answered).finished();
    await page.locator('[role=feed]:not([aria-busy=true])').waitFor();
    await post.waitFor();
  });

  test('a failed upload is repeated, and a wrong file is refused in words', async () => {
    const lea = await server.createUser('lea');
    const page = await server.openClient(lea, '/publish');
    await page.route('**/api/v2/media', (route) => route.abort('connectionreset'), { times: 1 });
    const image = { name: 'sky.png', mimeType: 'image/png', buffer: await paint('#88bbee') };
    await page.getByLabel('Choose files').setInputFiles(image);
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await look(page, 'failed-upload');
    await expectAccessible(page);
    expect(await postButton(page).isDisabled()).toBe(true);
    await page.getByText('A file is not uploaded yet, so this stays a draft.').waitFor();
    await retry.click();
    await retry.waitFor({ state: 'detached' });
    await expect.poll(() => postButton(page).isDisabled()).toBe(false);
    await page.locator('progress').waitFor({ state: 'detached' });
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'notes.xyz', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('notes.xyz is not a file that this server accepts.').waitFor();
  });
});
