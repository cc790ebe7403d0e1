import { readFileSync } from 'node:fs';
import { parseSetCookie } from 'cookie';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { routes } from '../../../server/pages/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { RoleId } from '../../../server/platform/ids.ts';
import { createOwnerSetupLink } from '../../../server/users/sign-up/index.ts';
import { Browser } from '../../browser.ts';
import { forgedToken } from '../../forged-token.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';
import { writable } from '../../writable.ts';

const password = 'correct horse battery';
const session = '__Host-session';

const html = { headers: { accept: 'text/html' } };

function findMailedLink(server: TestServer): string {
  const link = /https:\/\/fieldfare\.test(\/\S+)/.exec(server.outbox.at(-1)?.text ?? '')?.[1];
  if (link === undefined) throw new Error('no mail with a link was sent');
  return link;
}

async function post(user: TestUser, fields: object): Promise<string> {
  const { json } = await user.post('/api/v1/statuses', fields);
  return json.id as string;
}

test('every page has strict security headers, is not cached, and works without scripts', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  const publicPaths = [
    '/',
    '/about',
    '/privacy-policy',
    '/auth/sign_in',
    '/auth/sign_up',
    '/auth/password/new',
    '/oauth/authorize',
  ];
  const check = async (path: string) => {
    await browser.open(path);
    const { headers, text } = browser.response!;
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(text).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr" data-theme="auto"/);
    // The only script is for passkeys, and changes nothing without them.
    const markup = text.replace(/<script src="\/assets\/passkeys\.js\?v=[\w-]{12}" type="module"><\/script>/, '');
    expect(markup).not.toMatch(/<script|<style| style=| on[a-z]+="/i);
    expect(text.match(/<h1/g)).toHaveLength(1);
    for (const [, id] of text.matchAll(/<(?:input|textarea)(?! type="hidden")[^>]* id="([^"]+)"/g)) {
      expect(text).toContain(`<label for="${id}"`);
    }
  };
  for (const path of publicPaths) await check(path);
  await browser.signIn('alice');
  for (const path of ['/', '/auth/edit', '/oauth/authorized_applications']) await check(path);
  const css = await server.anonymous.get('/assets/pages.css');
  expect(css.headers['content-type']).toContain('text/css');
  // The names of colours, sizes and motion are those of the web client.
  const tokens = readFileSync('web/src/styles/tokens.css', 'utf8');
  expect(css.text.startsWith(tokens)).toBe(true);
  const ownColors = css.text.slice(tokens.length).match(/#[0-9a-f]{3,8}\b/gi);
  expect(ownColors, 'only QR codes are always on white').toEqual(['#ffffff']);
  expect(tokens).toContain("url('/assets/literata-600.woff2')");
  const font = await server.anonymous.get('/assets/literata-600.woff2');
  expect(font.headers).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(Number(font.headers['content-length'])).toBeLessThanOrEqual(20 * 1024);
});

test('pages look as the signed-in person chose in the web client', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  expect(browser.text).toContain('data-theme="auto"');
  await browser.signIn('alice');
  const [, token = ''] = /<meta name="csrf-token" content="([^"]+)"/.exec(browser.text) ?? [];
  const data = { appearance: { theme: 'dark', textSize: 'large' } };
  expect((await browser.fetch('PUT', '/api/web/settings', { data }, { 'x-csrf-token': token })).status).toBe(200);
  await browser.open('/auth/edit');
  expect(browser.text).toContain('data-theme="dark" data-text-size="large"');
  expect(browser.text).toContain('<meta name="theme-color" content="#14181f" />');
});

test('signing in sets a new session cookie, inaccessible to scripts and other sites', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  // An attacker planted a session id.
  browser.cookies.set(session, 'planted-by-an-attacker');
  const fields = { ...browser.hiddenFields('/auth/sign_in'), email: 'alice', password };
  const response = await browser.send('/auth/sign_in', fields);
  expect(response.status).toBe(303);
  const [cookie = ''] = [response.headers['set-cookie'] ?? []].flat().map(String);
  expect(parseSetCookie(cookie)).toEqual({
    name: '__Host-session',
    value: expect.stringMatching(/^[\w-]{43}$/),
    path: '/',
    maxAge: expect.any(Number),
    httpOnly: true,
    sameSite: 'lax',
    secure: true,
  });
});

