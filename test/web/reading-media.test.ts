import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
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
      await page.getByText(/GUTEN MORGEN AM SEE/).waitFor();
      await page.getByText('Translated from German by LibreTranslate').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show original' }).click();
      await page.getByText(/Guten Morgen am See/).waitFor();
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
      await page.getByText(/SICHER EIN ZAUNKÖNIG/).waitFor();
      await page.getByText(/WER SINGT DENN DA/).waitFor();
      expect(await page.getByText('A wren').count()).toBe(1);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show the originals' }).click();
      await page.getByText(/Eine Drossel/).waitFor();
      await page.getByRole('button', { name: 'Translate 4 posts' }).waitFor();
    });

    test('posts of a timeline in languages that the reader does not read are translated by one press', async () => {
      const [hugo, ida] = [await server.createUser('hugo'), await server.createUser('ida')];
      await hugo.rest.v1.statuses.create({ status: 'Der Kranich zieht #kraniche', language: 'de' });
      await hugo.rest.v1.statuses.create({ status: 'Zwei Kraniche #kraniche', language: 'de' });
      await hugo.rest.v1.statuses.create({ status: 'La grue passe #kraniche', language: 'fr' });
      await hugo.rest.v1.statuses.create({ status: 'The crane passes #kraniche', language: 'en' });
      const page = await server.openClient(ida, '/tags/kraniche');
      await card(page, 'La grue passe').waitFor();
      await page.getByRole('button', { name: 'Translate posts in other languages' }).click();
      await page.getByText(/DER KRANICH ZIEHT/).waitFor();
      await page.getByText(/ZWEI KRANICHE/).waitFor();
      expect(await page.getByText(/The crane passes/).count()).toBe(1);
      // The service does not translate from French.
      expect(await page.getByText(/La grue passe/).count()).toBe(1);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show originals' }).click();
      await page.getByText(/Der Kranich zieht/).waitFor();
      await page.getByText(/Zwei Kraniche/).waitFor();
      // A failure ends it, with an offer to try again.
      await page.route('**/translate', (route) => route.fulfill({ status: 422, json: { error: 'Too busy' } }));
      await page.getByRole('button', { name: 'Translate posts in other languages' }).click();
      await page.getByText('Too busy').waitFor();
      await page.getByRole('button', { name: 'Translate posts in other languages', pressed: false }).waitFor();
    });

    test('a post and a thread are read aloud in their languages, where the browser has voices', async () => {
      const [jan, kim] = [await server.createUser('jan'), await server.createUser('kim')];
      const { id } = await jan.rest.v1.statuses.create({ status: 'Guten Morgen. Es schneit.', language: 'de' });
      await kim.rest.v1.statuses.create({ status: 'How much snow?', language: 'en', inReplyToId: id });
      const page = await server.openClient(kim, `/@jan/${id}`);
      await page.evaluate(fakeSpeech);
      const spoken = () => page.evaluate<string[]>('fakeSpeech.spoken');
      const finish = () => page.evaluate('fakeSpeech.finish()');
      const menu = async () => {
        await page.locator('article.status.main').getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
      };
      await menu();
      expect(await page.getByRole('menuitem', { name: 'Read aloud' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Read aloud' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.evaluate('fakeSpeech.voices.push({ lang: "de-DE" }, { lang: "en-US" })');
      await menu();
      await page.getByRole('menuitem', { name: 'Read aloud' }).click();
      const bar = page.getByRole('region', { name: 'Reading aloud' });
      await bar.getByText('jan').waitFor();
      await expectAccessible(page);
      await finish();
      await finish();
      expect(await spoken()).toEqual(['en en-US jan writes:', 'de de-DE Guten Morgen.', 'de de-DE Es schneit.']);
      await finish();
      await bar.waitFor({ state: 'detached' });
      // A whole thread, from which one goes on to the next post.
      await followLink(page, '/bookmarks');
      await followLink(page, `/@jan/${id}`);
      await page.getByRole('button', { name: 'Read aloud' }).click();
      await bar.getByText('1 of 2').waitFor();
      await bar.getByRole('button', { name: 'Next post' }).click();
      await bar.getByText('2 of 2').waitFor();
      await finish();
      expect((await spoken()).slice(-2)).toEqual(['en en-US kim writes:', 'en en-US How much snow?']);
      await bar.getByRole('button', { name: 'Stop reading' }).click();
      await bar.waitFor({ state: 'detached' });
      await page.locator('article.status.main').focus();
      await page.keyboard.press('l');
      await bar.waitFor();
      await page.keyboard.press('l');
      await bar.waitFor({ state: 'detached' });
    });

    /** A user with a video and an audio file, which are uploaded once. */
    let recorded: Promise<WebUser> | undefined;
    const recorder = (): Promise<WebUser> => (recorded ??= createRecorder());
    async function createRecorder(): Promise<WebUser> {
      const dora = await server.createUser('dora');
      const video = createVideo({ extension: 'mp4', video: 'libx264', audio: 'aac', seconds: 8 });
      const audio = createVideo({ extension: 'ogg', audio: 'libopus', seconds: 8 });
      for (const [status, content, type, description] of [
        ['A flock', await video, 'video/mp4', 'Thrushes fly past'],
        ['A song', await audio, 'audio/ogg', 'A fieldfare chatters'],
      ] as const) {
        const mediaId = await upload(dora, content, type, description);
        await dora.rest.v1.statuses.create({ status, mediaIds: [mediaId] });
      }
      return dora;
    }

    test.each(['phone', 'desktop'] as const)(
      'video and audio have names and controls, and one plays at a time, on the %s',
      async (size) => {
        const page = await server.openClient(await recorder(), '/', { size });
        const flock = card(page, 'A flock').getByRole('group', { name: 'Thrushes fly past' });
        const song = card(page, 'A song').getByRole('group', { name: 'A fieldfare chatters' });
        await flock.getByText(/^0:0[89]$/).waitFor();
        const heights = await Promise.all([flock, song].map((one) => one.boundingBox()));
        await song.getByRole('button', { name: 'Play A fieldfare chatters' }).click();
        await song.getByRole('button', { name: 'Pause' }).waitFor();
        await flock.getByRole('button', { name: 'Play Thrushes fly past' }).click();
        await flock.getByRole('button', { name: 'Pause' }).waitFor();
        await song.getByRole('button', { name: 'Play' }).waitFor();
        expect(await Promise.all([flock, song].map((one) => one.boundingBox()))).toEqual(heights);
        await expectAccessible(page);

        // It seeks by keys and by the slider, and keys of the page do nothing meanwhile.
        const video = flock.locator('video');
        const property = (name: 'currentTime' | 'volume' | 'playbackRate' | 'paused') =>
          video.evaluate((element: HTMLVideoElement, key) => element[key], name);
        const position = flock.getByRole('slider', { name: 'Position' });
        await position.press('End');
        await expect.poll(() => property('currentTime')).toBeGreaterThan(7);
        await position.press('Home');
        await position.press(' ');
        await expect.poll(() => property('paused')).toBe(true);
        await position.press('ArrowRight');
        await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/^0:0[5-8] of 0:0[89]$/);
        await position.press('ArrowDown');
        expect(await property('volume')).toBeCloseTo(0.9);
        const box = await position.boundingBox();
        const middle = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
        if (size === 'phone') await position.tap({ position: middle });
        else await position.click({ position: middle });
        await expect.poll(() => property('currentTime')).toBeCloseTo(4, 0);

        await flock.getByRole('combobox', { name: 'Speed' }).selectOption('1.5×');
        expect(await property('playbackRate')).toBe(1.5);
        await flock.getByRole('button', { name: 'Mute' }).click();
        await flock.getByRole('button', { name: 'Unmute' }).waitFor();
        // Files have captions only in some browsers.
        expect(await flock.getByRole('button', { name: 'Captions' }).count()).toBe(0);
        await video.evaluate((element: HTMLVideoElement) => void element.addTextTrack('captions', 'English', 'en'));
        await flock.getByRole('button', { name: 'Captions', pressed: false }).click();
        await flock.getByRole('button', { name: 'Captions', pressed: true }).waitFor();
        await flock.getByRole('button', { name: 'Full screen' }).click();
        await flock.getByRole('button', { name: 'Leave full screen' }).click();
        await flock.getByRole('button', { name: 'Full screen' }).waitFor();
        // The next player has the same volume and speed.
        await song.getByRole('button', { name: 'Play' }).click();
        await song.getByRole('button', { name: 'Unmute' }).waitFor();
        expect(await song.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('1.5');
      },
    );

    test('an animation plays at a press, rests out of sight, and goes on unless the reader wants less motion', async () => {
      const gia = await server.createUser('gia');
      const gif = await createVideo({ extension: 'gif', video: 'gif', seconds: 1 });
      const animation = await upload(gia, gif, 'image/gif', 'A wing beats');
      for (let count = 0; count < 12; count += 1)
        await gia.rest.v1.statuses.create({ status: `Something below ${count}` });
      await gia.rest.v1.statuses.create({ status: 'A wing', mediaIds: [animation] });
      const page = await server.openClient(gia, '/', { size: 'phone' });
      const video = card(page, 'A wing').locator('video');
      const isPlaying = () => video.evaluate((element: HTMLVideoElement) => !element.paused);
      const goTo = (top: number) => page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await page.getByRole('button', { name: 'Play animation A wing beats' }).tap();
      await page.getByRole('button', { name: 'Pause animation A wing beats' }).waitFor();
      // Far enough to be out of sight, and near enough to stay rendered.
      await goTo(600);
      await expect.poll(isPlaying).toBe(false);
      await goTo(0);
      await page.getByRole('button', { name: 'Play animation A wing beats' }).waitFor();
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.getByRole('button', { name: 'Play animation A wing beats' }).tap();
      await goTo(600);
      await expect.poll(isPlaying).toBe(false);
      await goTo(0);
      await page.getByRole('button', { name: 'Pause animation A wing beats' }).waitFor();
      await page.getByRole('button', { name: 'Pause animation A wing beats' }).tap();
      await expect.poll(isPlaying).toBe(false);
      // The viewer plays it, too.
      await followLink(page, '/@gia/media');
      await page.getByRole('list', { name: 'Images' }).getByRole('button', { name: 'A wing beats' }).tap();
      const viewer = page.locator('dialog.viewer');
      await viewer.getByRole('button', { name: 'Play animation A wing beats' }).tap();
      await viewer.getByRole('button', { name: 'Pause animation A wing beats' }).waitFor();
    });

    test('a hashtag shows its images as a grid, whose viewer has the posts', async () => {
      const [mia, nik] = [await server.createUser('mia'), await server.createUser('nik')];
      const postImage = async (status: string, colour: string, description: string, sensitive = false) =>
        mia.rest.v1.statuses.create({
          status,
          sensitive,
          mediaIds: [await upload(mia, await image(colour), 'image/png', description)],
        });
      await postImage('A wren in the hedge #grid', '#335577', 'A wren');
      await postImage('A robin on a spade #grid', '#885522', 'A robin');
      await postImage('A hunt #grid', '#aa2222', 'A catch', true);
      await mia.rest.v1.statuses.create({ status: 'Only words #grid' });
      const page = await server.openClient(nik, '/bookmarks');
      // The chart arrives after the posts, and moves nothing.
      const { promise: shown, resolve: showChart } = Promise.withResolvers<void>();
      await page.route('**/api/v1/tags/grid', async (route) => {
        await shown;
        await route.continue();
      });
      await followLink(page, '/tags/grid');
      await card(page, 'Only words').waitFor();
      const boxes = () =>
        Promise.all([page.locator('.tag-buttons'), card(page, 'A hunt')].map((one) => one.boundingBox()));
      const before = await boxes();
      showChart();
      await page.locator('.tag-header svg').waitFor();
      expect(await boxes()).toEqual(before);
      const saved = page.waitForResponse((response) => response.url().endsWith('/api/web/settings'));
      await page.getByRole('button', { name: 'Show images only' }).click();
      const grid = page.getByRole('list', { name: 'Images' });
      await grid.getByRole('button', { name: 'A wren' }).waitFor();
      expect(await grid.getByRole('button').count()).toBe(3);
      expect(await grid.locator('img').count()).toBe(2);
      await expectAccessible(page);
      // Sensitive ones are uncovered by a press, and opened by the next one.
      const first = grid.getByRole('button', { name: /^Show sensitive media by @mia/ });
      await first.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const viewer = page.locator('dialog.viewer');
      await viewer.getByText('A robin on a spade').waitFor();
      await expectAccessible(page);
      await viewer.getByRole('button', { name: 'Favourite' }).click();
      await expect.poll(() => viewer.getByRole('button', { name: 'Favourite', pressed: true }).count()).toBe(1);
      await page.keyboard.press('ArrowLeft');
      expect(await viewer.getByText('A hunt').count()).toBe(0);
      await page.keyboard.press('ArrowRight');
      await viewer.getByText('A wren in the hedge').waitFor();
      await page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      await first.click();
      await grid.getByRole('button', { name: 'A catch' }).click();
      await viewer.getByText('A hunt').waitFor();
      await page.keyboard.press('Escape');
      // The choice is kept.
      await saved;
      await expect.poll(() => page.evaluate<unknown>('history.state?.layers ?? 0')).toBe(0);
      await page.reload();
      await grid.getByRole('button', { name: 'A wren' }).waitFor();
      await page.getByRole('button', { name: 'Show images only', pressed: true }).click();
      await card(page, 'Only words').waitFor();
    });

    test('on a phone, the images of a list and of a profile are loaded to the end', async () => {
      const [ole, pia] = [await server.createUser('ole'), await server.createUser('pia')];
      const mediaIds = [await upload(ole, await image('#227755'), 'image/png', 'The oldest one')];
      await ole.rest.v1.statuses.create({ status: 'Long ago', mediaIds });
      for (let count = 0; count < 45; count += 1) await ole.rest.v1.statuses.create({ status: `Words ${count}` });
      const { id: accountId } = await ole.rest.v1.accounts.verifyCredentials();
      await pia.rest.v1.accounts.$select(accountId).follow();
      const list = await pia.rest.v1.lists.create({ title: 'Birds' });
      await pia.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [accountId] });
      const page = await server.openClient(pia, `/lists/${list.id}`, { size: 'phone' });
      await page.getByRole('button', { name: 'Show images only' }).tap();
      const tile = page.getByRole('list', { name: 'Images' }).getByRole('button', { name: 'The oldest one' });
      await tile.waitFor();
      await page.getByText('You have reached the end').waitFor();
      await followLink(page, '/@ole/media');
      await tile.tap();
      const viewer = page.locator('dialog.viewer');
      await viewer.getByText('Long ago').waitFor();
      await viewer.getByRole('link', { name: /ole/ }).first().tap();
      await viewer.waitFor({ state: 'detached' });
      await page.waitForURL((url) => url.pathname === '/@ole');
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
        await card(page, 'Read this').getByText('Tall image').waitFor();
        // A transparent image shows no blur behind it.
        await expect.poll(() => card(page, 'Read this').locator('canvas').count()).toBe(0);
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

/** Replaces the voices of the browser by some that record what they say. A browser on a server has none. */
const fakeSpeech = `{
  const spoken = [];
  const voices = [];
  let current;
  globalThis.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) {
      super();
      this.text = text;
    }
  };
  Object.defineProperty(globalThis, 'speechSynthesis', {
    value: {
      getVoices: () => voices,
      speak(utterance) {
        spoken.push([utterance.lang, utterance.voice?.lang, utterance.text].join(' '));
        current = utterance;
      },
      cancel() {},
    },
  });
  globalThis.fakeSpeech = { spoken, voices, finish: () => current.dispatchEvent(new Event('end')) };
}`;
