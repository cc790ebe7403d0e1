import { expect, test } from 'vitest';
import { createOwnerSetupLink } from '../../../server/users/sign-up/index.ts';
import { createInvite } from '../../../server/users/invites/index.ts';
import { Browser } from '../../browser.ts';
import { alice, signUpPath, start as startWithProvider } from '../../provider-scene.ts';
import { appCode, password, setUpTotp } from '../../second-factors.ts';
import { startServer, type TestResponse, type TestServer } from '../../server.ts';

// Someone presses the button of a form again before the response arrives: the browser shows the second response.

const session = '__Host-session';
const person = { username: 'wilma', email: 'wilma@mail.test', password, agreement: '1' };

/** Returns the value of the session cookie that a response sets. */
const sessionOf = ({ headers }: TestResponse): string | undefined =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => new RegExp(`^${session}=([^;]+)`).exec(String(line))?.[1])
    .find((value) => value !== undefined);

/** Submits the form on the current page twice at once, and returns where both responses lead. */
async function submitTwice(browser: Browser, action: string, fields: Record<string, string>): Promise<TestResponse[]> {
  const all = { ...browser.hiddenFields(action), ...fields };
  return Promise.all([browser.send(action, all), browser.send(action, all)]);
}

const placesOf = (responses: readonly TestResponse[]): unknown[] =>
  responses.map(({ status, headers }) => [status, headers['location']]);

const countRows = async (server: TestServer, table: 'users' | 'invites' | 'appeals'): Promise<number> =>
  (await server.db.selectFrom(table).select('id').execute()).length;

async function openSignUp(server: TestServer, path = '/auth/sign_up'): Promise<Browser> {
  const browser = new Browser(server);
  await browser.open(path);
  server.clock.advance(5);
  return browser;
}

async function signedIn(server: TestServer, name = 'alice', path = '/'): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  await browser.open(path);
  return browser;
}

test('REG-01: a sign-up that is submitted twice creates one account, and both responses sign in', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const browser = await openSignUp(server);
  const fields = { ...browser.hiddenFields('/auth/sign_up'), ...person };
  const responses = await submitTwice(browser, '/auth/sign_up', person);
  responses.push(await browser.send('/auth/sign_up', fields));
  expect(placesOf(responses)).toEqual(responses.map(() => [303, '/auth/setup']));
  expect(new Set(responses.map(sessionOf)).size).toBe(3);
  expect(await countRows(server, 'users')).toBe(1);
  // Other data, or much later: the name is taken.
  for (const change of [{ password: 'another horse battery' }, { email: 'other@mail.test' }]) {
    const { status, text } = await browser.send('/auth/sign_up', { ...fields, ...change });
    expect([status, text.includes('already been taken')]).toEqual([422, true]);
  }
  server.clock.advance(11 * 60);
  expect((await browser.send('/auth/sign_up', fields)).status).toBe(422);
});

test('REG-01: the form also leads on if the first response has arrived', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const browser = await openSignUp(server, '/auth/sign_up?return_to=%2Fexplore');
  const fields = { ...browser.hiddenFields('/auth/sign_up'), ...person };
  await browser.submit('/auth/sign_up', person);
  expect(browser.cookies.has(session)).toBe(true);
  const again = await browser.send('/auth/sign_up', fields);
  expect(placesOf([again])).toEqual([[303, '/auth/setup?return_to=%2Fexplore']]);
  expect(sessionOf(again)).toBeUndefined();
  // A form of another browser is refused.
  const other = await openSignUp(server);
  const foreign = await browser.send('/auth/sign_up', { ...fields, ...other.hiddenFields('/auth/sign_up') });
  expect(foreign.status).toBe(422);
});

test('REG-01: the second of two sign-ups with the last use of an invite signs in, too', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  await server.user('alice');
  const code = await createInvite(server.app, 'system', { username: 'alice', maxUses: 1 });
  const browser = await openSignUp(server, `/invite/${code}`);
  const fields = { ...browser.hiddenFields('/auth/sign_up'), ...person };
  const responses = await submitTwice(browser, '/auth/sign_up', person);
  responses.push(await browser.send('/auth/sign_up', fields));
  expect(placesOf(responses)).toEqual(responses.map(() => [303, '/auth/setup']));
  expect((await browser.send('/auth/sign_up', { ...fields, username: 'fred' })).status).toBe(403);
  expect(await countRows(server, 'users')).toBe(2);
});

test('the form for the first owner may be submitted twice', async () => {
  await using server = await startServer();
  const browser = new Browser(server);
  await browser.open((await createOwnerSetupLink(server.app))?.replace('https://fieldfare.test', '') ?? '');
  const responses = await submitTwice(browser, '/setup', person);
  expect(placesOf(responses)).toEqual(responses.map(() => [303, '/']));
  expect(responses.map(sessionOf)).not.toContain(undefined);
  expect(await countRows(server, 'users')).toBe(1);
});