test('signing in again revokes the previous session, and signing out revokes the current one', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const first = browser.cookies.get(session) ?? '';
  await browser.open('/auth/sign_in?force=1');
  await browser.submit('/auth/sign_in', { email: 'alice', password });
  const second = browser.cookies.get(session) ?? '';
  expect(second).not.toBe(first);
  await browser.submit('/auth/sign_out');
  expect(browser.cookies.has(session)).toBe(false);
  for (const stolen of [first, second]) {
    browser.cookies.set(session, stolen);
    expect(await browser.open('/auth/edit')).toMatch(/^\/auth\/sign_in/);
  }
});

test('DELETE signs out like POST, with a valid CSRF token only', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/');
  expect((await browser.send('/auth/sign_out', {}, {}, 'DELETE')).status).toBe(422);
  const response = await browser.send('/auth/sign_out', browser.hiddenFields('/auth/sign_out'), {}, 'DELETE');
  expect([response.status, response.headers['location']]).toEqual([303, '/']);
  expect(parseSetCookie(String(response.headers['set-cookie']))).toMatchObject({
    name: session,
    value: '',
    path: '/',
    maxAge: 0,
  });
  expect(await browser.open('/auth/edit')).toMatch(/^\/auth\/sign_in/);
});

test('on plain HTTP the session cookie has no Secure flag, so that signing in on localhost works', async () => {
  await using server = await startServer({ settings: { BASE_URL: 'http://localhost:3000' } });
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  expect(browser.cookies.get('session')).toMatch(/^[\w-]{43}$/);
});

test('every form without a valid CSRF token, or from another site, is 422', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const alice = new Browser(server);
  await alice.signIn('alice');
  await alice.open('/');
  const bob = new Browser(server);
  await bob.signIn('bob');
  await bob.open('/');
  const foreign = bob.hiddenFields('/auth/sign_out')['authenticity_token'] ?? '';
  const own = alice.hiddenFields('/auth/sign_out')['authenticity_token'] ?? '';
  // The token in its URL authorizes the one-click request of a mail program (RFC 8058). What other apps share is sent by
  // the system and only shown in a form. A provider authorizes a sign-out by its own token.
  const exempt = ['/unsubscribe', '/publish', '/auth/providers/:provider/logout'];
  const changing = routes.filter(
    ({ method, path, options }) => method !== 'GET' && options.access === 'page' && !exempt.includes(path),
  );
  expect(changing.length).toBeGreaterThan(10);
  for (const { path } of changing.filter(({ method }) => method === 'POST')) {
    const url = path.replace(':id', '1');
    for (const fields of [{}, { authenticity_token: '' }, { authenticity_token: foreign }]) {
      const response = await alice.send(url, fields);
      expect([url, response.status]).toEqual([url, 422]);
    }
    const crossSite = await alice.send(url, { authenticity_token: own }, { 'sec-fetch-site': 'cross-site' });
    expect([url, crossSite.status]).toEqual([url, 422]);
  }
  for (const { path } of changing.filter(({ method }) => method === 'DELETE')) {
    const response = await server.anonymous.delete(path.replace(':id', '1'), undefined, html);
    expect([path, response.status]).toEqual([path, 422]);
  }
  await alice.open('/auth/edit');
  expect(alice.path).toBe('/auth/edit');
});

test('signing in never redirects to another site', async () => {
  await using server = await startServer();
  await server.user('alice');
  for (const target of [
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test',
    'javascript:alert(1)',
    '/%0d%0aX: y',
    '/\t/evil.test',
  ]) {
    const browser = new Browser(server);
    await browser.open(`/auth/sign_in?return_to=${encodeURIComponent(target)}`);
    const end = await browser.submit('/auth/sign_in', { email: 'alice', password });
    expect(end).toMatch(/^\/(?![/\\])/);
    expect(end).not.toContain('evil');
  }
});

