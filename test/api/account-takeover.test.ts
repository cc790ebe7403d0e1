import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { UserId } from '../../server/platform/ids.ts';
import { changeEmail, changePassword, requestPasswordReset, setPassword, signIn } from '../../server/users/index.ts';
import { Browser } from '../browser.ts';
import { Client, startServer, type TestServer } from '../server.ts';

const password = 'correct horse battery';
const resetPath = '/auth/password/edit';
const confirmations = '/api/v1/emails/confirmations';

/** Path of the link in the last mail to `to` that leads to `page`. */
function findMailedLink(server: TestServer, to: string, page: string): string {
  const texts = server.outbox.filter((message) => message.to === to).map(({ text }) => text);
  const link = texts.findLast((text) => text.includes(page))?.match(/https:\/\/fieldfare\.test(\/\S+)/)?.[1];
  if (link === undefined) throw new Error(`no mail to ${to} has a link to ${page}`);
  return link;
}

const users = (server: TestServer) =>
  server.app.db.selectFrom('users').select(['email', 'unconfirmed_email', 'confirmed_at']).orderBy('id').execute();

async function loadEmail(server: TestServer): Promise<string | undefined> {
  return (await users(server))[0]?.email;
}

/** Asks for a reset link, as anyone can who knows the address, and returns it as the mailbox shows it. */
async function requestResetLink(server: TestServer, email: string): Promise<string> {
  await requestPasswordReset(server.app, email);
  await server.drain();
  return findMailedLink(server, email, resetPath);
}

/** Opens a reset link and tries to set a password with it, even if the page says that it is no longer valid. */
async function tryReset(server: TestServer, link: string, wanted: string): Promise<number> {
  const browser = new Browser(server);
  await browser.open('/auth/password/new');
  const proof = browser.hiddenFields('/auth/password');
  const token = new URL(link, 'https://fieldfare.test').searchParams.get('reset_password_token') ?? '';
  const answer = await browser.send(resetPath, { ...proof, reset_password_token: token, password: wanted });
  expect((await server.anonymous.get(link)).status).toBe(422);
  return answer.status;
}

async function beginEmailChange(server: TestServer, userId: UserId, email: string): Promise<string> {
  await changeEmail(server.app, userId, { current: password, email });
  await server.drain();
  return findMailedLink(server, email, '/auth/confirmation');
}

test('a reset link sent to the old address is void once the address has changed', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const stolen = await requestResetLink(server, 'alice@mail.test');
  const confirm = await beginEmailChange(server, alice.userId, 'new@mail.test');
  expect((await server.anonymous.get(confirm)).status).toBe(200);
  expect(await loadEmail(server)).toBe('new@mail.test');
  expect(await tryReset(server, stolen, 'the password of a thief')).toBe(422);
  expect(await signIn(server.app, { username: 'alice', password })).toBeDefined();
});

test('a reset that was asked for before the address changed is not sent to the old one after it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const confirm = await beginEmailChange(server, alice.userId, 'new@mail.test');
  await requestPasswordReset(server.app, 'alice@mail.test');
  await server.anonymous.get(confirm);
  await server.drain();
  expect(server.outbox.filter(({ text }) => text.includes(resetPath))).toEqual([]);
});

test('a change of address begun before a password reset ends with it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const thief = await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const link = await requestResetLink(server, 'alice@mail.test');
  expect(await tryReset(server, link, 'a better password')).toBe(200);
  expect((await server.anonymous.get(thief)).status).toBe(422);
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
  // A change that is still on its way when the password is set is not sent either.
  await changeEmail(server.app, alice.userId, { current: 'a better password', email: 'thief@mail.test' });
  const sent = server.outbox.filter(({ to }) => to === 'thief@mail.test').length;
  await setPassword(server.app, alice.userId, password);
  await server.drain();
  expect(server.outbox.filter(({ to }) => to === 'thief@mail.test')).toHaveLength(sent);
});

test('changing the password voids the links for a reset and for a change of address', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const change = await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const link = await requestResetLink(server, 'alice@mail.test');
  await changePassword(server.app, alice.userId, { current: password, password: 'a better password' });
  expect(await tryReset(server, link, 'the password of a thief')).toBe(422);
  expect((await server.anonymous.get(change)).status).toBe(422);
  expect(await loadEmail(server)).toBe('alice@mail.test');
});

test('a new change of address voids the link of the one before', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const first = await beginEmailChange(server, alice.userId, 'first@mail.test');
  await changeEmail(server.app, alice.userId, { current: password, email: 'second@mail.test' });
  // Before and after the second mail is on its way.
  expect((await server.anonymous.get(first)).status).toBe(422);
  await server.drain();
  expect((await server.anonymous.get(first)).status).toBe(422);
  expect(await loadEmail(server)).toBe('alice@mail.test');
  // A link changes the address once, however often it is opened.
  const second = findMailedLink(server, 'second@mail.test', '/auth/confirmation');
  await server.anonymous.get(second);
  const back = await beginEmailChange(server, alice.userId, 'alice@mail.test');
  await server.anonymous.get(back);
  await server.anonymous.get(second);
  expect(await loadEmail(server)).toBe('alice@mail.test');
});

