import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, endSession, fillSignIn, signIn, type WebServer, type WebUser } from './web-server.ts';

const field = (page: Page, name = 'Text') => page.getByRole('textbox', { name, exact: true });
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });

const picture = process.env['SCREENSHOTS'];
async function look(page: Page, name: string): Promise<void> {
  if (picture !== undefined) await page.screenshot({ path: join(picture, `${name}.png`) });
}

async function listOwn(user: WebUser) {
  const { id } = await user.rest.v1.accounts.verifyCredentials();
  return user.rest.v1.accounts.$select(id).statuses.list();
}

describeWithServer('formats, edits and accounts in the composer', (server: WebServer) => {
  test('a Markdown post is previewed as it will be published', async () => {
    const [ann] = [await server.createUser('ann'), await server.createUser('bert')];
    const page = await server.openClient(ann, '/publish');
    await field(page).fill('**Look** at @bert and the #birds, please');
    expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('radio', { name: /Markdown/ }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.locator('strong', { hasText: 'Look' }).waitFor();
    expect(await preview.getByRole('link', { name: '#birds' }).getAttribute('target')).toBe('_blank');
    expect(await preview.getByRole('link', { name: '@bert' }).getAttribute('href')).toBe('/@bert');
    await field(page).fill('# Title\n\n- one\n- two');
    await preview.getByRole('listitem').filter({ hasText: 'two' }).waitFor();
    await look(page, 'preview');
    await expectAccessible(page);
    const shown = await preview.locator('.status-content').innerHTML();
    await field(page).fill('');
    await preview.getByText('Nothing to show yet').waitFor();
    await field(page).fill('# Title\n\n- one\n- two');
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(ann))[0]?.content).toBe(shown);
    expect(await listOwn(ann)).toHaveLength(1);
  });

  test('a preview that cannot be loaded says why, and is tried again', async () => {
    const cato = await server.createUser('cato');
    const page = await server.openClient(cato, '/publish');
    await page.route('**/statuses/preview', (route) => route.abort('connectionreset'), { times: 1 });
    await field(page).fill('*Hi*');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('radio', { name: /Markdown/ }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('alert').waitFor();
    await preview.getByRole('button', { name: 'Try again' }).click();
    await preview.locator('em', { hasText: 'Hi' }).waitFor();
  });

  test('an edit of the text leaves votes, end and hidden results of a poll', async () => {
    const [dora, ed] = [await server.createUser('dora'), await server.createUser('ed')];
    const poll = { options: ['Redwing', 'Fieldfare'], expiresIn: 3600, hideTotals: true };
    const { id, poll: asked } = await dora.rest.v1.statuses.create({ status: 'Wich bird?', poll });
    await ed.rest.v1.polls.$select(asked?.id ?? '').votes.create({ choices: [1] });
    const page = await server.openClient(dora, `/publish?edit=${id}`);
    await expect.poll(() => field(page).inputValue()).toBe('Wich bird?');
    const duration = page.getByRole('combobox', { name: 'Duration of the poll' });
    expect(await duration.locator('option:checked').innerText()).toBe('End stays the same');
    expect(await page.getByRole('checkbox', { name: 'Hide results until the poll ends' }).isChecked()).toBe(true);
    await field(page).fill('Which bird?');
    await expectAccessible(page);
    await saveButton(page).click();
    const read = async () => dora.rest.v1.statuses.$select(id).fetch();
    await expect.poll(async () => (await read()).content).toBe('<p>Which bird?</p>');
    expect((await read()).poll).toMatchObject({
      expiresAt: asked?.expiresAt,
      votesCount: 1,
      options: [{ votesCount: null }, {}],
    });

    await page.goto(`${server.url}/publish?edit=${id}`);
    await page.getByRole('textbox', { name: 'Option 1' }).fill('Blackbird');
    await page.getByText('Changed answers delete all votes so far.').waitFor();
    await look(page, 'poll-edit');
    await saveButton(page).click();
    await expect.poll(async () => (await read()).poll?.options[0]?.title).toBe('Blackbird');
    expect((await read()).poll).toMatchObject({ expiresAt: asked?.expiresAt, votesCount: 0 });
  });

  test('a poll that has ended stays ended when its post is edited', async () => {
    const finn = await server.createUser('finn');
    const poll = { options: ['Yes', 'No'], expiresIn: 300 };
    const { id, poll: asked } = await finn.rest.v1.statuses.create({ status: 'Snwo?', poll });
    const end = '2026-01-02T03:04:05.000Z';
    const page = await server.openClient(finn, '/');
    await page.route(`**/api/v1/statuses/${id}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const status = await response.json();
      return route.fulfill({ response, json: { ...status, poll: { ...status.poll, expires_at: end, expired: true } } });
    });
    await page.goto(`${server.url}/publish?edit=${id}`);
    await expect.poll(() => field(page).inputValue()).toBe('Snwo?');
    await field(page).fill('Snow?');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await saveButton(page).click();
    expect((await sent).postDataJSON().poll).toEqual({ options: ['Yes', 'No'], multiple: false });
    const read = async () => finn.rest.v1.statuses.$select(id).fetch();
    await expect.poll(async () => (await read()).content).toBe('<p>Snow?</p>');
    expect((await read()).poll?.expiresAt).toBe(asked?.expiresAt);
  });

  test('a text is kept when another tab switches the account, and posted as the account that wrote it', async () => {
    const [gina, hugo] = [await server.createUser('gina'), await server.createUser('hugo')];
    const page = await server.openClient(gina, '/', { hasServiceWorker: true });
    await signIn(page, server.url, hugo, '?add=true');
    await page.getByRole('button', { name: 'Account: hugo' }).waitFor();
    await page.goto(`${server.url}/publish`);
    await field(page).fill('Written by Hugo');
    const other = await page.context().newPage();
    await other.goto(server.url);
    await other.getByRole('button', { name: 'Account: hugo' }).click();
    await other.getByRole('menuitem', { name: /gina/ }).click();
    await other.getByRole('button', { name: 'Account: gina' }).waitFor();

    await postButton(page).click();
    await page.getByText('You switched to another account in another tab.').waitFor();
    await page.getByText('Your text is kept.').first().waitFor();
    expect(await field(page).inputValue()).toBe('Written by Hugo');
    await look(page, 'account-changed');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Account: gina' }).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Account: gina' }).click();
    await page.getByRole('menuitem', { name: /hugo/ }).click();
    await page.getByRole('button', { name: 'Account: hugo' }).waitFor();
    await page.goto(`${server.url}/publish`);
    await expect.poll(() => field(page).inputValue()).toBe('Written by Hugo');
    await postButton(page).click();
    await expect
      .poll(async () => (await listOwn(hugo)).map(({ content }) => content))
      .toEqual(['<p>Written by Hugo</p>']);
    expect(await listOwn(gina)).toEqual([]);
  });

  test('a session that ends while a thread is written: signed in again in a new tab, it is posted once', async () => {
    const ines = await server.createUser('ines');
    const page = await server.openClient(ines, '/publish', { hasServiceWorker: true });
    await field(page).fill('First of two');
    await page.getByRole('button', { name: 'Add another post to the thread' }).click();
    await field(page, 'Text of post 2').fill('Second of two');
    await endSession(page, ines);
    await page.getByRole('button', { name: 'Post thread' }).click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const tab = await opened;
    await fillSignIn(tab, ines);
    await tab.close();
    expect(await field(page, 'Text of post 2').inputValue()).toBe('Second of two');
    await page.getByRole('button', { name: 'Post thread' }).click();
    await expect.poll(async () => (await listOwn(ines)).length).toBe(2);
    await page.getByRole('article').filter({ hasText: 'First of two' }).first().waitFor();
    expect((await listOwn(ines)).map(({ content }) => content)).toEqual([
      '<p>Second of two</p>',
      '<p>First of two</p>',
    ]);
  });

  test('a post that waited in the outbox for a week is sent only after a look at the profile', async () => {
    const nils = await server.createUser('nils');
    const page = await server.openClient(nils, '/publish');
    await field(page).fill('From the mountains');
    await page.route('**/api/v1/statuses', (route) => route.abort('connectionreset'));
    await postButton(page).click();
    await page.getByRole('article', { name: 'Post that waits to be sent' }).waitFor();
    await page.evaluate(async () => {
      const finished = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(new Error('the outbox could not be changed')));
        });
      const database = await finished(indexedDB.open('fieldfare-offline'));
      const outbox = database.transaction('outbox', 'readwrite').objectStore('outbox');
      for (const action of await finished(outbox.getAll())) await finished(outbox.put({ ...action, queuedAt: 0 }));
      database.close();
    });
    await page.reload();
    const notice = page.getByRole('region', { name: 'Waiting to be sent' });
    await notice.getByText('may be published already').waitFor();
    await look(page, 'outdated');
    await expectAccessible(page);
    expect(await listOwn(nils)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await listOwn(nils)).length).toBe(1);
    await notice.waitFor({ state: 'detached' });
  });

  test('the language is searched by keyboard, or taken from the text', async () => {
    const jana = await server.createUser('jana');
    const page = await server.openClient(jana, '/publish');
    await page.getByRole('button', { name: 'Language: Detect language' }).press('Enter');
    const search = page.getByRole('searchbox', { name: 'Search languages' });
    await search.fill('swed');
    await look(page, 'languages');
    await expectAccessible(page);
    await search.press('Enter');
    await page.getByRole('button', { name: 'Language: Swedish' }).waitFor();
    expect(await field(page).getAttribute('lang')).toBe('sv');
    await field(page).fill('Das ist nicht der Vogel, den ich gestern auf dem Dach gesehen habe');
    await page.getByText('This looks like German.').waitFor();
    await page.getByRole('button', { name: 'Change to German' }).click();
    await postButton(page).click();
    await expect.poll(async () => (await listOwn(jana))[0]?.language).toBe('de');
  });

  test('a post of a thread is removed, and the rest published in order with a shared warning', async () => {
    const kurt = await server.createUser('kurt');
    const page = await server.openClient(kurt, '/publish');
    await page.getByRole('button', { name: 'Content warning' }).click();
    await page.getByRole('textbox', { name: 'Content warning' }).fill('Long');
    await field(page).fill('One');
    for (const number of [2, 3]) {
      await page.getByRole('button', { name: 'Add another post to the thread' }).click();
      await field(page, `Text of post ${number}`).fill(`Part ${number}`);
    }
    await look(page, 'thread');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove post 2' }).click();
    await page.getByRole('button', { name: 'Post thread' }).click();
    await expect
      .poll(async () => (await listOwn(kurt)).map(({ content }) => content))
      .toEqual(['<p>Part 3</p>', '<p>One</p>']);
    expect((await listOwn(kurt)).map(({ spoilerText }) => spoilerText)).toEqual(['Long', 'Long']);
  });

  test('all scheduled posts are listed, the next one first', async () => {
    const mona = await server.createUser('mona');
    const days = [...Array.from({ length: 21 }, () => '2099-03-02'), ...Array.from({ length: 21 }, () => '2099-03-01')];
    for (const [index, day] of days.entries())
      await mona.rest.v1.statuses.create({ status: `Number ${index}`, scheduledAt: `${day}T08:30:00.000Z` });
    const page = await server.openClient(mona, '/scheduled');
    await page.getByText('Number 41').waitFor();
    const saved = page.locator('.saved-text');
    await expect.poll(() => saved.count()).toBe(42);
    const texts = await saved.allInnerTexts();
    expect(
      texts
        .slice(0, 21)
        .map((text) => Number(text.split(' ')[1]))
        .every((number) => number >= 21),
    ).toBe(true);
  });

  test('a scheduled reply is edited: it keeps what it answers and who may reply, and asks for a time', async () => {
    const lily = await server.createUser('lily');
    const parent = await lily.rest.v1.statuses.create({ status: 'Above' });
    const params = {
      status: 'Belwo',
      inReplyToId: parent.id,
      scheduledAt: '2099-01-01T08:30:00.000Z',
      interactionPolicy: { canReply: { automaticApproval: ['mentioned'], manualApproval: [] } },
    } as const;
    await lily.rest.v1.statuses.create(params);
    const page = await server.openClient(lily, '/scheduled');
    await page.getByRole('button', { name: 'Edit text' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit text' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('Belwo');
    expect(await lily.rest.v1.scheduledStatuses.list()).toEqual([]);
    await page.getByText('Above').waitFor();
    await field(page).fill('Below');
    await page.getByRole('button', { name: 'More options' }).click();
    expect(await page.getByRole('radio', { name: 'Only people you mention' }).isChecked()).toBe(true);
    await page.getByLabel('Publish at').fill('2099-01-02T08:30');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect.poll(async () => (await lily.rest.v1.scheduledStatuses.list()).length).toBe(1);
    const [scheduled] = await lily.rest.v1.scheduledStatuses.list();
    expect(scheduled).toMatchObject({ inReplyToId: parent.id, params: { text: 'Below' } });
  });
});
