import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Browser } from '../../browser.ts';
import { password } from '../../second-factors.ts';
import { multipart, startServer, type TestServer } from '../../server.ts';

const names = [
  'profile',
  'privacy',
  'posting',
  'interactions',
  'approvals',
  'filters',
  'blocks',
  'migration',
  'delete',
];
const paths = names.map((name) => `/settings/${name}`);

async function signedIn(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

const cookieOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

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
      expect(browser.text).toContain(`<html lang="${locale}" dir="ltr">`);
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

test('ACC-03: the profile is changed on its page, with images', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  const page = '/settings/profile';
  const fields = {
    display_name: 'Alice <3',
    note: 'Birds',
    bot: '1',
    'fields_attributes[0][name]': 'Web',
    'fields_attributes[0][value]': 'https://a.test',
  };
  await change(browser, page, page, fields);
  expect(browser.text).toContain('Your changes were saved.');
  expect(browser.text).toContain('value="Alice &lt;3"');
  const account = (await alice.get('/api/v1/accounts/verify_credentials')).json;
  expect(account).toMatchObject({
    display_name: 'Alice <3',
    bot: true,
    source: { note: 'Birds', fields: [{ name: 'Web', value: 'https://a.test' }] },
  });
  await change(browser, page, page, { display_name: 'x'.repeat(5_000) });
  expect([browser.status, browser.text]).toEqual([422, expect.stringContaining('Validation failed')]);
  await browser.open(page);
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const avatar = new File([Uint8Array.from(png)], 'a.png', { type: 'image/png' });
  const body = await multipart({
    ...browser.hiddenFields(page),
    display_name: 'Alice',
    avatar,
    header: new File([], ''),
  });
  const response = await server.anonymous.post(page, body, { headers: { cookie: cookieOf(browser) } });
  expect(response.status).toBe(303);
  const changed = (await alice.get('/api/v1/profile')).json;
  expect([changed.display_name, changed.avatar, changed.header, changed.bot]).toEqual([
    'Alice',
    expect.stringContaining('https://'),
    null,
    false,
  ]);
});

test('ACC-04: privacy and the defaults of posts are changed on their pages', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await change(browser, '/settings/privacy', '/settings/privacy', { locked: '1', hide_collections: '1' });
  expect((await alice.get('/api/v1/profile')).json).toMatchObject({
    locked: true,
    discoverable: false,
    indexable: false,
    hide_collections: true,
  });
  const choices = {
    privacy: 'unlisted',
    quote_policy: 'nobody',
    language: 'de',
    status_content_type: 'text/markdown',
    sensitive: '1',
  };
  await change(browser, '/settings/posting', '/settings/posting', choices);
  expect(browser.text).toContain('<option value="unlisted" selected>');
  expect((await alice.get('/api/v1/preferences')).json).toMatchObject({
    'posting:default:visibility': 'unlisted',
    'posting:default:quote_policy': 'nobody',
    'posting:default:language': 'de',
    'posting:default:sensitive': true,
  });
  await change(browser, '/settings/posting', '/settings/posting', { ...choices, privacy: 'secret' });
  expect(browser.status).toBe(422);
});

test('FL2-01: filters are created, changed and deleted on their page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bob');
  const browser = await signedIn(server, 'alice');
  const page = '/settings/filters';
  await change(browser, page, page, {
    title: 'Birds',
    'context[]': 'home',
    filter_action: 'hide',
    keywords: 'crow\r\n\r\nred kite',
    whole_word: '1',
  });
  const [filter] = (await alice.get('/api/v2/filters')).json;
  expect(filter).toMatchObject({
    title: 'Birds',
    context: ['home'],
    filter_action: 'hide',
    keywords: [{ keyword: 'crow', whole_word: true }, { keyword: 'red kite' }],
  });
  const action = `${page}/${filter.id}`;
  const changed = {
    title: 'Crows',
    'context[]': 'thread',
    filter_action: 'warn',
    keywords: 'jay',
    'removed[]': filter.keywords[1].id,
  };
  await change(browser, page, action, changed);
  expect((await alice.get('/api/v2/filters')).json).toMatchObject([
    { title: 'Crows', context: ['thread'], keywords: [{ keyword: 'crow' }, { keyword: 'jay', whole_word: false }] },
  ]);
  await change(browser, page, action, { title: '' });
  expect(browser.status).toBe(422);
  const stranger = await signedIn(server, 'bob');
  await stranger.open(page);
  const proof = { ...stranger.hiddenFields(page), ...changed };
  for (const path of [action, `${action}/delete`]) {
    expect((await stranger.send(path, proof, { cookie: cookieOf(stranger) })).status).toBe(422);
  }
  expect((await alice.get('/api/v2/filters')).json).toHaveLength(1);
  await change(browser, page, `${action}/delete`, {});
  expect((await alice.get('/api/v2/filters')).json).toEqual([]);
});

