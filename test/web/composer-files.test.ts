import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { waitForOfflineCopy } from './offline-copy.ts';
import { describeWithServer, endSession, fillSignIn, type WebServer, type WebUser } from './web-server.ts';

const field = (page: Page, name = 'Text') => page.getByRole('textbox', { name, exact: true });
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true });

const picture = process.env['SCREENSHOTS'];
async function look(page: Page, name: string): Promise<void> {
  if (picture !== undefined) await page.screenshot({ path: join(picture, `${name}.png`) });
}

async function paint(color: string): Promise<string> {
  const image = sharp({ create: { width: 320, height: 240, channels: 3, background: color } });
  return (await image.png().toBuffer()).toString('base64');
}

interface Given {
  readonly name: string;
  readonly color: string;
}

/** Files as the browser has them while they are pasted or dropped. */
async function transferOf(page: Page, files: readonly Given[], texts: Record<string, string> = {}) {
  const painted = await Promise.all(files.map(async ({ name, color }) => ({ name, data: await paint(color) })));
  return page.evaluateHandle(
    ([given, texts]) => {
      const transfer = new DataTransfer();
      for (const { name, data } of given) {
        const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: 'image/png' }));
      }
      for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
      return transfer;
    },
    [painted, texts] as const,
  );
}

async function paste(page: Page, at: Locator, files: readonly Given[], texts: Record<string, string> = {}) {
  const transfer = await transferOf(page, files, texts);
  return at.evaluate(
    (element, data) =>
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data as DataTransfer, bubbles: true, cancelable: true }),
      ),
    transfer,
  );
}

async function drop(page: Page, at: Locator, files: readonly Given[]) {
  const dataTransfer = await transferOf(page, files);
  await at.dispatchEvent('dragover', { dataTransfer });
  await at.dispatchEvent('drop', { dataTransfer });
}

const editButtons = (page: Page) => page.getByRole('button', { name: /^Edit (?!description)/ });
const namesOf = async (page: Page) =>
  (await editButtons(page).all()).length === 0
    ? []
    : editButtons(page).evaluateAll((buttons) => buttons.map((one) => one.getAttribute('aria-label')?.slice(5)));
const uploaded = (page: Page) => page.locator('progress').first().waitFor({ state: 'detached' });

async function listOwn(user: WebUser) {
  const { id } = await user.rest.v1.accounts.verifyCredentials();
  return user.rest.v1.accounts.$select(id).statuses.list();
}

async function upload(user: WebUser, color: string, description: string) {
  const bytes = new Uint8Array(Buffer.from(await paint(color), 'base64'));
  return user.rest.v2.media.create({ file: new File([bytes], 'a.png', { type: 'image/png' }), description });
}