test('password attempts are limited by IP address and by name, and do not reveal which names exist', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  // Limits reset on the hour: all attempts below are within one.
  server.clock.advance(3600 - ((server.clock.now().getTime() / 1000) % 3600));
  await server.user('alice');
  const browser = new Browser(server);
  const guess = async (email: string) => {
    await browser.open('/auth/sign_in');
    await browser.submit('/auth/sign_in', { email, password: 'wrong password' });
    return `${browser.status} ${/role="alert"><p>([^<]*)/.exec(browser.text)?.[1] ?? ''}`;
  };
  expect(await guess('alice')).toBe(await guess('nobody'));
  for (let turn = 2; turn < 25; turn += 1) expect(await guess('alice')).toMatch(/^422/);
  expect(await guess('alice')).toMatch(/^429/);
  server.clock.advance(301);
  // A new window for the IP address, but the name has used 24 of its 25 attempts in this hour.
  expect(await guess('Alice')).toMatch(/^422/);
  expect(await guess('alice')).toMatch(/^429/);
});

test('REG-01: after sign-up and confirmation, the user continues to the app that started it (clients.md 21)', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const { json: app } = await server.anonymous.post('/api/v1/apps', { client_name: 'Elk', redirect_uris: 'app://elk' });
  const query = { response_type: 'code', client_id: app.client_id as string, redirect_uri: 'app://elk', state: 's' };
  const authorize = `/oauth/authorize?${new URLSearchParams(query).toString()}`;
  const browser = new Browser(server);
  await browser.open(authorize);
  await browser.open(/href="(\/auth\/sign_up[^"]*)"/.exec(browser.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
  server.clock.advance(5);
  await browser.submit('/auth/sign_up', { username: 'admin', email: 'nonsense', password: 'x' });
  expect(browser.status).toBe(422);
  expect(browser.text).toContain('Username is reserved');
  expect(browser.text).toContain('value="nonsense"');
  expect(browser.text).not.toContain('value="x"');
  const fields = { username: 'alice', email: 'alice@mail.test', password, agreement: '1' };
  await browser.submit('/auth/sign_up', fields);
  expect(browser.path).toMatch(/^\/auth\/setup/);
  expect(browser.text).toContain('Check your mail');
  // The e-mail address is not confirmed yet.
  expect(await browser.open(authorize)).toMatch(/^\/auth\/setup/);
  await server.drain();
  await browser.open(findMailedLink(server));
  await browser.submit('/auth/confirmation');
  await browser.open(/class="button" href="([^"]*)"/.exec(browser.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
  expect(browser.path).toBe(authorize);
  expect(await browser.submit('/oauth/authorize', { decision: 'allow' })).toMatch(/^app:\/\/elk\?code=.*&state=s$/);
});

test('REG-01: by default a sign-up needs approval by staff, and every page of it states that', async () => {
  await using server = await startServer();
  const browser = new Browser(server);
  await browser.open('/');
  expect(browser.text).toContain('The staff of this server review each sign-up.');
  await browser.open('/auth/sign_up');
  server.clock.advance(5);
  const fields = { username: 'alice', email: 'alice@mail.test', password, agreement: '1' };
  await browser.submit('/auth/sign_up', fields);
  expect(browser.status).toBe(422);
  expect(browser.text).toContain('>Why would you like to join?</label>');
  expect(browser.text).toContain('<p class="wrong" id="reason-wrong">Reason can&#39;t be blank</p>');
  await browser.submit('/auth/sign_up', { ...fields, reason: 'I like birds' });
  expect(browser.path).toMatch(/^\/auth\/setup/);
  await server.drain();
  await browser.open(findMailedLink(server));
  await browser.submit('/auth/confirmation');
  expect(browser.text).not.toContain('You can use your account now');
  expect(browser.text).toContain('We will send you an e-mail when your account is approved.');
  await browser.open('/auth/setup');
  expect(browser.text).toContain('We will send you an e-mail when your account is approved.');
});

