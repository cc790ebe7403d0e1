import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import { Browser } from '../../browser.ts';
import { Network } from '../../network.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const password = 'correct horse battery';
const activity = { headers: { accept: 'application/activity+json' } };

async function post(user: TestUser, fields: object): Promise<string> {
  return (await user.post('/api/v1/statuses', fields)).json.id as string;
}

async function upload(user: TestUser, description?: string): Promise<string> {
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  const body = await multipart({ file, ...(description !== undefined && { description }) });
  return (await user.post('/api/v2/media', body)).json.id as string;
}

async function openPage(server: TestServer, path: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.open(path);
  return browser;
}

test('the link of a hashtag opens a paginated page of its public posts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await post(alice, { status: 'the first #Birds' });
  for (let number = 2; number <= 21; number += 1) await post(alice, { status: `number ${number}. #birds` });
  for (const visibility of ['unlisted', 'private', 'direct'])
    await post(alice, { status: `${visibility} #birds`, visibility });
  const profile = await openPage(server, '/@alice');
  const link = /href="https:\/\/fieldfare\.test(\/tags\/birds)"/i.exec(profile.text)?.[1] ?? '';
  const page = await openPage(server, link);
  expect(page.text.match(/<article/g)).toHaveLength(20);
  expect(page.text).not.toMatch(/unlisted #|private #|direct #/);
  await page.open(/href="([^"]+)" rel="next"/.exec(page.text)?.[1] ?? '');
  expect(page.text).toContain('the first');
  expect(page.text).not.toContain('rel="next"');
  expect((await openPage(server, '/tags/nothing')).text).toContain('No public posts yet.');
  expect((await openPage(server, `/tags/${encodeURIComponent('<b>')}`)).status).toBe(404);
  const { json } = await server.anonymous.get('/tags/birds', activity);
  expect(json).toMatchObject({ type: 'OrderedCollection', id: 'https://fieldfare.test/tags/birds' });
  expect(json).not.toHaveProperty('orderedItems');
});

test('hashtag pages require sign-in without public preview and in limited federation mode', async () => {
  for (const settings of [{ PUBLIC_PREVIEW: 'off' }, { LIMITED_FEDERATION: 'on' }]) {
    await using server = await startServer({ settings });
    const alice = await server.user('alice');
    await post(alice, { status: 'only for us #birds' });
    const stranger = await openPage(server, '/tags/birds');
    expect(stranger.path).toMatch(/^\/auth\/sign_in\?return_to=%2Ftags%2Fbirds/);
    const browser = new Browser(server);
    await browser.signIn('alice');
    await browser.open('/tags/birds');
    expect(browser.text).toContain('only for us');
  }
});

test('polls are shown with their results, unless totals are hidden', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const poll = { options: ['wren & robin', 'heron'], expires_in: 3600 };
  const { json } = await alice.post('/api/v1/statuses', { status: 'which?', poll });
  await bob.post(`/api/v1/polls/${json.poll.id}/votes`, { choices: [1] });
  const hidden = await post(alice, { status: 'secret', poll: { ...poll, hide_totals: true } });
  const page = await openPage(server, `/@alice/${json.id}`);
  expect(page.text).toContain('wren &amp; robin');
  expect(page.text).toMatch(/heron<\/span>\s*<span class="soft">100 %/);
  expect(page.text).toMatch(/1 person voted &middot; open until/);
  const secret = await openPage(server, `/@alice/${hidden}`);
  expect(secret.text).toContain('heron');
  expect(secret.text).not.toContain(' %</span>');
  server.clock.advance(4000);
  await server.drain();
  expect((await openPage(server, `/@alice/${json.id}`)).text).toContain('&middot; closed');
});

