import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { password } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';
import { ClientFolder } from '../web/client-folder.ts';

const paths = ['/settings/migration', '/settings/delete'];

/** Addresses of former pages, with the pages of the client that replace them. */
const replacedPages = [
  ['/settings/approvals', '/notifications/approvals'],
  ['/settings/blocks', '/blocks'],
  ['/settings/filters', '/preferences/filters'],
  ['/settings/interactions', '/preferences/posting'],
  ['/settings/posting', '/preferences/posting'],
  ['/settings/privacy', '/preferences/privacy'],
  ['/settings/profile', '/preferences/profile'],
] as const;

async function signedIn(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

/** Opens a page and submits one of its forms. */
async function change(browser: Browser, page: string, action: string, fields: Record<string, string>): Promise<void> {
  await browser.open(page);
  await browser.submit(action, fields);
}

test('every page of settings is reached from the list, in English and German, without scripts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  for (const locale of ['en', 'de']) {
    await server.db.updateTable('users').set({ locale }).where('id', '=', alice.userId).execute();
    await browser.open('/settings');
    const links = [...browser.text.matchAll(/<li><a href="([^"]+)"/g)].map(([, link = '']) => link);
    for (const path of paths) expect(links).toContain(path);
    for (const link of links) {
      await browser.open(link);
      expect([link, browser.status, browser.text.match(/<h1/g)?.length]).toEqual([link, 200, 1]);
      expect(browser.text).toContain(`<html lang="${locale}" dir="ltr"`);
      if (link !== '/settings/passkeys') expect(browser.text).not.toContain('<script');
      const ids = [...browser.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, link).toBe(ids.length);
    }
  }
  for (const path of ['/settings', ...paths]) {
    expect(await new Browser(server).open(path)).toMatch(/^\/auth\/sign_in\?return_to=/);
    const stranger = await server.anonymous.post(path);
    expect([404, 422]).toContain(stranger.status);
  }
});

test('settings that need no password are in the web client, and the addresses of their former pages lead there', async () => {
  using client = new ClientFolder();
  await using server = await startServer({ settings: { WEB_CLIENT_DIR: client.path } });
  await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await browser.open('/settings');
  for (const path of [
    '/preferences/profile',
    '/preferences/privacy',
    '/preferences/posting',
    '/preferences/filters',
    '/blocks',
  ])
    expect(browser.text).toContain(`<li><a href="${path}"`);
  for (const [path, replacement] of replacedPages) {
    await browser.open(path);
    expect([browser.status, browser.path]).toEqual([200, replacement]);
    expect(await new Browser(server).open(path)).toBe(`/auth/sign_in?return_to=${encodeURIComponent(replacement)}`);
  }
});

test('without a web client, the list has no links to it, and the addresses of former pages do not exist', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await browser.open('/settings');
  expect(browser.text).not.toContain('/preferences/');
  for (const [path] of replacedPages) {
    await browser.open(path);
    expect([path, browser.status]).toEqual([path, 404]);
  }
});

test('aliases are added on the page, and an account moves with its password', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const [old, target] = [await signedIn(server, 'alice'), await signedIn(server, 'bob')];
  const page = '/settings/migration';
  await change(target, page, `${page}/aliases/add`, { acct: 'nobody' });
  expect(target.status).toBe(422);
  await change(old, page, `${page}/move`, { acct: 'bob', current_password: password });
  expect([old.status, old.text]).toEqual([422, expect.stringContaining('alias')]);
  await change(target, page, `${page}/aliases/add`, { acct: '@alice' });
  expect((await bob.get('/api/v1/profile/aliases')).json).toMatchObject([{ acct: 'alice' }]);
  await change(old, page, `${page}/move`, { acct: 'bob', current_password: 'wrong password' });
  expect(old.status).toBe(422);
  await change(old, page, `${page}/move`, { acct: '@bob', current_password: password });
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.moved.acct).toBe('bob');
  await change(old, page, `${page}/undo`, {});
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.moved).toBeFalsy();
  const [{ uri }] = (await bob.get('/api/v1/profile/aliases')).json;
  await change(target, page, `${page}/aliases/remove`, { acct: uri });
  expect((await bob.get('/api/v1/profile/aliases')).json).toEqual([]);
});

test('an account is deleted on its page with the password only', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await change(browser, '/settings/delete', '/settings/delete', { current_password: 'wrong password' });
  expect(browser.status).toBe(422);
  await change(browser, '/settings/delete', '/settings/delete', { current_password: password });
  expect([browser.path, browser.cookies.has('__Host-session')]).toEqual(['/', false]);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(401);
  await server.drain();
});
