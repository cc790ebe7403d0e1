import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { changePassword, signIn } from '../../../server/users/sign-in/index.ts';
import { changeUserRole } from '../../../server/moderation/index.ts';
import { createRole } from '../../../server/users/roles/index.ts';
import { Browser } from '../../browser.ts';
import { appCode, password, setUpTotp } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';

const secondStep = '/auth/sign_in/second_factor';

async function signedInBrowser(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  expect(browser.cookies.has('__Host-session')).toBe(true);
  return browser;
}

const isSignedIn = ({ cookies }: Browser): boolean => cookies.has('__Host-session');

const mailsTo = async (server: TestServer, to: string): Promise<string[]> => {
  await server.drain();
  return server.outbox.filter((mail) => mail.to === to).map(({ text }) => text);
};

test('security 15: signing in takes a password and a code, and each code works once', async () => {
  await using server = await startServer();
  await server.user('alice');
  const { secret, recoveryCodes } = await setUpTotp(server, await signedInBrowser(server, 'alice'));
  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await mailsTo(server, 'alice@mail.test')).join()).toContain('An authenticator app was set up');

  const browser = new Browser(server);
  expect(await browser.signIn('alice', 'wrong password')).toBe('/auth/sign_in');
  expect(browser.status).toBe(422);
  expect(await browser.signIn('alice')).toBe(secondStep);
  expect(isSignedIn(browser)).toBe(false);
  expect((await browser.open('/settings/two_factor')).startsWith('/auth/sign_in')).toBe(true);
  await browser.open(secondStep);
  // The code that confirmed the app was used.
  await browser.submit(secondStep, { code: appCode(server, secret) });
  expect([browser.status, isSignedIn(browser)]).toEqual([422, false]);
  const code = appCode(server, secret, 1);
  await browser.submit(secondStep, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);

  const second = new Browser(server);
  await second.signIn('alice');
  for (const used of [code, appCode(server, secret, 0), appCode(server, secret, 2)]) {
    await second.submit(secondStep, { code: used });
    expect([second.status, isSignedIn(second)]).toEqual([422, false]);
  }
  server.clock.advance(60);
  await second.submit(secondStep, { code: appCode(server, secret) });
  expect(isSignedIn(second)).toBe(true);
});

test('security 15: of two concurrent sign-ins with one code, only one succeeds', async () => {
  await using server = await startServer();
  await server.user('alice');
  const { secret } = await setUpTotp(server, await signedInBrowser(server, 'alice'));
  const browsers = [new Browser(server), new Browser(server)];
  for (const browser of browsers) await browser.signIn('alice');
  const code = appCode(server, secret, 1);
  await Promise.all(browsers.map((browser) => browser.submit(secondStep, { code })));
  expect(browsers.filter(isSignedIn)).toHaveLength(1);
});