test('REG-01: sign-ups that fill in the hidden field, or come too fast, are 422', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const fields = { username: 'robot', email: 'robot@mail.test', password, agreement: '1' };
  const tries: [number, Record<string, string>][] = [
    [1, {}],
    [5, { website: 'https://spam.test' }],
    [5, { began: '0' }],
    [5, { began_proof: '' }],
  ];
  for (const [seconds, change] of tries) {
    const browser = new Browser(server);
    await browser.open('/auth/sign_up');
    server.clock.advance(seconds);
    await browser.submit('/auth/sign_up', { ...fields, ...change });
    expect(browser.status).toBe(422);
  }
  expect(await server.app.db.selectFrom('users').select('id').execute()).toEqual([]);
});

test('REG-01: closed registrations hide the sign-up form, and submitting it is 403', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  expect(browser.text).not.toContain('<form method="post" action="/auth/sign_up"');
  await browser.open('/auth/sign_in');
  const response = await browser.send('/auth/sign_up', browser.hiddenFields('/auth/sign_in'));
  expect(response.status).toBe(403);
});

test('REG-02: the setup page resends the confirmation, also to a new e-mail address', async () => {
  await using server = await startServer();
  await server.user('alice', { confirmed: false });
  await server.drain();
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/setup');
  await browser.submit('/auth/setup', { email: 'other@mail.test' });
  expect(browser.text).toContain('other@mail.test');
  await server.drain();
  expect(server.outbox.at(-1)?.to).toBe('other@mail.test');
  await browser.open(findMailedLink(server));
  await browser.submit('/auth/confirmation');
  expect(await browser.open('/auth/setup')).toBe('/');
});

test('a password reset request has the same response for every e-mail address, and mails only users', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  await server.user('alice');
  const requestReset = async (email: string) => {
    const browser = new Browser(server);
    await browser.open('/auth/password/new');
    await browser.submit('/auth/password', { email });
    await server.drain();
    return browser;
  };
  expect((await requestReset('alice@mail.test')).text).toBe((await requestReset('nobody@mail.test')).text);
  expect(server.outbox.map(({ to }) => to)).toEqual(['alice@mail.test']);
  for (let turn = 1; turn < 5; turn += 1) await requestReset('alice@mail.test');
  expect((await requestReset('ALICE@mail.test')).status).toBe(429);
  expect(server.outbox).toHaveLength(5);
});

test('a password reset link expires after six hours', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.open('/auth/password/new');
  await browser.submit('/auth/password', { email: 'alice@mail.test' });
  await server.drain();
  server.clock.advance(6 * 3600 + 1);
  await browser.open(findMailedLink(server));
  expect(browser.status).toBe(422);
});

test('changing the password needs the current one, and revokes all other sessions and tokens', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [browser, otherBrowser] = [new Browser(server), new Browser(server)];
  await browser.signIn('alice');
  await otherBrowser.signIn('alice');
  await browser.open('/auth/edit');
  await browser.submit('/auth/edit/password', { current_password: 'wrong password', password: 'a better password' });
  expect(browser.status).toBe(422);
  await browser.submit('/auth/edit/password', { current_password: password, password: 'a better password' });
  expect(browser.path).toBe('/auth/edit?done=password');
  expect(await otherBrowser.open('/auth/edit')).toMatch(/^\/auth\/sign_in/);
  expect((await alice.get('/api/v1/emails/check_confirmation')).status).toBe(401);
  await server.drain();
  expect(server.outbox.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('password'));
});

