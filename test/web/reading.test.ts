import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './accessibility.ts';
import {
  describeWithServer,
  followLink,
  makeFinal,
  waitForContent,
  waitForEndOfScroll,
  type WebUser,
} from './web-server.ts';

const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;
const follow = async (user: WebUser, followed: WebUser): Promise<unknown> =>
  user.rest.v1.accounts.$select(await idOf(followed)).follow();
const post = (user: WebUser, status: string, more: { inReplyToId?: string } = {}) =>
  user.rest.v1.statuses.create({ status, ...more });

/** Posts `count` texts, `Post 1` first. */
async function postSeveral(user: WebUser, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) ids.push((await post(user, `Post ${number}`)).id);
  return ids;
}

const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

describeWithServer('reading timelines', (server) => {
  test('home shows posts of followed accounts, new ones wait behind a button, and edits and deletions apply', async () => {
    const [alice, bob] = [await server.createUser('alice'), await server.createUser('bob')];
    await follow(bob, alice);
    const first = await post(alice, 'The first post #birds');

    const page = await server.openClient(bob);
    await page.getByText('The first post').waitFor();
    await waitForContent(page);
    const top = (await card(page, 'The first post').boundingBox())?.y;
    const second = await post(alice, 'A second post');
    const button = page.getByRole('button', { name: '1 new post' });
    await button.waitFor();
    // It floats above the posts, which keep their place.
    expect((await card(page, 'The first post').boundingBox())?.y).toBe(top);
    expect(await page.getByText('A second post').count()).toBe(0);
    await button.click();
    await page.getByText('A second post').waitFor();
    expect(await page.locator('article').allInnerTexts()).toHaveLength(2);

    await alice.rest.v1.statuses.$select(first.id).update({ status: 'The corrected post #birds' });
    await page.getByText('The corrected post').waitFor();
    await alice.rest.v1.statuses.$select(second.id).remove();
    await page.getByText('A second post').waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  test('what was posted without a connection is collected after it', async () => {
    const [carol, dave] = [await server.createUser('carol'), await server.createUser('dave')];
    await follow(dave, carol);
    await post(carol, 'Before the tunnel');
    const page = await server.openClient(dave, '/', { hasServiceWorker: true });
    await page.getByText('Before the tunnel').waitFor();
    await page.context().setOffline(true);
    await post(carol, 'In the tunnel');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Bookmarks' }).first().click();
    await page.getByText('Posts that you bookmark appear here').waitFor();
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByRole('button', { name: '1 new post' }).click();
    await card(page, 'In the tunnel').waitFor();
  });

  test('a reload keeps the place, older posts load on demand, and nothing is lost on the way back to the top', async () => {
    const [erin, frank] = [await server.createUser('erin'), await server.createUser('frank')];
    await follow(frank, erin);
    await postSeveral(erin, 60);
    const page = await server.openClient(frank);
    await card(page, 'Post 60').waitFor();
    await scrollTo(page, 'Post 12');
    const before = await topOf(page, 'Post 12');
    await page.reload();
    await cardOf(page, 'Post 12').waitFor();
    await expect.poll(() => topOf(page, 'Post 12')).toBeCloseTo(before, -1);

    await loadGaps(page);
    const seen = await readDownwards(page, 'Post 12');
    expect(seen.filter((number) => number >= 12)).toEqual(Array.from({ length: 49 }, (_, index) => index + 12));
  });

  test('home offers to continue where the reader left off on another device', async () => {
    const [grace, heidi] = [await server.createUser('grace'), await server.createUser('heidi')];
    await follow(heidi, grace);
    const ids = await postSeveral(grace, 60);
    await heidi.rest.v1.markers.create({ home: { lastReadId: ids[9] ?? '' } });
    const page = await server.openClient(heidi, '/', { size: 'phone' });
    await card(page, 'Post 60').waitFor();
    await page.getByRole('button', { name: 'Continue where you left off' }).click();
    await card(page, 'Post 10').waitFor();
    await expect.poll(() => isVisible(page, 'Post 10')).toBe(true);
    await page.getByRole('article', { name: 'You left off here', exact: true }).waitFor();
    await expectAccessible(page);

    await loadGaps(page);
    await expect
      .poll(async () => (await heidi.rest.v1.markers.fetch({ timeline: ['home'] })).home.lastReadId)
      .toBe(ids[59]);
    const seen = await readDownwards(page, 'Post 10');
    expect(seen.slice(-51)).toEqual(Array.from({ length: 51 }, (_, index) => index + 10));
  });

  test('a reader who comes from below fills a gap from its older end, and the page does not jump', async () => {
    const [mia, noa] = [await server.createUser('mia'), await server.createUser('noa')];
    await follow(noa, mia);
    const ids = await postSeveral(mia, 75);
    await noa.rest.v1.markers.create({ home: { lastReadId: ids[9] ?? '' } });
    const page = await server.openClient(noa);
    await card(page, 'Post 75').waitFor();
    await page.getByRole('button', { name: 'Continue where you left off' }).click();
    await cardOf(page, 'Post 10').waitFor();
    await scrollUpTo(page, 'Post 30');
    const before = await topOf(page, 'Post 30');
    expect(await loadGap(page)).toBe(true);
    await cardOf(page, 'Post 31').waitFor();
    await expect.poll(async () => Math.abs((await topOf(page, 'Post 30')) - before)).toBeLessThan(2);
    expect(await topOf(page, 'Post 31')).toBeLessThan(before);
    await loadGaps(page);
    const seen = await readDownwards(page, 'Post 10');
    expect(seen.slice(-66)).toEqual(Array.from({ length: 66 }, (_, index) => index + 10));
  });

  test('the local, federated, hashtag and list timelines show their posts', async () => {
    const [ivan, judy] = [await server.createUser('ivan'), await server.createUser('judy')];
    await follow(judy, ivan);
    await post(ivan, 'A post about #fieldfares');
    const list = await judy.rest.v1.lists.create({ title: 'Bird people' });
    await judy.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [await idOf(ivan)] });
    const page = await server.openClient(judy, '/public/local');
    await card(page, 'A post about').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All servers' }).click();
    await card(page, 'A post about').waitFor();
    await card(page, 'A post about').getByRole('link', { name: '#fieldfares' }).click();
    await page.getByRole('heading', { name: '#fieldfares' }).waitFor();
    await card(page, 'A post about').waitFor();
    await followLink(page, `/lists/${list.id}`);
    await page.getByRole('heading', { name: 'Bird people' }).waitFor();
    await card(page, 'A post about').waitFor();
    await post(ivan, 'Another one for the list');
    await page.getByRole('button', { name: '1 new post' }).click();
    await card(page, 'Another one').waitFor();
  });

  test('posts of a muted account disappear at once', async () => {
    const [kim, leo] = [await server.createUser('kim'), await server.createUser('leo')];
    await follow(leo, kim);
    await post(kim, 'Too much of this');
    const page = await server.openClient(leo);
    await card(page, 'Too much').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Mute @kim' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    await card(page, 'Too much').waitFor({ state: 'detached' });
    await makeFinal(page);
    expect((await leo.rest.v1.mutes.list()).map(({ acct }) => acct)).toEqual(['kim']);
  });
});