test('BLK-01, MUT-01: accounts and domains are blocked and muted on one page, which lists all of them', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const others = [];
  for (let number = 0; number < 42; number += 1) others.push(await server.user(`other${number}`));
  for (const { id } of others) await alice.post(`/api/v1/accounts/${id}/block`);
  const browser = await signedIn(server, 'alice');
  const page = '/settings/blocks';
  await browser.open(page);
  const listed = () => [...browser.text.matchAll(/name="target" value="([^"]+)"/g)].map(([, target = '']) => target);
  const first = listed();
  await browser.open(/href="(\/settings\/blocks\?accounts=\d+)"/.exec(browser.text)?.[1] ?? '');
  expect([...first, ...listed()].toSorted()).toEqual(others.map((_, number) => `other${number}`).toSorted());
  await change(browser, page, `${page}/accounts/remove`, { target: 'other41' });
  expect(listed()).not.toContain('other41');
  await change(browser, page, `${page}/accounts/add`, { target: '@other41' });
  expect(listed()[0]).toBe('other41');
  await change(browser, page, `${page}/mutes/add`, { target: 'other1' });
  expect((await alice.get('/api/v1/mutes')).json).toHaveLength(1);
  await change(browser, page, `${page}/mutes/remove`, { target: 'other1' });
  expect((await alice.get('/api/v1/mutes')).json).toEqual([]);
  await change(browser, page, `${page}/domains/add`, { target: 'Bad.test' });
  expect((await alice.get('/api/v1/domain_blocks')).json).toEqual(['bad.test']);
  await change(browser, page, `${page}/domains/remove`, { target: 'bad.test' });
  expect((await alice.get('/api/v1/domain_blocks')).json).toEqual([]);
  for (const target of ['alice', 'nobody', '']) {
    await change(browser, page, `${page}/accounts/add`, { target });
    expect([target, browser.status]).toEqual([target, 422]);
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
  const page = '/settings/delete';
  await change(browser, page, page, { current_password: 'wrong password' });
  expect(browser.status).toBe(422);
  await change(browser, page, page, { current_password: password });
  expect([browser.path, browser.cookies.has('__Host-session')]).toEqual(['/', false]);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(401);
  await server.drain();
});

test('a form that is refused shows what was typed', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  const tooLong = 'x'.repeat(5_000);
  await change(browser, '/settings/profile', '/settings/profile', {
    display_name: tooLong,
    note: 'Typed <b>with care</b>',
    bot: '1',
    'fields_attributes[2][name]': 'Third',
    'fields_attributes[2][value]': 'field',
  });
  expect(browser.status).toBe(422);
  for (const typed of [tooLong, 'Typed &lt;b&gt;with care&lt;/b&gt;', 'value="Third"', 'value="field"'])
    expect(browser.text).toContain(typed);
  expect(browser.text).toMatch(/name="bot" value="1" checked/);
  expect((await alice.get('/api/v1/profile')).json).toMatchObject({ note: '', bot: false });

  const page = '/settings/filters';
  await change(browser, page, page, {
    title: '',
    'context[]': 'thread',
    filter_action: 'hide',
    keywords: 'crow\r\njay',
  });
  expect(browser.status).toBe(422);
  expect(browser.text).toMatch(/>crow\r?\njay<\/textarea>/);
  expect(browser.text).toMatch(/id="context-new-thread"[^>]* checked/);
  expect(browser.text).not.toMatch(/id="context-new-home"[^>]* checked/);
  expect(browser.text).toContain('<option value="hide" selected>');
  expect((await alice.get('/api/v2/filters')).json).toEqual([]);
});

test('FL2-01: the expiry of a filter is set, kept and removed on its page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  const page = '/settings/filters';
  const fields = { title: 'Birds', 'context[]': 'home', keywords: 'crow' };
  const expiry = async () => (await alice.get('/api/v2/filters')).json[0]?.expires_at;
  await change(browser, page, page, { ...fields, expires_in: '86400' });
  const set = await expiry();
  expect(Date.parse(set) - server.app.clock.now().getTime()).toBe(86_400_000);
  const action = /action="(\/settings\/filters\/\d+)"/.exec(browser.text)?.[1] ?? '';
  expect(browser.text).toContain('<option value="unchanged" selected>');
  await change(browser, page, action, { ...fields, title: 'Crows', expires_in: 'unchanged' });
  expect(await expiry()).toBe(set);
  await change(browser, page, action, { ...fields, expires_in: '' });
  expect(await expiry()).toBeNull();
  await change(browser, page, action, { ...fields, expires_in: 'soon' });
  expect(browser.status).toBe(422);
});