test('a new e-mail address is used once it is confirmed, and the old address is notified', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  await browser.submit('/auth/edit/email', { current_password: password, email: 'bob@mail.test' });
  expect(browser.status).toBe(422);
  await browser.submit('/auth/edit/email', { current_password: password, email: 'new@mail.test' });
  const email = async () =>
    (await server.app.db.selectFrom('users').select('email').where('email', '<>', 'bob@mail.test').executeTakeFirst())
      ?.email;
  expect(await email()).toBe('alice@mail.test');
  await server.drain();
  // The old address has got mails too, in any order.
  const [confirmation, ...others] = server.outbox.splice(0).filter(({ to }) => to === 'new@mail.test');
  if (confirmation === undefined) throw new Error('no mail was sent to the new address');
  expect(others).toEqual([]);
  server.outbox.push(confirmation);
  await browser.open(findMailedLink(server));
  await browser.submit('/auth/confirmation');
  expect(await email()).toBe('new@mail.test');
  await server.drain();
  expect(server.outbox.slice(1)).toMatchObject([{ to: 'alice@mail.test' }]);
});

test('the setup link creates the owner, once', async () => {
  await using server = await startServer();
  const links = await Promise.all([1, 2, 3].map(() => createOwnerSetupLink(server.app)));
  expect(new Set(links).size).toBe(1);
  const link = links[0]?.replace('https://fieldfare.test', '') ?? '';
  const [first, second] = [new Browser(server), new Browser(server)];
  first.language = 'de';
  await first.open(forgedToken(link));
  expect(first.status).toBe(403);
  await first.open('/setup');
  expect(first.status).toBe(403);
  await first.open(link);
  await second.open(link);
  await first.submit('/setup', { username: 'x'.repeat(40), email: 'owner@mail.test', password });
  expect(first.status).toBe(422);
  await first.submit('/setup', { username: 'admin', email: 'owner@mail.test', password });
  expect(first.text).toContain('@admin@fieldfare.test');
  await second.submit('/setup', { username: 'thief', email: 'thief@mail.test', password });
  expect(second.status).toBe(403);
  expect(await createOwnerSetupLink(server.app)).toBeUndefined();
  const owners = await server.app.db.selectFrom('users').select(['email', 'role_id', 'locale']).execute();
  expect(owners).toEqual([{ email: 'owner@mail.test', role_id: '3', locale: 'de' }]);
  // The link stays invalid after the owner is gone.
  await server.db
    .updateTable('users')
    .set({ role_id: '-99' as RoleId })
    .execute();
  await second.open(link);
  expect(second.status).toBe(403);
  expect(await createOwnerSetupLink(server.app)).not.toBe(links[0]);
});

test('a profile page shows only public and unlisted posts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: '<b>Alice</b>', note: 'I watch "birds"' });
  for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
    await post(alice, { status: `a ${visibility} post`, visibility });
  }
  const browser = new Browser(server);
  await browser.open('/@Alice');
  expect(browser.status).toBe(200);
  expect(browser.text).toContain('a public post');
  expect(browser.text).toContain('a unlisted post');
  expect(browser.text).not.toContain('a private post');
  expect(browser.text).not.toContain('a direct post');
  expect(browser.text).not.toContain('<b>Alice');
  expect(browser.text).toContain('property="og:title" content="&lt;b&gt;Alice&lt;/b&gt; (@alice@fieldfare.test)"');
  expect(browser.text).toContain(
    '<link rel="alternate" type="application/activity+json" href="https://fieldfare.test/users/alice" />',
  );
  await browser.open('/');
  expect(browser.text).toContain('a public post');
  expect(browser.text).not.toContain('a unlisted post');
  await browser.open('/@nobody');
  expect(browser.status).toBe(404);
});

test('a profile page is paginated', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let number = 1; number <= 25; number += 1) await post(alice, { status: `post number ${number}.` });
  const browser = new Browser(server);
  await browser.open('/@alice');
  expect(browser.text.match(/<article/g)).toHaveLength(20);
  await browser.open(/href="(\/@alice\?max_id=\d+)"/.exec(browser.text)?.[1] ?? '');
  expect(browser.text.match(/<article/g)).toHaveLength(5);
  expect(browser.text).toContain('post number 1.');
});