/** Returns the distance of a post with exactly this text from the top of the window; NaN if it is not rendered. */
const topOf = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const posts = [...document.querySelectorAll('article')];
    const found = posts.find((one) => one.querySelector('.status-content')?.textContent === wanted);
    return found?.getBoundingClientRect().top ?? Number.NaN;
  }, text);

/** The post with exactly this text. */
const cardOf = (page: Page, text: string) =>
  page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });

async function isVisible(page: Page, text: string): Promise<boolean> {
  const top = await topOf(page, text);
  return top >= 0 && top < 844;
}

/** Scrolls down until a post is in view, as far from the top as a reader would have it. */
async function scrollTo(page: Page, text: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await topOf(page, text)) < 300) break;
    await scrollBy(page, 400);
  }
  await cardOf(page, text).waitFor();
  await waitForEndOfScroll(page.locator('html'));
}

/** Scrolls up until a post, and the gap above it, are in view. */
async function scrollUpTo(page: Page, text: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await topOf(page, text)) > 200) break;
    await scrollBy(page, -150);
  }
  await cardOf(page, text).waitFor();
  await waitForEndOfScroll(page.locator('html'));
}

/** Scrolls up to the top and loads the gaps on the way. */
async function loadGaps(page: Page): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await loadGap(page)) await nextFrame(page);
    else if ((await page.evaluate('scrollY')) === 0) break;
    else await scrollBy(page, -500);
  }
}

/** Clicks the button of a gap. Returns false if none is rendered. In one step, because the list moves while it loads. */
const loadGap = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const buttons = [...document.querySelectorAll('button')];
    const button = buttons.find(({ textContent }) => textContent === 'Load more posts here');
    button?.click();
    return button !== undefined;
  });

/**
 * Scrolls down from the top until a post is in view, and loads what is left of gaps. Returns the numbers of the posts that
 * were seen, in order.
 */
async function readDownwards(page: Page, last: string): Promise<number[]> {
  const seen = new Set<number>();
  for (let turn = 0; turn < 400; turn += 1) {
    for (const text of await page.getByRole('article').allInnerTexts())
      for (const [, number] of text.matchAll(/Post (\d+)/g)) seen.add(Number(number));
    if (await loadGap(page)) await nextFrame(page);
    else if (await isVisible(page, last)) break;
    else await scrollBy(page, 300);
  }
  return [...seen].toSorted((one, other) => one - other);
}

const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))');

async function scrollBy(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, pixels);
  await nextFrame(page);
}
