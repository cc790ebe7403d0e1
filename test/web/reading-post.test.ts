import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { colorRules, expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;
const follow = async (user: WebUser, followed: WebUser): Promise<unknown> =>
  user.rest.v1.accounts.$select(await idOf(followed)).follow();

async function upload(user: WebUser, color: string, description: string): Promise<string> {
  const image = await sharp({ create: { width: 640, height: 480, channels: 3, background: color } })
    .png()
    .toBuffer();
  const file = new Blob([new Uint8Array(image)], { type: 'image/png' });
  return (await user.rest.v2.media.create({ file, description })).id;
}

describeWithServer('reading posts', (server) => {
  test('images open in a viewer, which keys move and zoom, and which returns the focus', async () => {
    const alice = await server.createUser('alice');
    const mediaIds = [await upload(alice, '#335577', 'A blue bird'), await upload(alice, '#885522', 'A brown bird')];
    await alice.rest.v1.statuses.create({ status: 'Two birds', mediaIds });
    const page = await server.openClient(alice);
    const thumbnail = card(page, 'Two birds').getByRole('button', { name: 'A blue bird' });
    await thumbnail.focus();
    await page.keyboard.press('Enter');
    const viewer = page.locator('dialog.viewer');
    await viewer.getByText('A blue bird').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await viewer.getByText('A brown bird').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await viewer.locator('.viewer-description').innerText()).toBe('A brown bird');
    await page.keyboard.press('+');
    await viewer.locator('.zoom-area.zoomed').waitFor();
    await page.keyboard.press('0');
    await viewer.locator('.zoom-area.zoomed').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await expect.poll(() => thumbnail.evaluate((button) => button === document.activeElement)).toBe(true);
    await card(page, 'Two birds').getByRole('button', { name: 'ALT' }).first().click();
    await page.getByRole('dialog', { name: 'Description' }).getByText('A blue bird').waitFor();
  });

  test('sensitive media is covered until the reader shows it, by the button or a key', async () => {
    const [bob, carol] = [await server.createUser('bob'), await server.createUser('carol')];
    await follow(carol, bob);
    const mediaIds = [await upload(bob, '#aa2222', 'A wound')];
    await bob.rest.v1.statuses.create({ status: 'After the fall', mediaIds, sensitive: true });
    const page = await server.openClient(carol, '/', { colorScheme: 'dark' });
    const post = card(page, 'After the fall');
    await post.getByRole('button', { name: 'Show sensitive media' }).waitFor();
    expect(await post.getByRole('img', { name: 'A wound' }).count()).toBe(0);
    expect(await post.locator('canvas.blurhash').count()).toBe(1);
    await expectAccessible(page);
    await post.getByRole('button', { name: 'Show sensitive media' }).click();
    await post.getByRole('img', { name: 'A wound' }).waitFor();
    await post.focus();
    await page.keyboard.press('h');
    await post.getByRole('button', { name: 'Show sensitive media' }).waitFor();
    await page.keyboard.press('h');
    await post.getByRole('img', { name: 'A wound' }).waitFor();
  });

  test('a reader votes for several answers of a poll and sees the results', async () => {
    const [dave, erin] = [await server.createUser('dave'), await server.createUser('erin')];
    await follow(erin, dave);
    const poll = { options: ['Robin', 'Wren', 'Crow'], expiresIn: 3600, multiple: true };
    await dave.rest.v1.statuses.create({ status: 'Which birds?', poll });
    const page = await server.openClient(erin, '/', { size: 'phone' });
    const post = card(page, 'Which birds?');
    await post.getByRole('button', { name: 'See results' }).click();
    await post.getByText('0 people voted').waitFor();
    await post.getByRole('button', { name: 'Back to the vote' }).click();
    await post.getByRole('checkbox', { name: 'Robin' }).check();
    await post.getByRole('checkbox', { name: 'Crow' }).check();
    await expectAccessible(page);
    await post.getByRole('button', { name: 'Vote', exact: true }).click();
    await post.getByText('1 person voted').waitFor();
    expect(await post.locator('.poll-share').allInnerTexts()).toEqual(['100%', '0%', '100%']);
    expect(await post.getByRole('img', { name: 'Your vote' }).count()).toBe(2);
    await expectAccessible(page);
  });

  test('filters cover a post with their name, blur its media or hide it', async () => {
    const [frank, grace] = [await server.createUser('frank'), await server.createUser('grace')];
    await follow(grace, frank);
    for (const [filterAction, keyword] of [
      ['warn', 'spiders'],
      ['blur', 'snakes'],
      ['hide', 'clowns'],
    ] as const)
      await grace.rest.v2.filters.create({
        title: `About ${keyword}`,
        context: ['home'],
        filterAction,
        keywordsAttributes: [{ keyword, wholeWord: 'true' }],
      } as never);
    const mediaIds = [await upload(frank, '#225522', 'A green snake')];
    await frank.rest.v1.statuses.create({ status: 'I like clowns' });
    await frank.rest.v1.statuses.create({ status: 'Look, snakes', mediaIds });
    await frank.rest.v1.statuses.create({ status: 'So many spiders' });
    const page = await server.openClient(grace);
    const covered = page.getByRole('article', { name: 'Filtered: About spiders' });
    await covered.waitFor();
    expect(await page.getByText('So many spiders').count()).toBe(0);
    await covered.getByRole('button', { name: 'Show anyway' }).click();
    await page.getByText('So many spiders').waitFor();
    const blurred = card(page, 'Look, snakes');
    await blurred.getByText('Filtered: About snakes').waitFor();
    await blurred.getByRole('button', { name: 'Show media' }).click();
    await blurred.getByRole('img', { name: 'A green snake' }).waitFor();
    expect(await page.getByText('I like clowns').count()).toBe(0);
    await expectAccessible(page);
  });

  test('filters cover and hide mentions, and nothing that the reader saved or searches for', async () => {
    const [ivan, judy] = [await server.createUser('ivan'), await server.createUser('judy')];
    for (const [filterAction, keyword] of [
      ['warn', 'wasps'],
      ['hide', 'ghosts'],
    ] as const)
      await judy.rest.v2.filters.create({
        title: `About ${keyword}`,
        context: ['home', 'notifications'],
        filterAction,
        keywordsAttributes: [{ keyword, wholeWord: 'true' }],
      } as never);
    const texts = ['so many wasps', 'two ghosts'];
    for (const text of texts) {
      const { id } = await ivan.rest.v1.statuses.create({ status: `@judy ${text}` });
      await judy.rest.v1.statuses.$select(id).bookmark();
      await judy.rest.v1.statuses.$select(id).favourite();
    }
    const page = await server.openClient(judy, '/notifications');
    await page.getByRole('article', { name: 'Filtered: About wasps' }).waitFor();
    expect(await page.getByText('ivan mentioned you').count()).toBe(1);
    for (const path of ['/bookmarks', '/favourites', '/search?q=wasps&type=statuses', '/search?q=ghosts']) {
      await page.goto(new URL(path, page.url()).href);
      const shown = texts.filter((text) => !path.startsWith('/search') || path.includes(text.split(' ').at(-1) ?? ''));
      for (const text of shown) await card(page, text).waitFor();
    }
  });

  test('the edit history marks what each version changed', async () => {
    const heidi = await server.createUser('heidi');
    const { id } = await heidi.rest.v1.statuses.create({ status: 'Seven old crows' });
    await heidi.rest.v1.statuses.$select(id).update({ status: 'Seven young crows' });
    const page = await server.openClient(heidi, `/@heidi/${id}/history`, { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Edit history' }).waitFor();
    const newest = page.locator('.version').first();
    await newest.locator('del').waitFor();
    expect(await newest.locator('del').allInnerTexts()).toEqual(['old']);
    expect(await newest.locator('ins').allInnerTexts()).toEqual(['young']);
    expect(await page.locator('.version').last().innerText()).toContain('Seven old crows');
    await expectAccessible(page);
  });

  test('a remote article is read to its end in its place, with its images and footnotes, and folded again', async () => {
    const writer = await server.createUser('writer');
    const mediaIds = [await upload(writer, '#c08040', 'A loaf'), await upload(writer, '#704020', 'The crumb')];
    const { id } = await writer.rest.v1.statuses.create({ status: 'Bread', mediaIds });
    const html = [
      '<h2>Crust</h2><p>It takes time<sup id="article-1-ref"><a href="#article-1-note">1</a></sup>.</p>',
      '<figure><a href="https://blog.test/crumb.png" class="u-photo">The crumb</a><figcaption>Open</figcaption></figure>',
      `<table><tr>${'<th>Flour of rye</th>'.repeat(9)}</tr></table><pre><code>bake</code></pre>`,
      `${'<p>And so on, to the end.</p>'.repeat(20)}<ol><li id="article-1-note">Bake longer. <a href="#article-1-ref">Back</a></li></ol>`,
    ].join('');
    await server.sql(
      `update media_attachments set remote_url = 'https://blog.test/crumb.png' where id = ${mediaIds[1]}`,
    );
    const event = {
      startsAt: '2026-12-01T17:00:00Z',
      endsAt: '2026-12-01T19:00:00Z',
      place: 'The mill',
      cancelled: true,
    };
    await server.sql(`insert into status_articles (status_id, type, title, summary, content, length, event)
      values (${id}, 'Event', 'How bread is baked', '<p>Why crust matters</p>', '${html}', 500, '${JSON.stringify(event)}')`);
    // Caches evict what is changed by the API.
    await writer.send('PUT', `/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: 'nobody' });
    const page = await server.openClient(writer, '/', { size: 'phone' });
    const post = card(page, 'How bread is baked');
    await post.getByText('The mill').waitFor();
    expect(await post.locator('.article-event').innerText()).toContain('Cancelled');
    expect(await post.locator('.media-grid img').count()).toBe(2);
    await expectAccessible(page);
    await post.getByRole('button', { name: 'Read on' }).click();
    await post.getByRole('heading', { name: 'Crust' }).waitFor();
    await post.locator('.article-text').getByRole('img', { name: 'The crumb' }).waitFor();
    expect(await post.locator('.media-grid img').count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, colorRules);
    await post.getByRole('link', { name: '1', exact: true }).click();
    const note = post.getByText('Bake longer.');
    await expect.poll(() => note.evaluate((item) => item === document.activeElement)).toBe(true);
    expect(new URL(page.url()).hash).toBe('');
    // The page still scrolls to the note.
    await post.getByRole('button', { name: 'Show less' }).press('Enter');
    await post.locator('.article-text').waitFor({ state: 'detached' });
    expect(await post.locator('.media-grid img').count()).toBe(2);
  });
});