test('the counts of a profile have plural forms and the separators of the language', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await post(alice, { status: 'the only one' });
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  const counts = async (language: string) => {
    const browser = new Browser(server);
    browser.language = language;
    await browser.open('/@alice');
    const [, list = ''] = /<ul class="counts">(.*?)<\/ul>/s.exec(browser.text) ?? [];
    return [...list.matchAll(/<li>(.*?)<\/li>/gs)].slice(0, 3).map(([, item]) => item);
  };
  expect(await counts('en')).toEqual([
    '<strong>1</strong> post',
    '<strong>0</strong> following',
    '<strong>1</strong> follower',
  ]);
  expect((await counts('de'))[0]).toBe('<strong>1</strong> Beitrag');
  await server.db.updateTable('account_stats').set({ statuses_count: 1234 }).execute();
  clearCaches(server.app);
  expect((await counts('de'))[0]).toBe('<strong>1.234</strong> Beiträge');
});

test('the page of a reply shows its public and unlisted ancestors', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await post(alice, { status: 'the root' });
  const secret = await post(alice, { status: 'a secret step', visibility: 'private', in_reply_to_id: root });
  const reply = await post(bob, { status: '@alice a reply', in_reply_to_id: root });
  const below = await post(alice, { status: '@bob further down', in_reply_to_id: reply });
  await post(alice, { status: 'after the secret', in_reply_to_id: secret });
  const page = await openPage(server, `/@bob/${reply}`);
  const main = page.text.slice(page.text.indexOf('<main'));
  const order = ['In reply to', 'the root', 'a reply', 'Replies', 'further down'].map((text) => main.indexOf(text));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(0);
  expect(page.text).not.toContain('secret');
  expect(page.text).toContain('In reply to @alice');
  const profile = await openPage(server, '/@bob/with_replies');
  expect(profile.text).toMatch(new RegExp(`href="[^"]*/@bob/${reply}">In reply to @alice`));
  expect((await openPage(server, `/@alice/${below}`)).text).toContain('the root');
});

test('a profile page shows public pinned posts on its first page, and the creation date', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const pinned = await post(alice, { status: 'read this first' });
  const secret = await post(alice, { status: 'for followers', visibility: 'private' });
  for (const id of [pinned, secret]) await alice.post(`/api/v1/statuses/${id}/pin`);
  for (let number = 1; number <= 20; number += 1) await post(alice, { status: `number ${number}.` });
  const profile = await openPage(server, '/@alice');
  expect(profile.text.indexOf('Pinned')).toBeLessThan(profile.text.indexOf('read this first'));
  expect(profile.text).not.toContain('for followers');
  expect(profile.text).toMatch(/Joined <time datetime="\d{4}-[^"]+">\w+ \d{4}/);
  await profile.open(/href="(\/@alice\?max_id=\d+)"/.exec(profile.text)?.[1] ?? '');
  expect(profile.text).not.toContain('Pinned');
});

test('every image is a link with alternative text, even without a description', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const media_ids = [await upload(alice), await upload(alice, 'A wren'), await upload(alice)];
  const id = await post(alice, { status: 'three images', media_ids });
  await server.drain();
  const { text } = await openPage(server, `/@alice/${id}`);
  const names = [...text.matchAll(/<a href="[^"]*"><img src="[^"]*" alt="([^"]*)"/g)].map(([, alt]) => alt);
  expect(names).toEqual(['Image 1 of 3 without description', 'A wren', 'Image 3 of 3 without description']);
});

test('a sign-up that was submitted too fast keeps its input, and works when submitted again', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  const fields = { username: 'alice', email: 'alice@mail.test', agreement: '1' };
  await browser.submit('/auth/sign_up', { ...fields, password });
  expect(browser.status).toBe(422);
  expect(browser.text).toContain('value="alice@mail.test"');
  expect(browser.text).toMatch(/id="agreement"[^>]*checked/);
  expect(browser.text).not.toContain(password);
  server.clock.advance(4);
  await browser.submit('/auth/sign_up', { ...fields, password });
  expect(browser.path).toMatch(/^\/auth\/setup/);
});

