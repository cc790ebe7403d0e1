import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { waitForOfflineCopy } from './offline-copy.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

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

const withWorker = { hasServiceWorker: true };

describeWithServer('posts and follows without a connection', (server) => {
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
});
