import { expect, test } from 'vitest';
import { colorRules, expectAccessible } from './accessibility.ts';
import { waitForOfflineCopy } from './offline-copy.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;

describeWithServer('catching up', (server) => {
  test('an absence of hours is offered to be caught up on: by person, with an end, and without a connection', async () => {
    const [ann, ben, cem] = [
      await server.createUser('ann'),
      await server.createUser('ben'),
      await server.createUser('cem'),
    ];
    const reader = await server.createUser('reader');
    for (const user of [ann, ben, cem]) await reader.rest.v1.accounts.$select(await idOf(user)).follow();
    const post = (user: WebUser, status: string, inReplyToId?: string) =>
      user.rest.v1.statuses.create({ status, ...(inReplyToId !== undefined && { inReplyToId }) });
    const asked = await post(ann, 'Who saw the fieldfares?');
    await post(ann, 'I saw ten of them', asked.id);
    for (let number = 1; number <= 4; number += 1) await post(ben, `Walk ${number}`);
    const stranger = await server.createUser('stranger');
    const shared = await post(stranger, 'A waxwing far away');
    for (const user of [ben, cem]) await user.rest.v1.statuses.$select(shared.id).reblog();
    await reader.rest.v2.filters.create({
      title: 'Walks',
      context: ['home'],
      filterAction: 'hide',
      keywordsAttributes: [{ keyword: 'Walk 4' }],
    });

    const page = await server.openClient(reader, '/explore', { size: 'phone', hasServiceWorker: true });
    await waitForOfflineCopy(page);
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.startsWith('visit:')) ?? '';
      const { seenAt } = JSON.parse(localStorage.getItem(key) ?? '{}') as { seenAt: number };
      const before = seenAt - 9 * 3_600_000;
      localStorage.setItem(key, JSON.stringify({ startedAt: before, seenAt: before }));
      // When a page is left, it stores that time as the last visit.
      Object.defineProperty(Storage.prototype, 'setItem', { value: () => undefined });
    });
    await page.goto(server.url);
    await page.getByRole('link', { name: /posts since .* Catch up$/ }).click();
    await page.getByText('6 posts', { exact: true }).waitFor();
    await page.getByText('about 1 minute').waitFor();
    await page.getByText(/(?:ben|cem) boosted/).waitFor();
    expect(await page.getByText('A waxwing far away').count()).toBe(1);
    expect(await page.getByText('I saw ten of them').count()).toBe(0);
    expect(await page.getByText('Walk 4').count()).toBe(0);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, colorRules);

    await page.getByRole('button', { name: '1 more post in this thread' }).press('Enter');
    await page.getByText('I saw ten of them').waitFor();
    await page.getByRole('button', { name: /^ben/ }).click();
    await page.getByText('Walk 3').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Boosts/ }).click();
    await page.locator('.catch-up-length').getByText('1 post', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^All/ }).click();
    // The keyboard goes from heading to heading and from post to post, and unfolds.
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Walk 3').waitFor();

    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('6 posts', { exact: true }).waitFor();
    await page.getByText('I saw ten of them').waitFor();
    await page.context().setOffline(false);

    await page.getByRole('link', { name: 'Go home' }).click();
    await page.getByText('Walk 3').waitFor();
    expect(await page.getByRole('link', { name: /Catch up$/ }).count()).toBe(0);
  });

  test('a chosen time is in the address, who posts rarely comes first, and the place is kept on the way back', async () => {
    const [dora, eli, fay] = [
      await server.createUser('dora'),
      await server.createUser('eli'),
      await server.createUser('fay'),
    ];
    for (const user of [dora, eli]) await fay.rest.v1.accounts.$select(await idOf(user)).follow();
    await dora.rest.v1.statuses.create({ status: 'My only post' });
    let newestId = '';
    for (let number = 1; number <= 45; number += 1)
      newestId = (await eli.rest.v1.statuses.create({ status: `Entry ${number}` })).id;
    const page = await server.openClient(fay, '/catch-up');
    await page.getByRole('link', { name: 'The last 8 hours' }).click();
    await page.getByText('46 posts', { exact: true }).waitFor();
    await page.waitForURL(/\/catch-up\?since=[^&]+&until=\d+$/);
    const headings = page.getByRole('article').getByRole('heading');
    await expect
      .poll(() => headings.allInnerTexts())
      .toEqual([expect.stringContaining('eli'), expect.stringContaining('dora')]);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Those who post rarely first');
    await expect.poll(async () => (await headings.allInnerTexts())[0]).toContain('dora');
    await page.getByRole('button', { name: '42 more posts' }).click();
    const target = page.getByRole('article').filter({ has: page.getByText('Entry 20', { exact: true }) });
    await expect
      .poll(async () => {
        await page.mouse.move(600, 400);
        await page.mouse.wheel(0, 300);
        return target.count();
      })
      .toBe(1);
    const top = await target.evaluate((element) => {
      element.querySelector<HTMLElement>('.status-time')?.click();
      return element.getBoundingClientRect().top;
    });
    await page.waitForURL(/\/@eli\/\d+$/);
    await page.goBack();
    await target.waitFor();
    await expect.poll(async () => Math.abs(((await target.boundingBox())?.y ?? 0) - top)).toBeLessThan(3);
    await expectAccessible(page);

    const readMarker = async () => (await fay.rest.v1.markers.fetch({ timeline: ['home'] })).home?.lastReadId;
    expect(await readMarker()).toBeUndefined();
    await page.getByRole('button', { name: 'Mark home as read up to here' }).click();
    await page.getByText('Home is marked as read up to here.').waitFor();
    expect(await readMarker()).toBe(newestId);
  });
});
