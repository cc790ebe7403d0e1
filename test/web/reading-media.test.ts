import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { createVideo } from '../media/videos.ts';
import { expectAccessible } from './accessibility.ts';
import { swipe, type Point } from './swipe.ts';
import { describeWithServer, followLink, waitForEndOfScroll, type WebUser } from './web-server.ts';

const card = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });

const article = `<!doctype html><html lang="en"><head><title>Thrushes in winter</title>
  <meta property="og:type" content="article"><meta property="og:title" content="Thrushes in winter">
  <meta property="og:description" content="Where they sleep, and what they eat."></head><body></body></html>`;

/** A web page, and a service that translates texts into capital letters, as LibreTranslate does. */
const site = createServer((request, response) => void answer(request, response));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
afterAll(() => site.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.url === '/thrushes') {
    response.setHeader('content-type', 'text/html').end(article);
    return;
  }
  response.setHeader('content-type', 'application/json');
  if (request.url === '/languages') {
    const targets = ['de', 'en'];
    response.end(JSON.stringify(targets.map((code) => ({ code, name: code, targets }))));
    return;
  }
  const { q } = JSON.parse(body) as { q: string[] };
  response.end(JSON.stringify({ translatedText: q.map((words) => words.toUpperCase()) }));
}

async function upload(user: WebUser, content: Buffer, type: string, description: string): Promise<string> {
  const file = new Blob([new Uint8Array(content)], { type });
  return (await user.rest.v2.media.create({ file, description })).id;
}

const image = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .png()
    .toBuffer();