test('replies, media and hashtags of a profile have their own paginated pages', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const browser = new Browser(server);
  const empty = {
    with_replies: 'No public posts yet.',
    media: 'No public posts with media yet.',
    'tagged/birds': 'No public posts with #birds yet.',
  };
  for (const [path, text] of Object.entries(empty)) {
    await browser.open(`/@alice/${path}`);
    expect([browser.status, browser.text], path).toEqual([200, expect.stringContaining(text)]);
  }
  const question = await post(bob, { status: 'a question' });
  const reply = await post(alice, { status: '@bob an answer', in_reply_to_id: question });
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
  const media = (await alice.post('/api/v2/media', await multipart({ file }))).json.id as string;
  await post(alice, { status: 'an image', media_ids: [media] });
  for (let number = 1; number <= 21; number += 1) await post(alice, { status: `number ${number}. #birds` });
  for (const visibility of ['private', 'direct']) await post(alice, { status: `a ${visibility} #birds`, visibility });
  const loadPages = async (path: string): Promise<string[]> => {
    const pages: string[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      await browser.open(next);
      pages.push(browser.text);
      next = /href="([^"]+)" rel="next"/.exec(browser.text)?.[1];
    }
    return pages;
  };
  const count = (pages: string[]) => pages.map((page) => (page.match(/<article/g) ?? []).length);
  expect(count(await loadPages('/@alice'))).toEqual([20, 2]);
  const withReplies = await loadPages('/@alice/with_replies');
  expect(count(withReplies)).toEqual([20, 3]);
  expect(withReplies.join('')).toContain('an answer');
  expect(withReplies[0]).toContain('property="og:url" content="https://fieldfare.test/@alice/with_replies"');
  expect(withReplies[0]).toContain('property="og:title" content="Posts and replies by alice (@alice@fieldfare.test)"');
  const files = await loadPages('/@alice/media');
  expect([count(files), files[0]?.includes('an image')]).toEqual([[1], true]);
  expect(files[0]).toMatch(/href="\/@alice\/media" aria-current="page"/);
  const tagged = await loadPages('/@alice/tagged/Birds');
  expect(count(tagged)).toEqual([20, 1]);
  expect(tagged.join('')).not.toMatch(/private|direct #/);
  await browser.open(`/@alice/tagged/${encodeURIComponent('<script>')}`);
  expect([browser.status, browser.text.includes('<script>')]).toEqual([200, false]);
  for (const path of ['/@nobody/media', '/@bob@far.test/media']) {
    await browser.open(path);
    expect(browser.status, path).toBe(404);
  }
  expect(reply).toBeTruthy();
});

test('only public and unlisted posts have a page with OpenGraph tags', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const browser = new Browser(server);
  const open = async (id: string, name = 'alice') => {
    await browser.open(`/@${name}/${id}`);
    return browser.status;
  };
  const id = await post(alice, { status: 'Look: a <i>wren</i> & more', spoiler_text: 'Birds' });
  await post(bob, { status: '@alice lovely', in_reply_to_id: id });
  await post(bob, { status: '@alice a secret answer', in_reply_to_id: id, visibility: 'direct' });
  expect(await open(id)).toBe(200);
  expect(browser.text).toContain('<summary>Birds</summary>');
  expect(browser.text).toContain('property="og:description" content="Birds"');
  expect(browser.text).toContain('lovely');
  expect(browser.text).not.toContain('a secret answer');
  expect(browser.text).not.toContain('<i>wren');
  expect(await open(id, 'bob')).toBe(404);
  expect(await open('999')).toBe(404);
  for (const visibility of ['private', 'direct']) {
    const hidden = await post(alice, { status: `a ${visibility} thing`, visibility });
    expect(await open(hidden)).toBe(404);
    expect(browser.text).not.toContain('thing');
    const signedIn = new Browser(server);
    await signedIn.signIn('alice');
    await signedIn.open(`/@alice/${hidden}`);
    expect(signedIn.text).not.toContain('thing');
  }
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await open(id)).toBe(404);
});