test('error pages keep the navigation of signed-in users', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await openPage(server, '/no/such/page');
  expect([browser.status, browser.text.includes('href="/auth/sign_in"')]).toEqual([404, true]);
  await browser.signIn('alice');
  for (const path of ['/no/such/page', '/@nobody', '/@alice/1', '/tags/%20']) {
    await browser.open(path);
    expect(browser.status, path).toBe(404);
    expect(browser.text, path).toContain('<a dir="ltr" href="/settings">@alice');
    expect(browser.text, path).toContain('action="/auth/sign_out"');
  }
  await browser.submit('/auth/sign_out');
  expect(browser.path).toBe('/');
});

test('robots.txt, change-password, security.txt and the web app manifest are served', async () => {
  await using server = await startServer();
  const get = (path: string) => server.anonymous.get(path);
  const robots = await get('/robots.txt');
  expect([robots.headers['content-type'], robots.text]).toEqual([
    'text/plain; charset=utf-8',
    expect.stringContaining('Disallow: /api/'),
  ]);
  const password = await get('/.well-known/change-password');
  expect([password.status, password.headers['location']]).toEqual([302, '/auth/edit']);
  const { text } = await get('/.well-known/security.txt');
  expect(text).toMatch(/^Contact: https:\/\/fieldfare\.test\/about$/m);
  const expires = new Date(/^Expires: (.*)$/m.exec(text)?.[1] ?? '').getTime();
  expect(expires).toBeGreaterThan(server.clock.now().getTime());
  expect(expires).toBeLessThan(server.clock.now().getTime() + 365 * 86_400_000);
  const manifest = await get('/manifest');
  expect(manifest.headers['content-type']).toContain('application/manifest+json');
  expect(JSON.parse(manifest.text)).toMatchObject({
    start_url: '/',
    theme_color: '#f7f4ee',
    icons: [{ src: '/icon-192.png' }, {}, { src: '/icon-maskable-512.png', purpose: 'maskable' }],
    shortcuts: [
      { name: 'Write a post', url: '/publish' },
      { name: 'Notifications', url: '/notifications' },
      { name: 'Search', url: '/search' },
    ],
  });
  const { screenshots } = JSON.parse(manifest.text);
  expect(screenshots).toMatchObject([{ form_factor: 'wide' }, { form_factor: 'narrow' }]);
  for (const { src, sizes } of screenshots) {
    const name = src.split('/').at(-1);
    const picture = await server.anonymous.get(`/assets/screenshots/${name}`);
    const { width, height, size } = await sharp(readFileSync(`server/pages/web/screenshots/${name}`)).metadata();
    expect(picture.headers).toMatchObject({ 'content-type': 'image/webp', 'content-length': String(size) });
    expect(`${width}x${height}`).toBe(sizes);
    expect(size).toBeLessThan(150_000);
  }
  expect((await server.anonymous.get('/assets/screenshots/other.webp')).status).toBe(404);
  expect((await openPage(server, '/')).text).toContain('<link rel="manifest" href="/manifest" />');
});

test('/authorize_interaction lets users follow remote accounts and favourite remote posts', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const [alice, carol] = [await here.user('alice'), await there.user('carol')];
  const { json: remote } = await carol.post('/api/v1/statuses', { status: 'a far away post' });
  const browser = new Browser(here);
  const page = (uri: string): string => `/authorize_interaction?uri=${encodeURIComponent(uri)}`;

  await browser.open(page('acct:carol@there.test'));
  expect(browser.path).toMatch(/^\/auth\/sign_in\?return_to=%2Fauthorize_interaction/);
  await browser.submit('/auth/sign_in', { email: 'alice', password });
  expect(browser.text).toContain('@carol@there.test');
  await browser.submit('/authorize_interaction/account', { action: 'follow' });
  await network.drain();
  await browser.open(page('https://there.test/@carol'));
  expect(browser.text).toContain('Unfollow');
  const { json: following } = await alice.get(`/api/v1/accounts/${alice.id}/following`);
  expect(following).toMatchObject([{ acct: 'carol@there.test' }]);

  await browser.open(page(remote.uri));
  expect(browser.text).toContain('a far away post');
  await browser.submit('/authorize_interaction/status', { action: 'favourite' });
  expect(browser.text).toContain('Remove favourite');
  await network.drain();
  expect((await carol.get(`/api/v1/statuses/${remote.id}`)).json.favourites_count).toBe(1);
  await browser.submit('/authorize_interaction/status', { action: 'unfavourite' });
  expect(browser.text).not.toContain('Remove favourite');

  for (const uri of ['', 'https://there.test/@nobody', 'nobody@there.test', 'javascript:alert(1)']) {
    await browser.open(page(uri));
    expect(browser.status, uri).toBe(404);
  }
  here.expectUndelivered('there.test');
  network.takeDown('there.test');
  await browser.open(page('https://there.test/@dora'));
  expect(browser.status).toBe(503);
});

