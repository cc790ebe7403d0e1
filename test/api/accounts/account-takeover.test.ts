import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { App } from '../../../server/platform/app.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { UserId } from '../../../server/platform/ids.ts';
import { changeEmail } from '../../../server/users/sign-up/index.ts';
import {
  changePassword,
  hashNewPassword,
  requestPasswordReset,
  signIn,
  storeNewPassword,
} from '../../../server/users/sign-in/index.ts';
import { Browser } from '../../browser.ts';
import { confirmByLink } from '../../confirm-by-link.ts';
import { Client, startServer, type TestServer } from '../../server.ts';

const password = 'correct horse battery';
const resetPath = '/auth/password/edit';
const confirmationsPath = '/api/v1/emails/confirmations';

/** Sets a password without the current one, as staff do. */
async function setPassword(app: App, userId: UserId, newPassword: string): Promise<void> {
  const hash = await hashNewPassword(newPassword);
  await transaction(app, (tx) => storeNewPassword(tx, app, userId, hash));
}

/** Returns the path of the last link to `page` that was mailed to `to`. */
function findMailedLink(server: TestServer, to: string, page: string): string {
  const texts = server.outbox.filter((message) => message.to === to).map(({ text }) => text);
  const link = texts.findLast((text) => text.includes(page))?.match(/https:\/\/fieldfare\.test(\/\S+)/)?.[1];
  if (link === undefined) throw new Error(`no mail to ${to} has a link to ${page}`);
  return link;
}

const loadUsers = (server: TestServer) =>
  server.app.db.selectFrom('users').select(['email', 'unconfirmed_email', 'confirmed_at']).orderBy('id').execute();

async function loadEmail(server: TestServer): Promise<string | undefined> {
  return (await loadUsers(server))[0]?.email;
}

/** Requests a password reset, which needs only the address, and returns the mailed link. */
async function requestResetLink(server: TestServer, email: string): Promise<string> {
  await requestPasswordReset(server.app, email);
  await server.drain();
  return findMailedLink(server, email, resetPath);
}

/** Opens a reset link and tries to set a password with it, even if the page says that it is no longer valid. */
async function tryReset(server: TestServer, link: string, newPassword: string): Promise<number> {
  const browser = new Browser(server);
  await browser.open('/auth/password/new');
  const hiddenFields = browser.hiddenFields('/auth/password');
  const token = new URL(link, 'https://fieldfare.test').searchParams.get('reset_password_token') ?? '';
  const response = await browser.send(resetPath, {
    ...hiddenFields,
    reset_password_token: token,
    password: newPassword,
  });
  expect((await server.anonymous.get(link)).status).toBe(422);
  return response.status;
}

async function beginEmailChange(server: TestServer, userId: UserId, email: string): Promise<string> {
  await changeEmail(server.app, userId, { origin: {}, current: password, email });
  await server.drain();
  return findMailedLink(server, email, '/auth/confirmation');
}

test('a password reset link sent to the old address is invalid once the address has changed', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const stolen = await requestResetLink(server, 'alice@mail.test');
  const confirm = await beginEmailChange(server, alice.userId, 'new@mail.test');
  expect((await confirmByLink(server.anonymous, confirm)).status).toBe(200);
  expect(await loadEmail(server)).toBe('new@mail.test');
  expect(await tryReset(server, stolen, 'the password of a thief')).toBe(422);
  expect(await signIn(server.app, { username: 'alice', password })).toBeDefined();
});

test('a password reset requested before an address change is not sent to the old address after it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const confirm = await beginEmailChange(server, alice.userId, 'new@mail.test');
  await requestPasswordReset(server.app, 'alice@mail.test');
  await confirmByLink(server.anonymous, confirm);
  await server.drain();
  expect(server.outbox.filter(({ text }) => text.includes(resetPath))).toEqual([]);
});

test('a password reset cancels a pending address change', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const thief = await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const link = await requestResetLink(server, 'alice@mail.test');
  expect(await tryReset(server, link, 'a better password')).toBe(200);
  expect((await server.anonymous.get(thief)).status).toBe(422);
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
  // If the mail for a change is still queued when the password is set, it is not sent either.
  await changeEmail(server.app, alice.userId, { origin: {}, current: 'a better password', email: 'thief@mail.test' });
  const sent = server.outbox.filter(({ to }) => to === 'thief@mail.test').length;
  await setPassword(server.app, alice.userId, password);
  await server.drain();
  expect(server.outbox.filter(({ to }) => to === 'thief@mail.test')).toHaveLength(sent);
});

test('changing the password invalidates links for a password reset and for an address change', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const change = await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const link = await requestResetLink(server, 'alice@mail.test');
  await changePassword(server.app, alice.userId, { origin: {}, current: password, password: 'a better password' });
  expect(await tryReset(server, link, 'the password of a thief')).toBe(422);
  expect((await server.anonymous.get(change)).status).toBe(422);
  expect(await loadEmail(server)).toBe('alice@mail.test');
});

test('a new address change invalidates the link of the previous one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const first = await beginEmailChange(server, alice.userId, 'first@mail.test');
  await changeEmail(server.app, alice.userId, { origin: {}, current: password, email: 'second@mail.test' });
  // The first link is invalid before and after the second mail is sent.
  expect((await confirmByLink(server.anonymous, first)).status).toBe(422);
  await server.drain();
  expect((await confirmByLink(server.anonymous, first)).status).toBe(422);
  expect(await loadEmail(server)).toBe('alice@mail.test');
  // A link changes the address only once.
  const second = findMailedLink(server, 'second@mail.test', '/auth/confirmation');
  await confirmByLink(server.anonymous, second);
  const back = await beginEmailChange(server, alice.userId, 'alice@mail.test');
  await confirmByLink(server.anonymous, back);
  await confirmByLink(server.anonymous, second);
  expect(await loadEmail(server)).toBe('alice@mail.test');
});