test('the second of two sign-ups with a provider leads to the provider, which signs in', async () => {
  await using scene = await startWithProvider();
  const { server, provider } = scene;
  const browser = new Browser(server);
  await provider.signIn(browser, alice);
  const fields = { username: 'alice', email: 'alice@town.test', agreement: '1' };
  const responses = await submitTwice(browser, signUpPath, fields);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 303]);
  expect(responses.find(({ status }) => status === 200)?.text).toContain('content="0;url=/auth/providers/town"');
  await provider.signIn(browser, alice);
  expect(browser.cookies.has(session)).toBe(true);
  expect(await countRows(server, 'users')).toBe(1);
});

test('a new password may be submitted twice: by the link of a mail, or with the current one', async () => {
  await using server = await startServer();
  await server.user('alice');
  const visitor = new Browser(server);
  await visitor.open('/auth/password/new');
  await visitor.submit('/auth/password', { email: 'alice@mail.test' });
  await server.drain();
  const link = /https:\/\/fieldfare\.test(\/\S+)/.exec(server.outbox.at(-1)?.text ?? '')?.[1] ?? '';
  await visitor.open(link);
  const fields = visitor.hiddenFields('/auth/password/edit');
  const reset = await submitTwice(visitor, '/auth/password/edit', { password: 'a new horse battery' });
  expect(reset.map(({ status }) => status)).toEqual([200, 200]);
  // The link sets no other password, and no longer opens the form.
  expect((await visitor.send('/auth/password/edit', { ...fields, password: 'yet another horse' })).status).toBe(422);
  await visitor.open(link);
  expect(visitor.status).toBe(422);

  const browser = new Browser(server);
  await browser.signIn('alice', 'a new horse battery');
  await browser.open('/auth/edit');
  const form = { password: 'the third horse battery', current_password: 'a new horse battery' };
  const all = { ...browser.hiddenFields('/auth/edit/password'), ...form };
  const changed = await submitTwice(browser, '/auth/edit/password', form);
  expect(placesOf(changed)).toEqual(changed.map(() => [303, '/auth/edit?done=password']));
  // Later the session of the form has ended.
  const late = await browser.send('/auth/edit/password', all);
  expect(placesOf([late])).toEqual([[303, '/auth/sign_in']]);
  await server.drain();
});

test('security 15: an authenticator app may be turned on and off twice', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await signedIn(server);
  const path = '/settings/two_factor';
  await browser.open(path);
  await browser.submit(`${path}/totp`, { current_password: password });
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(browser.text)?.[1] ?? '').replaceAll(' ', '');
  const confirmed = await submitTwice(browser, `${path}/totp/confirm`, { code: appCode(server, secret) });
  expect(confirmed.map(({ status }) => status).toSorted()).toEqual([200, 303]);
  await browser.open(path);
  server.clock.advance(60);
  const off = { current_password: password, code: appCode(server, secret) };
  const disabled = await submitTwice(browser, `${path}/totp/disable`, off);
  expect(placesOf(disabled)).toEqual(disabled.map(() => [303, path]));
  await setUpTotp(server, browser);
  await server.drain();
});

test('what the forms of the settings create and remove, they create and remove once', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = await signedIn(server, 'alice', '/settings/invites');
  const created = await submitTwice(browser, '/settings/invites', { max_uses: '5', expires_in: '', autofollow: '1' });
  expect(placesOf(created)).toEqual(created.map(() => [303, '/settings/invites']));
  expect(await countRows(server, 'invites')).toBe(1);
  await browser.submit('/settings/invites', { max_uses: '5', expires_in: '1800', autofollow: '1' });
  expect(await countRows(server, 'invites')).toBe(2);
  const revoke = /action="(\/settings\/invites\/\d+\/revoke)"/.exec(browser.text)?.[1] ?? '';
  const revoked = await submitTwice(browser, revoke, {});
  expect(placesOf(revoked)).toEqual(revoked.map(() => [303, '/settings/invites']));
  expect(await countRows(server, 'invites')).toBe(1);
  await signedIn(server);
  await browser.open('/settings/sessions');
  const end = /action="(\/settings\/sessions\/\d+\/revoke)"/.exec(browser.text)?.[1] ?? '';
  const ended = await submitTwice(browser, end, {});
  expect(placesOf(ended)).toEqual(ended.map(() => [303, '/settings/sessions']));
  await browser.open('/settings/delete');
  const deleted = await submitTwice(browser, '/settings/delete', { current_password: password });
  for (const { status } of deleted) expect(status).toBe(303);
  await server.drain();
});