describeWithServer('files in the composer', (server: WebServer) => {
  test('files are pasted and dropped, each at the post of a thread where they land', async () => {
    const ada = await server.createUser('ada');
    const page = await server.openClient(ada, '/publish');
    await paste(page, field(page), [{ name: 'pasted.png', color: '#335577' }]);
    await expect.poll(() => namesOf(page)).toEqual(['pasted.png']);
    await page.getByRole('button', { name: 'Add another post to the thread' }).click();
    const second = page.getByRole('region', { name: 'Post 2' });
    await drop(page, page.getByRole('region', { name: 'Post 1' }), [{ name: 'first.png', color: '#775533' }]);
    await drop(page, second, [{ name: 'second.png', color: '#557733' }]);
    await second.getByRole('button', { name: 'Edit second.png' }).waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['pasted.png', 'first.png', 'second.png']);
    await uploaded(page);
    await expectAccessible(page);
    await field(page, 'Text of post 1').fill('One');
    await field(page, 'Text of post 2').fill('Two');
    await page.getByRole('button', { name: 'Post thread' }).click();
    await page.getByRole('button', { name: 'Post without' }).click();
    await expect.poll(async () => (await listOwn(ada)).map((post) => post.mediaAttachments.length)).toEqual([1, 2]);
  });

  test('the author is offered what was written about the same file before', async () => {
    const noa = await server.createUser('noa');
    await upload(noa, '#224466', 'A heron in the reeds');
    const page = await server.openClient(noa, '/publish');
    await paste(page, field(page), [{ name: 'again.png', color: '#224466' }]);
    await uploaded(page);
    await page.getByRole('button', { name: 'Edit again.png' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A heron in the reeds').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Use my earlier description' }).click();
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('A heron in the reeds');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Use my earlier description' }).click();
    await stored;
    await page.getByRole('button', { name: 'Edit A heron in the reeds' }).waitFor();
    await field(page).fill('Again');
    await postButton(page).click();
    await expect
      .poll(async () => (await listOwn(noa)).map((post) => post.mediaAttachments.map((one) => one.description)))
      .toEqual([['A heron in the reeds']]);
  });

  test('a text of an office program is pasted as text, not as the image that comes with it', async () => {
    const bea = await server.createUser('bea');
    const page = await server.openClient(bea, '/publish');
    const table = { 'text/plain': 'Fieldfare 3', 'text/html': '<table><tr><td>Fieldfare</td><td>3</td></tr></table>' };
    const isLeftToBrowser = await paste(page, field(page), [{ name: 'table.png', color: '#ffffff' }], table);
    expect(isLeftToBrowser).toBe(true);
    expect(await namesOf(page)).toEqual([]);
    expect(await paste(page, field(page), [{ name: 'bird.png', color: '#112233' }], { 'text/html': '<img>' })).toBe(
      false,
    );
    await expect.poll(() => namesOf(page)).toEqual(['bird.png']);
  });

  test('files are moved by keyboard, menu and drag, removed, and posted in this order', async () => {
    const cem = await server.createUser('cem');
    const page = await server.openClient(cem, '/publish');
    const files = ['#aa3333', '#33aa33', '#3333aa'].map((color, index) => ({ name: `${index + 1}.png`, color }));
    await drop(page, page.getByRole('region', { name: 'Post', exact: true }), files);
    await expect.poll(() => namesOf(page)).toEqual(['1.png', '2.png', '3.png']);
    await expect.poll(() => page.locator('progress').count()).toBe(0);
    const first = page.getByRole('button', { name: 'Edit 1.png' });
    await first.press('Alt+ArrowRight');
    await expect.poll(() => namesOf(page)).toEqual(['2.png', '1.png', '3.png']);
    await page.getByText('1.png is now number 2 of 3.').waitFor();
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => namesOf(page)).toEqual(['2.png', '3.png', '1.png']);
    await page.getByRole('button', { name: 'Options of 1.png' }).click();
    await page.getByRole('menuitem', { name: 'Move earlier' }).click();
    await expect.poll(() => namesOf(page)).toEqual(['2.png', '1.png', '3.png']);
    await first.dragTo(page.getByRole('button', { name: 'Edit 2.png' }));
    await expect.poll(() => namesOf(page)).toEqual(['1.png', '2.png', '3.png']);
    await look(page, 'files');
    await page.getByRole('button', { name: 'Options of 2.png' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(() => namesOf(page)).toEqual(['1.png', '3.png']);
    await editButtons(page).first().click();
    await page.getByRole('dialog').getByRole('textbox').fill('Red');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await postButton(page).click();
    await page.getByRole('dialog', { name: 'Post without a description?' }).waitFor();
    await page.getByRole('button', { name: 'Add description' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Blue');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await postButton(page).click();
    await expect
      .poll(async () => (await listOwn(cem))[0]?.mediaAttachments.map(({ description }) => description))
      .toEqual(['Red', 'Blue']);
  });

  test('an upload shows its progress, can be cancelled, and is repeated after a failure', async () => {
    const dan = await server.createUser('dan');
    const page = await server.openClient(dan, '/publish');
    const release = Promise.withResolvers<void>();
    await page.route(
      '**/api/v2/media',
      async (route) => {
        await release.promise;
        await route.abort('connectionreset');
      },
      { times: 2 },
    );
    await drop(page, field(page), [
      { name: 'kept.png', color: '#445566' },
      { name: 'gone.png', color: '#665544' },
    ]);
    await page.getByRole('progressbar', { name: 'Uploading kept.png' }).waitFor();
    expect(await postButton(page).isDisabled()).toBe(true);
    await look(page, 'uploading');
    await page.getByRole('button', { name: 'Options of gone.png' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    release.resolve();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('progress').count()).toBe(0);
    expect(await namesOf(page)).toEqual(['kept.png']);
    await postButton(page).click();
    await page.getByRole('button', { name: 'Post without' }).click();
    await expect.poll(async () => (await listOwn(dan))[0]?.mediaAttachments.length).toBe(1);
  });

  test('a file whose processing could not be followed is tried again without another upload', async () => {
    const eli = await server.createUser('eli');
    const page = await server.openClient(eli, '/publish');
    let uploads = 0;
    await page.route('**/api/v2/media', async (route) => {
      uploads += 1;
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), url: null } });
    });
    await page.route('**/api/v1/media/*', (route) => route.abort('connectionreset'), { times: 1 });
    await paste(page, field(page), [{ name: 'slow.png', color: '#224466' }]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => postButton(page).isDisabled()).toBe(false);
    await page.getByText('The server is processing it').waitFor({ state: 'detached' });
    expect(uploads).toBe(1);
  });

  test('delete and redraft keeps a poll with its options, kind and hidden results', async () => {
    const gil = await server.createUser('gil');
    const poll = { options: ['Rowan', 'Ivy', 'Apple'], expiresIn: 7200, multiple: true, hideTotals: true };
    const { id } = await gil.rest.v1.statuses.create({ status: 'Wich berry?', poll });
    const page = await server.openClient(gil, `/@gil/${id}`);
    await page.locator('.status.main').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete and redraft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete and redraft' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Wich berry?');
    expect(await page.getByRole('checkbox', { name: 'Hide results until the poll ends' }).isChecked()).toBe(true);
    const duration = page.getByRole('combobox', { name: 'Duration of the poll' });
    expect(await duration.locator('option:checked').innerText()).toBe('2 hours');
    await field(page).fill('Which berry?');
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(gil))[0]?.content).toBe('<p>Which berry?</p>');
    const [posted] = await listOwn(gil);
    expect(posted?.poll?.options).toMatchObject(poll.options.map((title) => ({ title, votesCount: null })));
    expect(posted?.poll?.multiple).toBe(true);
  });

  test('the author describes a file of a published post, and nothing else changes', async () => {
    const [hal, ida] = [await server.createUser('hal'), await server.createUser('ida')];
    const quoted = await hal.rest.v1.statuses.create({ status: 'First light' });
    const media = [await upload(hal, '#445566', ''), await upload(hal, '#665544', 'A nest')];
    const { id } = await hal.rest.v1.statuses.create({
      status: 'Seen **today** by @nobody',
      mediaIds: media.map((one) => one.id),
      spoilerText: 'Birds',
      language: 'de',
      visibility: 'unlisted',
      quoteApprovalPolicy: 'followers',
      quotedStatusId: quoted.id,
    });
    const read = () => hal.rest.v1.statuses.$select(id).fetch();
    const before = await read();
    const open = async (user: WebUser, size: 'phone' | 'desktop') => {
      const page = await server.openClient(user, `/@hal/${id}`, { size });
      const post = page.locator('.status.main');
      await post.getByRole('button', { name: 'Show more' }).click();
      await post.locator('.media-cover').getByRole('button').click();
      await post.getByText('ALT').waitFor();
      return { page, post, add: post.getByRole('button', { name: 'Add description' }) };
    };
    expect(await (await open(ida, 'desktop')).add.count()).toBe(0);
    const { page, post, add } = await open(hal, 'phone');
    await look(page, 'describe-button');
    await add.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('A fieldfare in the rain');
    await expectAccessible(page);
    await look(page, 'describe-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    const [file, text] = [await dialog.locator('img').boundingBox(), await dialog.getByRole('textbox').boundingBox()];
    expect(text?.x).toBeGreaterThan((file?.x ?? 0) + (file?.width ?? 0));
    await look(page, 'describe-desktop');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await post.getByRole('button', { name: 'A fieldfare in the rain' }).waitFor();
    expect(await add.count()).toBe(0);
    const after = await read();
    expect(after.mediaAttachments.map((one) => one.description)).toEqual(['A fieldfare in the rain', 'A nest']);
    const { content, spoilerText, sensitive, language, visibility, quote, quoteApproval } = before;
    expect(after).toMatchObject({ content, spoilerText, sensitive, language, visibility, quote, quoteApproval });
  });

  test('delete and redraft keeps files, warning, language and who may quote and reply', async () => {
    const fay = await server.createUser('fay');
    const media = await upload(fay, '#997755', 'A brown bird');
    const body = {
      status: 'A tpyo',
      mediaIds: [media.id],
      spoilerText: 'Birds',
      language: 'de',
      visibility: 'unlisted',
      quoteApprovalPolicy: 'followers',
      interactionPolicy: { canReply: { automaticApproval: ['following', 'mentioned'], manualApproval: [] } },
    } as const;
    const { id } = await fay.rest.v1.statuses.create(body);
    const page = await server.openClient(fay, `/@fay/${id}`);
    await page.locator('.status.main').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete and redraft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete and redraft' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('A tpyo');
    await page.getByRole('button', { name: 'Edit A brown bird' }).waitFor();
    await page.getByRole('button', { name: 'Language: German' }).waitFor();
    await page.getByRole('button', { name: 'More options' }).click();
    expect(await page.getByRole('radio', { name: 'People you follow', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await field(page).fill('A typo');
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(fay))[0]?.content).toBe('<p>A typo</p>');
    const [posted] = await listOwn(fay);
    expect(posted).toMatchObject({ visibility: 'unlisted', language: 'de', spoilerText: 'Birds' });
    expect(posted?.mediaAttachments).toMatchObject([{ description: 'A brown bird' }]);
    expect(posted?.quoteApproval).toMatchObject({ automatic: ['followers'] });
    expect(posted).toMatchObject({
      interactionPolicy: { canReply: { automaticApproval: ['author', 'following', 'mentioned'] } },
    });
  });

  test('what another app shares is kept until the sign-in, and the composer has it once', async () => {
    const fritz = await server.createUser('fritz');
    const page = await server.openClient(fritz, '/', { hasServiceWorker: true, size: 'phone' });
    await waitForOfflineCopy(page);
    await endSession(page, fritz);
    await page.goto(`${server.url}/about`);
    // What the system sends, as the manifest asks for it.
    const { share_target: target } = JSON.parse(await (await page.request.get(`${server.url}/manifest`)).text());
    const image = await transferOf(page, [{ name: 'shared.png', color: '#997755' }]);
    await image.evaluate(
      ({ files, items }, { action, method, enctype }) => {
        const form = Object.assign(document.createElement('form'), { action, method, enctype });
        const add = (name: string, value: string): void =>
          form.append(Object.assign(document.createElement('input'), { name, value }));
        add('title', 'A shared page');
        add('text', 'Look: https://news.example/1');
        add('url', 'https://news.example/1');
        items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }));
        form.append(
          Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true, files }),
        );
        document.body.append(form);
        form.submit();
      },
      target as { action: string; method: string; enctype: string },
    );
    await page.waitForURL(/\/auth\/sign_in/);
    await fillSignIn(page, fritz);
    await page.getByText('notes.txt is not a file that this server accepts.').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Text', exact: true }).inputValue())
      .toBe('A shared page\nLook: https://news.example/1');
    await page.getByRole('button', { name: 'Edit shared.png' }).waitFor();
    await page.locator('progress').waitFor({ state: 'detached' });
    await expectAccessible(page);
    expect(await page.evaluate(async () => (await (await caches.open('shares')).keys()).length)).toBe(0);
    const address = page.url();
    await page.reload();
    await page.getByRole('button', { name: 'Edit shared.png' }).waitFor();
    await postButton(page).click();
    await page.getByRole('button', { name: 'Post without' }).click();
    await expect
      .poll(async () => (await listOwn(fritz)).map(({ mediaAttachments }) => mediaAttachments.length))
      .toEqual([1]);
    await page.goto(address);
    await page.getByText('What you shared is no longer here.').waitFor();
  });
});
