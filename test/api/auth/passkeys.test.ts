import { expect, test } from 'vitest';
import { Browser, unescapeHtml } from '../../browser.ts';
import { password } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';
import { SoftwareAuthenticator } from '../../software-authenticator.ts';

const signInPath = '/auth/sign_in';
const secondStep = '/auth/sign_in/second_factor';
const settings = '/settings/passkeys';

const isSignedIn = ({ cookies }: Browser): boolean => cookies.has('__Host-session');

/** Returns the options of the ceremony on the current page. */
function ceremonyOptions({ text }: Browser): { challenge: string; rpId?: string } {
  const [, json = ''] = /data-options="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(unescapeHtml(json)) as { challenge: string };
}

/** Adds a passkey in a signed-in browser. Returns the status of the response. */
async function addPasskey(browser: Browser, authenticator: SoftwareAuthenticator, current = password): Promise<number> {
  await browser.open(settings);
  const credential = authenticator.create(ceremonyOptions(browser));
  await browser.submit(settings, { credential, name: 'Laptop', current_password: current });
  return browser.status;
}

async function signedInBrowser(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

/** Signs in with a passkey alone. */
async function signInBy(server: TestServer, authenticator: SoftwareAuthenticator): Promise<Browser> {
  const browser = new Browser(server);
  await browser.open(signInPath);
  await browser.submit(`${signInPath}/passkey`, { credential: authenticator.get(ceremonyOptions(browser)) });
  return browser;
}

test('security 15: a passkey signs in alone, and the page runs no other script', async () => {
  await using server = await startServer();
  await server.user('alice');
  const owner = await signedInBrowser(server, 'alice');
  const authenticator = new SoftwareAuthenticator();
  expect(await addPasskey(owner, authenticator, 'wrong password')).toBe(422);
  expect(await addPasskey(owner, authenticator)).toBe(200);
  expect(owner.text.match(/<li><code>/g)).toHaveLength(10);
  await server.drain();
  expect(server.outbox.map(({ text }) => text).join()).toContain('A passkey was added');
  const browser = await signInBy(server, authenticator);
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  await browser.open(settings);
  expect(browser.response?.headers['content-security-policy']).toContain(
    "default-src 'none'; script-src https://fieldfare.test/assets/passkeys.js;",
  );
  expect(browser.text.match(/<script/g)).toHaveLength(1);
  const script = await server.anonymous.get('/assets/passkeys.js');
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(browser.text).toContain('last used on');
});

test('security 15: a signature by a passkey is refused if it is repeated, forged or for another place', async () => {
  await using server = await startServer();
  await server.user('alice');
  const authenticator = new SoftwareAuthenticator();
  expect(await addPasskey(await signedInBrowser(server, 'alice'), authenticator)).toBe(200);
  const browser = new Browser(server);
  const attempt = async (credential: string) => {
    await browser.submit(`${signInPath}/passkey`, { credential });
    expect([browser.status, isSignedIn(browser)]).toEqual([422, false]);
    expect(browser.text).toContain('The passkey was not accepted');
  };
  await browser.open(signInPath);
  for (const credential of ['', '{}', '{"id":1}', '{"id":"AAAA"}', 'x'.repeat(40_000)]) await attempt(credential);
  await attempt(new SoftwareAuthenticator().get(ceremonyOptions(browser)));
  await attempt(authenticator.get({ ...ceremonyOptions(browser), rpId: 'evil.test' }));
  await attempt(authenticator.get({ ...ceremonyOptions(browser), challenge: 'AAAA' }));
  authenticator.isUserVerified = false;
  await attempt(authenticator.get(ceremonyOptions(browser)));
  authenticator.isUserVerified = true;
  authenticator.origin = 'https://evil.test';
  await attempt(authenticator.get(ceremonyOptions(browser)));
  authenticator.origin = 'https://fieldfare.test';
  // A challenge of another browser.
  const other = new Browser(server);
  await other.open(signInPath);
  await attempt(authenticator.get(ceremonyOptions(other)));
  const late = authenticator.get(ceremonyOptions(browser));
  server.clock.advance(601);
  await attempt(late);

  const credential = authenticator.get(ceremonyOptions(browser));
  const fields = { ...browser.hiddenFields(`${signInPath}/passkey`), credential };
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = () => browser.send(`${signInPath}/passkey`, fields, { cookie });
  expect((await Promise.all([send(), send()])).map(({ status }) => status).toSorted()).toEqual([303, 422]);
  expect((await send()).status).toBe(422);
  server.clock.advance(601);
  await server.runSchedule('user.clean_up_sign_ins');
  expect(await server.app.db.selectFrom('used_passkey_challenges').selectAll().execute()).toEqual([]);
});

test('security 15: the counter of a passkey must grow, except of authenticators without one', async () => {
  await using server = await startServer();
  await server.user('alice');
  const authenticator = new SoftwareAuthenticator();
  await addPasskey(await signedInBrowser(server, 'alice'), authenticator);
  const tryWith = async (counter: number) => {
    authenticator.counter = counter;
    return isSignedIn(await signInBy(server, authenticator));
  };
  expect([await tryWith(0), await tryWith(0), await tryWith(7), await tryWith(7)]).toEqual([true, true, true, false]);
  expect([await tryWith(6), await tryWith(0), await tryWith(8)]).toEqual([false, false, true]);
});

test('security 15: a passkey is the second step for its own user only', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const [mine, foreign] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
  await addPasskey(await signedInBrowser(server, 'alice'), mine);
  await addPasskey(await signedInBrowser(server, 'bob'), foreign);
  const browser = new Browser(server);
  const passkeyStep = `${secondStep}/passkey`;
  expect(await browser.signIn('alice')).toBe(secondStep);
  await browser.submit(passkeyStep, { credential: foreign.get(ceremonyOptions(browser)) });
  expect([browser.status, isSignedIn(browser)]).toEqual([422, false]);
  mine.isUserVerified = false;
  await browser.submit(passkeyStep, { credential: mine.get(ceremonyOptions(browser)) });
  expect(isSignedIn(browser)).toBe(true);
  const late = new Browser(server);
  await late.signIn('alice');
  const credential = mine.get(ceremonyOptions(late));
  for (let turn = 0; turn < 5; turn += 1) await late.submit(secondStep, { code: 'wrong' });
  const again = new Browser(server);
  await again.signIn('alice');
  await again.submit(passkeyStep, { credential });
  expect(isSignedIn(again)).toBe(false);
});