test('the old address hears of a change when it is requested, and how to stop it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await beginEmailChange(server, alice.userId, 'thief@mail.test');
  const warning = server.outbox.find(({ to }) => to === 'alice@mail.test');
  expect(warning?.text).toContain('thief@mail.test');
  expect(warning?.text).toContain('https://fieldfare.test/auth/password/new');
});

test('a signed-in browser without the password cannot begin a change of address', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  for (const current_password of ['', 'a wrong guess']) {
    await browser.submit('/auth/edit/email', { current_password, email: 'thief@mail.test' });
    expect(browser.status).toBe(422);
  }
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
});

test('REG-02: the set-up page cannot change the address of a confirmed user, even while a change is pending', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/edit');
  const proof = browser.hiddenFields('/auth/edit/email');
  const tryIt = async () => (await browser.send('/auth/setup', { ...proof, email: 'thief@mail.test' })).status;
  expect(await tryIt()).toBe(403);
  await beginEmailChange(server, alice.userId, 'new@mail.test');
  expect(await tryIt()).toBe(403);
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: 'new@mail.test' }]);
  // The link to the address that the password was given for can be sent again.
  expect((await browser.send('/auth/setup', proof)).status).toBe(303);
  await server.drain();
  await server.anonymous.get(findMailedLink(server, 'new@mail.test', '/auth/confirmation'));
  expect(await loadEmail(server)).toBe('new@mail.test');
});

test('REG-02: an app cannot change the address of a confirmed user by asking for the confirmation again', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'open' } });
  const app = await server.appToken();
  const signUp = { username: 'alice', email: 'alice@mail.test', password, agreement: true, locale: 'en' };
  const alice = new Client(server.http, (await app.post('/api/v1/accounts', signUp)).json.access_token);
  await server.drain();
  await server.anonymous.get(findMailedLink(server, 'alice@mail.test', '/auth/confirmation'));
  const { id } = await server.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await beginEmailChange(server, id, 'new@mail.test');
  for (const email of ['thief@mail.test', 'not an address']) {
    const { status, json } = await alice.post(confirmations, { email });
    expect([status, json.error]).toEqual([
      403,
      'This method is only available while the e-mail is awaiting confirmation',
    ]);
  }
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: 'new@mail.test' }]);
});

test('correcting an unconfirmed address voids every link that was sent to the wrong one', async () => {
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
  expect((await server.anonymous.get(confirm)).status).toBe(422);
  expect(await tryReset(server, stolen, 'the password of a thief')).toBe(422);
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', confirmed_at: null }]);
});

test('a password reset before the first confirmation voids its link and sends a new one', async () => {
  await using server = await startServer();
  await server.user('alice', { confirmed: false });
  await server.drain();
  const first = findMailedLink(server, 'alice@mail.test', '/auth/confirmation');
  const link = await requestResetLink(server, 'alice@mail.test');
  expect(await tryReset(server, link, 'a better password')).toBe(200);
  expect((await server.anonymous.get(first)).status).toBe(422);
  await server.drain();
  const second = findMailedLink(server, 'alice@mail.test', '/auth/confirmation');
  expect((await server.anonymous.get(second)).status).toBe(200);
  expect((await users(server))[0]?.confirmed_at).not.toBeNull();
});

test('what the old password began does not outlive a reset that comes in between', async () => {
  await using server = await startServer();
  const { app } = server;
  const { userId } = await server.user('alice');
  const attempts = await server.db.transaction().execute(async (db) => {
    await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const resetting = setPassword(app, userId, 'a better password');
    await waitForBlockedQueries(server, 1);
    // They check the old password, which is still right, and then wait behind the reset.
    const waiting = [
      changeEmail(app, userId, { current: password, email: 'thief@mail.test' }),
      changePassword(app, userId, { current: password, password: 'the password of a thief' }),
      signIn(app, { username: 'alice', password }),
    ];
    await waitForBlockedQueries(server, 4);
    return { settled: Promise.allSettled([resetting, ...waiting]) };
  });
  const [resetting, email, change, session] = await attempts.settled;
  expect([resetting, session]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled', value: undefined }]);
  expect([email, change]).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await users(server)).toMatchObject([{ email: 'alice@mail.test', unconfirmed_email: null }]);
  expect(await app.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  expect(await signIn(app, { username: 'alice', password: 'a better password' })).toBeDefined();
});

/** Resolves when this many connections wait for a row that another one has locked. */
async function waitForBlockedQueries({ app }: TestServer, count: number): Promise<void> {
  for (let waiting = 0; waiting < count;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    waiting = rows[0]?.waiting ?? 0;
  }
}