test('a requested address change is reported to the old address, with a way to stop it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const warning = server.outbox.find(({ to }) => to === 'alice@mail.test');
  expect(warning?.text).toContain('thief@mail.test');
  expect(warning?.text).toContain('https://fieldfare.test/auth/password/new');
});

test('an address change requires the password, even in a signed-in browser', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  for (const current_password of ['', 'a wrong guess']) {
    await browser.submit('/auth/edit/email', { current_password, email: 'thief@mail.test' });
    expect(browser.status).toBe(422);
  }
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
});

test('REG-02: the set-up page cannot change the address of a confirmed user, even while a change is pending', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  const hiddenFields = browser.hiddenFields('/auth/edit/email');
  const trySetUp = async () =>
    (await browser.send('/auth/setup', { ...hiddenFields, email: 'thief@mail.test' })).status;
  expect(await trySetUp()).toBe(403);
  await beginEmailChange(server, alice.userId, 'new@mail.test');
  expect(await trySetUp()).toBe(403);
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: 'new@mail.test' }]);
  // The link to the pending address, which was entered with the password, can be sent again.
  expect((await browser.send('/auth/setup', hiddenFields)).status).toBe(303);
  await server.drain();
  await confirmByLink(server.anonymous, findMailedLink(server, 'new@mail.test', '/auth/confirmation'));
  expect(await loadEmail(server)).toBe('new@mail.test');
});

test('REG-02: an app cannot change the address of a confirmed user by requesting the confirmation again', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const app = await server.appToken();
  const signUp = { username: 'alice', email: 'alice@mail.test', password, agreement: true, locale: 'en' };
  const alice = new Client(server.http, (await app.post('/api/v1/accounts', signUp)).json.access_token);
  await server.drain();
  await confirmByLink(server.anonymous, findMailedLink(server, 'alice@mail.test', '/auth/confirmation'));
  const { id } = await server.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await beginEmailChange(server, id, 'new@mail.test');
  for (const email of ['thief@mail.test', 'not an address']) {
    const { status, json } = await alice.post(confirmationsPath, { email });
    expect([status, json.error]).toEqual([
      403,
      'This method is only available while the e-mail is awaiting confirmation',
    ]);
  }
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: 'new@mail.test' }]);
});

test('correcting an unconfirmed address invalidates every link sent to the wrong one', async () => {
  await using server = await startServer();
  await server.user('alice', { email: 'wrong@mail.test', confirmed: false });
  await server.drain();
  const confirm = findMailedLink(server, 'wrong@mail.test', '/auth/confirmation');
  const stolen = await requestResetLink(server, 'wrong@mail.test');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/setup');
  await browser.submit('/auth/setup', { email: 'alice@mail.test' });
  await server.drain();
  expect((await confirmByLink(server.anonymous, confirm)).status).toBe(422);
  expect(await tryReset(server, stolen, 'the password of a thief')).toBe(422);
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', confirmed_at: null }]);
});

test('a password reset before the first confirmation invalidates its link and sends a new one', async () => {
  await using server = await startServer();
  await server.user('alice', { confirmed: false });
  await server.drain();
  const first = findMailedLink(server, 'alice@mail.test', '/auth/confirmation');
  const link = await requestResetLink(server, 'alice@mail.test');
  expect(await tryReset(server, link, 'a better password')).toBe(200);
  expect((await confirmByLink(server.anonymous, first)).status).toBe(422);
  await server.drain();
  const second = findMailedLink(server, 'alice@mail.test', '/auth/confirmation');
  expect((await confirmByLink(server.anonymous, second)).status).toBe(200);
  expect((await loadUsers(server))[0]?.confirmed_at).not.toBeNull();
});

test('requests that checked the old password fail if a password reset commits first', async () => {
  await using server = await startServer();
  const { app } = server;
  const { userId } = await server.user('alice');
  const attempts = await server.db.transaction().execute(async (db) => {
    await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const resetting = setPassword(app, userId, 'a better password');
    await waitForBlockedQueries(server, 1);
    // They check the old password, which is still valid, and then wait for the reset to release its lock.
    const waiting = [
      changeEmail(app, userId, { origin: {}, current: password, email: 'thief@mail.test' }),
      changePassword(app, userId, { origin: {}, current: password, password: 'the password of a thief' }),
      signIn(app, { username: 'alice', password }),
    ];
    await waitForBlockedQueries(server, 4);
    return { settled: Promise.allSettled([resetting, ...waiting]) };
  });
  const [resetting, email, change, session] = await attempts.settled;
  expect([resetting, session]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled', value: undefined }]);
  expect([email, change]).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await loadUsers(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
  expect(await app.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  expect(await signIn(app, { username: 'alice', password: 'a better password' })).toBeDefined();
});

/** Resolves when this many connections wait for a lock. */
async function waitForBlockedQueries({ app }: TestServer, count: number): Promise<void> {
  for (let waiting = 0; waiting < count;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    waiting = rows[0]?.waiting ?? 0;
  }
}