test('security 15: users rename and remove their own passkeys; the last one takes the recovery codes along', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const [owner, stranger] = [await signedInBrowser(server, 'alice'), await signedInBrowser(server, 'bob')];
  const authenticator = new SoftwareAuthenticator();
  await addPasskey(owner, authenticator);
  // The same passkey is not added twice.
  expect(await addPasskey(owner, authenticator)).toBe(422);
  await owner.open(settings);
  const [, id = ''] = /aria-labelledby="passkey-(\d+)"/.exec(owner.text) ?? [];
  await stranger.open(settings);
  const proof = stranger.hiddenFields(settings);
  const cookie = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const fields = { ...proof, name: 'mine', current_password: password };
  for (const [action, status] of Object.entries({ rename: 404, remove: 303 })) {
    expect((await stranger.send(`${settings}/${id}/${action}`, fields, { cookie })).status).toBe(status);
  }
  await owner.submit(`${settings}/${id}/rename`, { name: ' <b>Phone</b> ' });
  expect(owner.text).toContain('&lt;b&gt;Phone&lt;/b&gt;');
  await owner.submit(`${settings}/${id}/remove`, { current_password: 'wrong password' });
  expect(owner.status).toBe(422);
  await owner.submit(`${settings}/${id}/remove`, { current_password: password });
  expect(owner.text).not.toContain('Phone');
  expect(isSignedIn(await signInBy(server, authenticator))).toBe(false);
  expect(await new Browser(server).signIn('alice')).toBe('/');
  expect(await server.app.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
  await server.drain();
  expect(server.outbox.map(({ text }) => text).join()).toContain('A passkey was removed');
});
