import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, WebServer, type WebUser } from './web-server.ts';

const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;
const follow = async (user: WebUser, followed: WebUser): Promise<unknown> =>
  user.rest.v1.accounts.$select(await idOf(followed)).follow();
const post = (user: WebUser, status: string) => user.rest.v1.statuses.create({ status });

describeWithServer('reading quotes and reactions', (server) => {
  const quote = (user: WebUser, quotedId: string, status: string) =>
    user.send<{ id: string }>('POST', '/api/v1/statuses', { status, quoted_status_id: quotedId });

  test('a quote shows the quoted post, which opens, until its author revokes the quote or the reader blocks them', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    const carol = await server.createUser('carol');
    await follow(carol, bob);
    const [first, second] = [await post(alice, 'The heron stands still'), await post(alice, 'The kingfisher dives')];
    const quoting = await quote(bob, first.id, 'Look at this heron');
    await quote(bob, second.id, 'And at this kingfisher');
    const page = await server.openClient(carol);
    await card(page, 'Look at this heron').getByRole('blockquote').getByText('The heron stands still').waitFor();
    await expectAccessible(page);
    await card(page, 'Look at this heron').getByRole('blockquote').getByRole('link', { name: '@alice' }).click();
    await page.locator('.status.main').getByText('The heron stands still').waitFor();

    await alice.send('POST', `/api/v1/statuses/${first.id}/quotes/${quoting.id}/revoke`);
    await page.goto(server.url);
    await card(page, 'Look at this heron').getByText('The author withdrew their post from this quote').waitFor();
    expect(await page.getByText('The heron stands still').count()).toBe(0);

    await carol.rest.v1.accounts.$select(await idOf(alice)).block();
    await page.reload();
    const hidden = card(page, 'And at this kingfisher');
    await hidden.getByText('Hidden, because you blocked the author of the quoted post').waitFor();
    expect(await page.getByText('The kingfisher dives').count()).toBe(0);
    await expectAccessible(page);
  });

  test('an author withdraws a post from a quote, in the list of its quotes, and everyone sees the quote without it', async () => {
    const [alba, bruno] = [await server.createUser('alba'), await server.createUser('bruno')];
    const { id } = await post(alba, 'The avocet nests');
    await quote(bruno, id, 'Look at this avocet');
    await quote(bruno, id, 'And again the avocet');
    const page = await server.openClient(alba, `/@alba/${id}/quotes`, { size: 'phone' });
    const quoting = card(page, 'Look at this avocet');
    await quoting.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Withdraw my post from this quote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw your post from this quote?' });
    await dialog.getByText('The post by @bruno stays').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Your post no longer appears in this quote').waitFor();
    await quoting.getByText('The author withdrew their post from this quote').waitFor();
    await card(page, 'And again the avocet').getByRole('blockquote').getByText('The avocet nests').waitFor();
    await quoting.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Block @bruno' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Withdraw my post from this quote' }).count()).toBe(0);

    const other = await server.openClient(bruno, '/@bruno');
    await card(other, 'Look at this avocet').getByText('The author withdrew their post from this quote').waitFor();
  });

  test('a filter covers a quoted post, and one that hides leaves no button to open it', async () => {
    const [dave, erin] = [await server.createUser('dave'), await server.createUser('erin')];
    const frank = await server.createUser('frank');
    await follow(frank, erin);
    for (const [filterAction, keyword] of [
      ['warn', 'spiders'],
      ['hide', 'clowns'],
    ])
      await frank.send('POST', '/api/v2/filters', {
        title: `About ${keyword}`,
        context: ['home'],
        filter_action: filterAction,
        keywords_attributes: [{ keyword, whole_word: true }],
      });
    await quote(erin, (await post(dave, 'Many spiders')).id, 'My opinion of the first');
    await quote(erin, (await post(dave, 'Many clowns')).id, 'My opinion of the second');
    const page = await server.openClient(frank);
    const [warned, hidden] = [card(page, 'My opinion of the first'), card(page, 'My opinion of the second')];
    await warned.getByText('Filtered: About spiders').waitFor();
    await hidden.getByText('Filtered: About clowns').waitFor();
    expect(await page.getByText(/Many (spiders|clowns)/).count()).toBe(0);
    expect(await hidden.getByRole('button', { name: 'Show anyway' }).count()).toBe(0);
    await expectAccessible(page);
    await warned.getByRole('button', { name: 'Show anyway' }).click();
    await warned.getByRole('blockquote').getByText('Many spiders').waitFor();
  });

  test('sensitive media of a quoted post, and those that a filter blurs, are covered until the reader asks', async () => {
    const [ilse, jan] = [await server.createUser('ilse'), await server.createUser('jan')];
    const kaya = await server.createUser('kaya');
    await follow(kaya, jan);
    const filter = { title: 'About snakes', context: ['home'], filter_action: 'blur' };
    const keywords = [{ keyword: 'snakes', whole_word: true }];
    await kaya.send('POST', '/api/v2/filters', { ...filter, keywords_attributes: keywords });
    const image = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#7a5c3e' } })
      .png()
      .toBuffer();
    const postImage = async (status: string, sensitive: boolean): Promise<string> => {
      const file = new Blob([new Uint8Array(image)], { type: 'image/png' });
      const media = await ilse.rest.v2.media.create({ file, description: `An image: ${status}` });
      return (await ilse.rest.v1.statuses.create({ status, mediaIds: [media.id], sensitive })).id;
    };
    await quote(jan, await postImage('Feeding time', true), 'My opinion of the sensitive one');
    await quote(jan, await postImage('Many snakes', false), 'My opinion of the blurred one');
    const page = await server.openClient(kaya);
    const [sensitive, blurred] = [card(page, 'of the sensitive one'), card(page, 'of the blurred one')];
    await sensitive.getByRole('button', { name: 'Show sensitive media' }).waitFor();
    await blurred.getByRole('blockquote').getByText('Many snakes').waitFor();
    await blurred.getByText('Filtered: About snakes').waitFor();
    expect(await page.getByRole('img', { name: /^An image/ }).count()).toBe(0);
    await expectAccessible(page);
    await sensitive.getByRole('button', { name: 'Show sensitive media' }).press('Enter');
    await sensitive.getByRole('img', { name: 'An image: Feeding time' }).waitFor();
    await blurred.getByRole('button', { name: 'Show media' }).press('Enter');
    await blurred.getByRole('img', { name: 'An image: Many snakes' }).waitFor();
  });

  test('a quote of a remote post says that it waits for its author, and shows the post once they approve', async () => {
    await using other = new WebServer();
    await other.start();
    const [lena, mats] = [await other.createUser('lena'), await server.createUser('mats')];
    await post(lena, 'The cranes rest');
    const handle = `lena@${new URL(other.url).host}`;
    const found = await mats.rest.v2.search.list({ q: `@${handle}`, resolve: true, type: 'accounts' });
    await mats.rest.v1.accounts.$select(found.accounts[0]?.id ?? '').follow();
    const { id: quotedId } = await post(lena, 'The cranes fly');
    const url = `${other.url}/@lena/${quotedId}`;
    const resolved = await mats.rest.v2.search.list({ q: url, resolve: true, type: 'statuses' });
    const unlock = await other.lockTable('inbox_activities');
    await quote(mats, resolved.statuses[0]?.id ?? '', 'Look at these cranes');
    const page = await server.openClient(mats, '/@mats');
    await card(page, 'Look at these cranes').getByText('The quoted post appears once its author approves').waitFor();
    await expectAccessible(page);
    await unlock();
    const isShown = card(page, 'Look at these cranes').getByRole('blockquote').getByText('The cranes fly');
    await expect
      .poll(async () => {
        await page.reload();
        await card(page, 'Look at these cranes').waitFor();
        return isShown.count();
      })
      .toBe(1);
  });

  test('a reader reacts with an emoji, sees the count with that of others, and takes the reaction back', async () => {
    const [grace, heidi] = [await server.createUser('grace'), await server.createUser('heidi')];
    await follow(heidi, grace);
    const { id } = await post(grace, 'The swallows are back');
    await grace.send('POST', `/api/v1/statuses/${id}/react/${encodeURIComponent('🎉')}`);
    const page = await server.openClient(heidi, '/', { size: 'phone' });
    const shown = card(page, 'The swallows are back');
    await shown.getByRole('button', { name: '🎉: 1 reaction', pressed: false }).click();
    await shown.getByRole('button', { name: '🎉: 2 reactions', pressed: true }).waitFor();
    await shown.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'React with an emoji' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '👏' }).click();
    await shown.getByRole('button', { name: '👏: 1 reaction', pressed: true }).waitFor();
    await expectAccessible(page);
    const reactionsOf = async () => {
      type Status = { reactions: { name: string; count: number }[] };
      const { reactions } = await heidi.send<Status>('GET', `/api/v1/statuses/${id}`);
      return Object.fromEntries(reactions.map(({ name, count }) => [name, count]));
    };
    await expect.poll(reactionsOf).toEqual({ '🎉': 2, '👏': 1 });
    await shown.getByRole('button', { name: '👏: 1 reaction' }).click();
    await shown.getByRole('button', { name: '👏: 1 reaction' }).waitFor({ state: 'detached' });
    await expect.poll(reactionsOf).toEqual({ '🎉': 2 });
  });
});