test('security 15: each recovery code works once, new ones replace them, and the user is notified', async () => {
  await using server = await startServer();
  await server.user('alice');
  const owner = await signedInBrowser(server, 'alice');
  const { recoveryCodes } = await setUpTotp(server, owner);
  const signInWith = async (code: string) => {
    const browser = new Browser(server);
    await browser.signIn('alice');
    await browser.submit(secondStep, { code });
    return isSignedIn(browser);
  };
  const [first = '', second = ''] = recoveryCodes;
  expect(await signInWith(first.toUpperCase().replaceAll('-', ' '))).toBe(true);
  expect(await signInWith(first)).toBe(false);
  expect((await mailsTo(server, 'alice@mail.test')).join()).toContain('with a recovery code');
  await owner.open('/settings/two_factor');
  expect(owner.text).toContain('9 unused recovery codes');
  await owner.submit('/settings/two_factor/recovery_codes', { current_password: 'wrong password' });
  expect(owner.status).toBe(422);
  expect(await signInWith(second)).toBe(true);
  await owner.submit('/settings/two_factor/recovery_codes', { current_password: password });
  const [renewed = ''] = [...owner.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
  expect(await signInWith(recoveryCodes[2] ?? '')).toBe(false);
  expect(await signInWith(renewed)).toBe(true);
  expect((await mailsTo(server, 'alice@mail.test')).join()).toContain('were replaced');
});

test('security 15: after five wrong codes the sign-in starts again, and the user learns that the password leaked', async () => {
  await using server = await startServer();
  await server.user('alice');
  const { secret } = await setUpTotp(server, await signedInBrowser(server, 'alice'));
  const browser = new Browser(server);
  await browser.signIn('alice');
  for (let turn = 1; turn < 5; turn += 1) {
    await browser.submit(secondStep, { code: '000000' });
    expect(browser.path).toBe(secondStep);
  }
  await browser.submit(secondStep, { code: 'not a code' });
  expect(browser.path).toMatch(/^\/auth\/sign_in\?force/);
  expect((await browser.open(secondStep)).startsWith('/auth/sign_in?force')).toBe(true);
  expect((await mailsTo(server, 'alice@mail.test')).join()).toContain('with the right password and entered five wrong');
  // A sign-in in progress ends with ten minutes, and with a change of the password.
  await browser.signIn('alice');
  server.clock.advance(601);
  await browser.submit(secondStep, { code: appCode(server, secret) });
  expect(isSignedIn(browser)).toBe(false);
  const { userId } = (await signIn(server.app, { username: 'alice', password })) ?? {};
  await browser.signIn('alice');
  if (userId === undefined) throw new Error('the password is wrong');
  await changePassword(server.app, userId, { origin: {}, current: password, password: 'a better password' });
  await browser.submit(secondStep, { code: appCode(server, secret) });
  expect(isSignedIn(browser)).toBe(false);
});

test('security 15: turning off the authenticator app takes the password and a code', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await signedInBrowser(server, 'alice');
  const { secret } = await setUpTotp(server, browser);
  const disable = async (fields: Record<string, string>) => {
    await browser.open('/settings/two_factor');
    await browser.submit('/settings/two_factor/totp/disable', fields);
    return browser.status;
  };
  const code = appCode(server, secret, 1);
  expect(await disable({ current_password: 'wrong password', code })).toBe(422);
  expect(await disable({ current_password: password, code: '000000' })).toBe(422);
  expect(await new Browser(server).signIn('alice')).toBe(secondStep);
  expect(await disable({ current_password: password, code })).toBe(200);
  expect(await new Browser(server).signIn('alice')).toBe('/');
  expect((await mailsTo(server, 'alice@mail.test')).join()).toContain('was turned off');
  const codes = await server.app.db.selectFrom('recovery_codes').selectAll().execute();
  expect(codes).toEqual([]);
});

test('security 15: the set-up needs the password, the QR code contains the secret, and nothing is confirmed twice', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await signedInBrowser(server, 'alice');
  expect(await browser.open('/settings/two_factor/totp')).toBe('/settings/two_factor');
  await browser.submit('/settings/two_factor/totp', { current_password: 'wrong password' });
  expect([browser.status, browser.path]).toEqual([422, '/settings/two_factor/totp']);
  await browser.submit('/settings/two_factor/totp', { current_password: password });
  const uri = /href="(otpauth:[^"]+)"/.exec(browser.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const svg = /<svg .*<\/svg>/s.exec(browser.text)?.[0] ?? '';
  // Other tests of this process may have loaded the decoders of uploads, which refuse SVG.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  const image = sharp(Buffer.from(svg), { density: 400 }).flatten({ background: 'white' }).extend(40).ensureAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  expect(decodeQr({ width: info.width, height: info.height, data })).toBe(uri);
  expect(browser.response?.headers['content-security-policy']).not.toContain('script-src');
  await browser.submit('/settings/two_factor/totp/confirm', { code: '000000' });
  expect(browser.status).toBe(422);
  expect(await new Browser(server).signIn('alice')).toBe('/');
  const fields = browser.hiddenFields('/settings/two_factor/totp/confirm');
  const { secret } = await setUpTotp(server, browser);
  await browser.open('/settings/two_factor');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const again = { ...fields, code: appCode(server, secret) };
  expect((await browser.send('/settings/two_factor/totp/confirm', again, { cookie })).headers['location']).toBe(
    '/settings/two_factor',
  );
});

test('ADM-06: a user whose role requires a second factor can do nothing but set it up', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signedInBrowser(server, 'alice');
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
  const { id } = await createRole(server.app, 'system', { name: 'Guard', requireTwoFactor: true });
  await changeUserRole(server.app, 'system', { accountId: alice.id, roleId: id });
  const refused = await alice.get('/api/v1/timelines/home');
  expect([refused.status, refused.json.error]).toEqual([
    403,
    'Your role requires a second factor. Set it up on the pages of this server',
  ]);
  for (const path of ['/auth/edit', '/settings/staff_mails']) {
    expect(await browser.open(path)).toBe('/settings/two_factor');
  }
  const { secret } = await setUpTotp(server, browser);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
  expect(await browser.open('/auth/edit')).toBe('/auth/edit');
  await browser.open('/settings/two_factor');
  const code = appCode(server, secret, 1);
  await browser.submit('/settings/two_factor/totp/disable', { current_password: password, code });
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(403);
});