test('profiles of suspended and unapproved accounts are not shown', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('waiting', { approved: false });
  await transaction(server.app, async ({ db }) => {
    const suspended = { suspended_at: server.clock.now(), suspension_origin: 'local' } as const;
    await writable(db).updateTable('accounts').set(suspended).where('id', '=', alice.id).execute();
  });
  expect((await server.anonymous.get('/@alice', html)).status).toBe(403);
  expect((await server.anonymous.get('/@waiting', html)).status).toBe(404);
});

test('profile and post pages return ActivityPub documents to remote servers', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const id = await post(alice, { status: 'hello' });
  const headers = { accept: 'application/activity+json' };
  const actor = await server.anonymous.get('/@alice', { headers });
  expect(actor.json).toMatchObject({ type: 'Person', id: 'https://fieldfare.test/users/alice' });
  const note = await server.anonymous.get(`/@alice/${id}`, { headers });
  expect(note.json).toMatchObject({ type: 'Note', id: `https://fieldfare.test/users/alice/statuses/${id}` });
});

test('without public preview the start page has no posts; in limited federation mode, profiles require sign-in', async () => {
  for (const settings of [{ PUBLIC_PREVIEW: 'off' }, { LIMITED_FEDERATION: 'on' }]) {
    await using server = await startServer({ settings });
    const alice = await server.user('alice');
    await post(alice, { status: 'only for us' });
    const browser = new Browser(server);
    await browser.open('/');
    expect(browser.text).not.toContain('only for us');
    await browser.open('/@alice');
    expect(browser.path).toMatch(
      'LIMITED_FEDERATION' in settings ? /^\/auth\/sign_in\?return_to=%2F%40alice/ : /^\/@alice/,
    );
  }
});

test('the CSRF token of a form is different each time, and each remains valid', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const tokens: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    await browser.open('/auth/edit');
    tokens.push(browser.hiddenFields('/auth/edit/language')['authenticity_token'] ?? '');
  }
  expect(new Set(tokens).size).toBe(2);
  for (const authenticity_token of tokens) {
    const fields = { authenticity_token, locale: 'en' };
    expect((await browser.send('/auth/edit/language', fields)).status).toBe(303);
    const changed = { ...fields, authenticity_token: `${authenticity_token.slice(0, -8)}AAAAAAAA` };
    expect((await browser.send('/auth/edit/language', changed)).status).toBe(422);
  }
});

test('errors are pages for browsers and JSON for apps', async () => {
  await using server = await startServer();
  const missing = await server.anonymous.get('/no/such/page', html);
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('<h1>Page not found</h1>');
  expect(missing.text).not.toContain('<script');
  const pages = ['/no/such/page', '/@nobody', '/@nobody/1', '/media/none.png', '/oauth/none', '/%zz', '/api/docs'];
  for (const path of pages) {
    const { headers } = await server.anonymous.get(path, html);
    expect(headers['content-type'], path).toContain('text/html');
    expect(headers['content-security-policy'], path).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers['x-frame-options'], path).toBe('DENY');
    expect(headers['x-content-type-options'], path).toBe('nosniff');
  }
  expect((await server.anonymous.get('/api/v1/no/such', html)).json.error).toBe('Not Found');
});

test('a session expires after 60 days without use, and is deleted', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  server.clock.advance(59 * 86_400);
  expect(await browser.open('/auth/edit')).toBe('/auth/edit');
  server.clock.advance(59 * 86_400);
  expect(await browser.open('/auth/edit')).toBe('/auth/edit');
  server.clock.advance(61 * 86_400);
  expect(await browser.open('/auth/edit')).toMatch(/^\/auth\/sign_in/);
  await server.runSchedule('user.clean_up_sessions');
  expect(await server.app.db.selectFrom('sessions').select('id').execute()).toEqual([]);
});