describeWithServer(
  'reading links, media and other languages',
  (server) => {
    test('a link gets a card, which leads to the page', async () => {
      const alice = await server.createUser('alice');
      await alice.rest.v1.statuses.create({ status: `Worth reading: ${siteUrl}/thrushes` });
      const page = await server.openClient(alice);
      const title = card(page, 'Worth reading').getByRole('link', { name: 'Thrushes in winter' });
      await title.waitFor();
      await card(page, 'Worth reading').getByText('Where they sleep, and what they eat.').waitFor();
      expect(await title.getAttribute('href')).toBe(`${siteUrl}/thrushes`);
      expect(await title.getAttribute('rel')).toContain('noopener');
      await expectAccessible(page);
    });

    test('the menu of a post with a link leads to the public posts about it', async () => {
      const [nora, omar] = [await server.createUser('nora'), await server.createUser('omar')];
      await nora.rest.v1.statuses.create({ status: `Thrushes again: ${siteUrl}/thrushes` });
      await omar.rest.v1.statuses.create({ status: `My winter guests: ${siteUrl}/thrushes` });
      await omar.rest.v1.statuses.create({ status: 'Nothing about birds' });
      const page = await server.openClient(nora);
      const own = card(page, 'Thrushes again');
      await own.getByRole('link', { name: 'Thrushes in winter' }).waitFor();
      await own.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'More posts about this link' }).click();
      await card(page, 'My winter guests').waitFor();
      await card(page, 'Thrushes again').waitFor();
      expect(await page.getByText('Nothing about birds').count()).toBe(0);
      await expectAccessible(page);
      await page.goto(`${server.url}/links?url=${encodeURIComponent(`${siteUrl}/unknown`)}`);
      await page.getByText('No posts about this link yet').waitFor();
    });

    test('a post in another language is translated, and its original shown again', async () => {
      const [bruno, carla] = [await server.createUser('bruno'), await server.createUser('carla')];
      const { id } = await bruno.rest.v1.statuses.create({ status: 'Guten Morgen am See', language: 'de' });
      const page = await server.openClient(carla, `/@bruno/${id}`);
      await page.getByRole('button', { name: 'Translate' }).click();
      await page.getByText('GUTEN MORGEN AM SEE').waitFor();
      await page.getByText('Translated from German by LibreTranslate').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show original' }).click();
      await page.getByText('Guten Morgen am See').waitFor();
    });

    test('all posts of a thread are translated by one press, and an attempt that fails goes on where it ended', async () => {
      const [berta, carl] = [await server.createUser('berta'), await server.createUser('carl')];
      const { id } = await berta.rest.v1.statuses.create({ status: 'Wer singt denn da', language: 'de' });
      const answers = ['Eine Drossel', 'Oder ein Star', 'Sicher ein Zaunkönig'];
      for (const status of answers) await carl.rest.v1.statuses.create({ status, language: 'de', inReplyToId: id });
      await carl.rest.v1.statuses.create({ status: 'A wren', language: 'en', inReplyToId: id });
      const page = await server.openClient(carl, `/@berta/${id}`);
      await page.getByText('Sicher ein Zaunkönig').waitFor();
      await page.route('**/translate', (route) => route.fulfill({ status: 422, json: { error: 'Too busy' } }));
      await page.getByRole('button', { name: 'Translate 4 posts' }).click();
      await page.getByText('Too busy').waitFor();
      await page.unroute('**/translate');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('SICHER EIN ZAUNKÖNIG').waitFor();
      await page.getByText('WER SINGT DENN DA').waitFor();
      expect(await page.getByText('A wren').count()).toBe(1);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show the originals' }).click();
      await page.getByText('Eine Drossel').waitFor();
      await page.getByRole('button', { name: 'Translate 4 posts' }).waitFor();
    });

    test('video and audio have names and controls, and one plays at a time', async () => {
      const dora = await server.createUser('dora');
      const video = await createVideo({ extension: 'webm', video: 'libvpx', audio: 'libopus', seconds: 2 });
      const audio = await createVideo({ extension: 'ogg', audio: 'libopus', seconds: 2 });
      for (const [status, content, type, description] of [
        ['A flock', video, 'video/webm', 'Thrushes fly past'],
        ['A song', audio, 'audio/ogg', 'A fieldfare chatters'],
      ] as const) {
        const mediaId = await upload(dora, content, type, description);
        await dora.rest.v1.statuses.create({ status, mediaIds: [mediaId] });
      }
      const page = await server.openClient(dora);
      await expectAccessible(page);
      const flock = card(page, 'A flock').locator('video[aria-label="Thrushes fly past"][controls]');
      await flock.evaluate((element: HTMLVideoElement) => (element.loop = true));
      await play(flock);
      await play(card(page, 'A song').locator('audio[aria-label="A fieldfare chatters"][controls]'));
      expect(await flock.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
    });

    test('on a phone, a finger leads to the next image and closes the viewer', async () => {
      const erik = await server.createUser('erik');
      const mediaIds = [
        await upload(erik, await image('#335577'), 'image/png', 'A blue bird'),
        await upload(erik, await image('#885522'), 'image/png', 'A brown bird'),
      ];
      await erik.rest.v1.statuses.create({ status: 'Two birds', mediaIds });
      const page = await server.openClient(erik, '/', { size: 'phone' });
      await card(page, 'Two birds').getByRole('button', { name: 'A blue bird' }).tap();
      const viewer = page.locator('dialog.viewer');
      await viewer.getByText('A blue bird').waitFor();
      await swipe(page, { x: 300, y: 400 }, { x: 80, y: 410 });
      await viewer.getByText('A brown bird').waitFor();
      await swipe(page, { x: 80, y: 400 }, { x: 300, y: 390 });
      await viewer.getByText('A blue bird').waitFor();
      await swipe(page, { x: 200, y: 300 }, { x: 205, y: 600 });
      await viewer.waitFor({ state: 'detached' });
    });

    test.each(['phone', 'desktop'] as const)(
      'a tall image is shown from its top, and read by scrolling in the viewer, on the %s',
      async (size) => {
        const gwen = await server.createUser(`gwen_${size}`);
        const mediaIds = [await upload(gwen, await tallImage(), 'image/png', 'A long conversation')];
        await gwen.rest.v1.statuses.create({ status: 'Read this', mediaIds });
        const page = await server.openClient(gwen, '/', { size });
        const preview = card(page, 'Read this').locator('.media-open > img');
        await preview.waitFor();
        expect(await preview.evaluate((element: HTMLImageElement) => getComputedStyle(element).objectPosition)).toBe(
          '50% 0%',
        );
        await expect.poll(() => preview.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(600);
        const box = await preview.boundingBox();
        expect((box?.height ?? 0) / (box?.width ?? 1)).toBeLessThan(1.3);

        await card(page, 'Read this').getByRole('button', { name: 'A long conversation' }).click();
        const area = page.locator('.scroll-area');
        const shown = area.locator('img');
        await shown.waitFor();
        await expectAccessible(page);
        const widthOf = async (): Promise<number> => Math.round((await shown.boundingBox())?.width ?? 0);
        const top = () => area.evaluate((element) => Math.round(element.scrollTop));
        const whole = size === 'phone' ? 390 : 600;
        await expect.poll(widthOf).toBe(whole);
        expect(await top()).toBe(0);
        await page.keyboard.press('PageDown');
        await expect.poll(top).toBeGreaterThan(400);
        await waitForEndOfScroll(area);
        const before = await top();
        await page.mouse.move(190, 400);
        await page.mouse.wheel(0, 300);
        await expect.poll(top).toBe(before + 300);
        await page.keyboard.press('End');
        await expect
          .poll(() => area.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop))
          .toBeLessThan(2);
        // Magnified, the point under the pointer stays where it is.
        await page.keyboard.press('Home');
        await expect.poll(top).toBe(0);
        await shown.dblclick({ position: { x: 100, y: 300 } });
        await expect.poll(widthOf).toBe(whole * 2.5);
        await expect.poll(top).toBeCloseTo(300 * 1.5, -1);
        await page.keyboard.press('-');
        await page.keyboard.press('0');
        await expect.poll(widthOf).toBe(whole);
        await page.locator('dialog.viewer').getByRole('button', { name: 'Zoom in' }).click();
        await expect.poll(widthOf).toBe(whole * 2.5);
        await page.goBack();
        await area.waitFor({ state: 'detached' });
      },
    );

    test('of six images four are shown, and the last one leads to the others', async () => {
      const ila = await server.createUser('ila');
      const mediaIds = [await upload(ila, await image('#225588'), 'image/png', 'A blue bird')];
      const { id } = await ila.rest.v1.statuses.create({ status: 'Six of them', mediaIds });
      const page = await server.openClient(ila, '/bookmarks');
      // Other servers attach as many.
      await page.route('**/api/v1/statuses/*', async (route) => {
        const response = await route.fetch();
        const status = (await response.json()) as { media_attachments: object[] };
        const copies = [1, 2, 3, 4, 5, 6].map((number) => ({
          ...status.media_attachments[0],
          id: String(number),
          description: `Bird ${number}`,
        }));
        await route.fulfill({ response, json: { ...status, media_attachments: copies } });
      });
      await followLink(page, `/@ila/${id}`);
      const post = page.locator('article.status.main');
      await post.getByRole('button', { name: 'Bird 4' }).waitFor();
      expect(await post.locator('.media').count()).toBe(4);
      const last = post.locator('.media').last();
      expect(await last.locator('.media-further').innerText()).toBe('+2');
      await last.locator('.media-open').click();
      const viewer = page.locator('dialog.viewer');
      await viewer.getByText('Bird 4').waitFor();
      await page.keyboard.press('ArrowRight');
      await viewer.getByText('Bird 5').waitFor();
    });

    test('on a phone, fingers scroll, pinch and leave a tall image', async () => {
      const ivo = await server.createUser('ivo');
      const mediaIds = [
        await upload(ivo, await tallImage(), 'image/png', 'A long conversation'),
        await upload(ivo, await image('#885522'), 'image/png', 'A brown bird'),
      ];
      await ivo.rest.v1.statuses.create({ status: 'Read both', mediaIds });
      const page = await server.openClient(ivo, '/', { size: 'phone' });
      await card(page, 'Read both').getByRole('button', { name: 'A long conversation' }).tap();
      const viewer = page.locator('dialog.viewer');
      const shown = viewer.locator('.scroll-area img');
      await shown.waitFor();
      const session = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<unknown> =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', [
        { x: 150, y: 400 },
        { x: 250, y: 400 },
      ]);
      for (const way of [20, 40, 60, 80, 100])
        await touch('touchMove', [
          { x: 150 - way, y: 400 },
          { x: 250 + way, y: 400 },
        ]);
      await touch('touchEnd', []);
      await expect.poll(async () => Math.round((await shown.boundingBox())?.width ?? 0)).toBeGreaterThan(900);
      await page.keyboard.press('0');
      await expect.poll(async () => Math.round((await shown.boundingBox())?.width ?? 0)).toBe(390);
      await swipe(page, { x: 200, y: 600 }, { x: 205, y: 300 });
      await expect
        .poll(() => viewer.locator('.scroll-area').evaluate((element) => element.scrollTop))
        .toBeGreaterThan(100);
      await swipe(page, { x: 300, y: 400 }, { x: 80, y: 405 });
      await viewer.getByText('A brown bird').waitFor();
      expect(await viewer.locator('.zoom-area').count()).toBe(1);
      await page.keyboard.press('ArrowLeft');
      await shown.waitFor();
    });
  },
  { TRANSLATION_URL: siteUrl },
);

/** A long screenshot. */
const tallImage = (): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 7000, channels: 3, background: '#ddeeff' } })
    .png()
    .toBuffer();

/** Plays media without sound, as a browser permits without a click, until some of it was played. */
async function play(media: Locator): Promise<void> {
  await media.evaluate((element: HTMLMediaElement) => {
    element.muted = true;
    return element.play();
  });
  await expect.poll(() => media.evaluate((element: HTMLMediaElement) => element.currentTime)).toBeGreaterThan(0);
}