test('a post that the viewer may not see cannot be opened, favourited or answered by its URI', async () => {
  await using server = await startServer();
  const [alice] = [await server.user('alice'), await server.user('bob')];
  const secret = await post(alice, { status: 'for followers', visibility: 'private' });
  const { json } = await alice.get(`/api/v1/statuses/${secret}`);
  const open = await post(alice, { status: 'open' });
  const browser = new Browser(server);
  await browser.signIn('bob');
  await browser.open(`/authorize_interaction?uri=${encodeURIComponent(json.uri)}`);
  expect(browser.status).toBe(404);
  await browser.open(
    `/authorize_interaction?uri=${encodeURIComponent(`https://fieldfare.test/users/alice/statuses/${open}`)}`,
  );
  const { authenticity_token = '' } = browser.hiddenFields('/authorize_interaction/status');
  const fields = { authenticity_token, id: secret, uri: json.uri, action: 'favourite' };
  await browser.submit('/authorize_interaction/status', fields);
  expect(browser.status).toBe(404);
  await browser.open(`/share?in_reply_to_id=${secret}`);
  expect(browser.status).toBe(404);
});

test('/share posts a link; submitting the form twice posts once; errors keep the text', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = new Browser(server);
  await browser.open('/share?title=A%20title&text=some%20words&url=https%3A%2F%2Fnews.test%2F1');
  expect(browser.path).toMatch(/^\/auth\/sign_in/);
  await browser.submit('/auth/sign_in', { email: 'alice', password });
  expect(browser.text).toMatch(/<textarea[^>]*>A title some words https:\/\/news\.test\/1<\/textarea>/);
  const page = browser.text;
  const hidden = browser.hiddenFields('/share');
  const fields = { ...hidden, status: 'from another site', visibility: 'unlisted' };
  await browser.submit('/share', fields);
  expect(browser.path).toMatch(/^\/@alice\/\d+$/);
  await browser.send('/share', fields);
  const { json } = await alice.get(`/api/v1/accounts/${alice.id}/statuses`);
  expect(json).toMatchObject([{ content: '<p>from another site</p>', visibility: 'unlisted' }]);
  expect(page).toContain('value="public" selected');

  const files = new File(['x'], 'a.txt');
  const shared = await server.anonymous.post('/publish', await multipart({ text: 'words & more', files }));
  expect([shared.status, shared.headers['location']]).toEqual([303, '/share?text=words%20%26%20more']);

  await browser.open('/share');
  await browser.submit('/share', { status: 'x'.repeat(501) });
  expect(browser.status).toBe(422);
  expect(browser.text).toContain('x'.repeat(501));
  await browser.submit('/share', { status: 'for followers', visibility: 'private' });
  expect(browser.text).toContain('Your post was sent.');

  const bob = await server.user('bob');
  const question = await post(bob, { status: 'a question', visibility: 'unlisted' });
  await browser.open(`/share?in_reply_to_id=${question}`);
  expect(browser.text).toContain('value="unlisted" selected');
  await browser.submit('/share', { status: '@bob an answer', visibility: 'unlisted' });
  const { json: context } = await bob.get(`/api/v1/statuses/${question}/context`);
  expect(context.descendants).toMatchObject([{ in_reply_to_id: question }]);
});
