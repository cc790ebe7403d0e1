import { expect, test } from 'vitest';
import { changeSiteSettings } from '../../../server/site/index.ts';
import type { UserId } from '../../../server/platform/ids.ts';
import { signIn } from '../../../server/users/sign-in/index.ts';
import { changeEmail } from '../../../server/users/sign-up/index.ts';
import { approveSignUp } from '../../../server/moderation/index.ts';
import { confirmByLink } from '../../confirm-by-link.ts';
import { Client, form, startServer, type TestServer } from '../../server.ts';

const signUpInput = {
  username: 'alice',
  email: 'alice@mail.test',
  password: 'correct horse',
  agreement: true,
  locale: 'en',
};
/** Server options for open registrations. */
const openRegistrations = { settings: { REGISTRATIONS: 'open' } };
const confirmations = '/api/v1/emails/confirmations';
const isConfirmed = '/api/v1/emails/check_confirmation';

/** Returns the path of the link in the latest mail. */
function findMailedLink(server: TestServer): string {
  const link = /https:\/\/fieldfare\.test(\/\S+)/.exec(server.outbox.at(-1)?.text ?? '')?.[1];
  if (link === undefined) throw new Error('no mail with a link was sent');
  return link;
}

async function createSignedUpClient(server: TestServer, change: object = {}): Promise<Client> {
  const app = await server.appToken();
  const { json } = await app.post('/api/v1/accounts', { ...signUpInput, ...change });
  return new Client(server.http, json.access_token);
}

test('REG-01: a user who signs up in an app is unconfirmed until they open the link in the mail', async () => {
  await using server = await startServer(openRegistrations);
  const app = await server.appToken('write:accounts');
  const response = await app.post('/api/v1/accounts', signUpInput);
  expect(response.status).toBe(200);
  expect(response.json).toMatchObject({ token_type: 'Bearer', scope: 'read write follow push profile' });
  const alice = new Client(server.http, response.json.access_token);
  expect((await server.anonymous.get('/api/v1/accounts/lookup?acct=alice')).status).toBe(404);
  const refused = await alice.get('/api/v1/accounts/lookup?acct=alice');
  expect([refused.status, refused.json.error]).toEqual([403, 'Your login is missing a confirmed e-mail address']);
  expect((await alice.get(isConfirmed)).text).toBe('false');

  await server.drain();
  expect(server.outbox).toHaveLength(1);
  expect(server.outbox[0]).toMatchObject({ to: 'alice@mail.test' });
  expect(server.outbox[0]?.html).toContain(findMailedLink(server));
  expect((await confirmByLink(server.anonymous, findMailedLink(server))).status).toBe(200);
  expect((await alice.get(isConfirmed)).text).toBe('true');
  expect((await alice.get('/api/v1/accounts/lookup?acct=alice')).json.username).toBe('alice');
  // Opening the link again is not an error.
  expect((await confirmByLink(server.anonymous, findMailedLink(server))).status).toBe(200);
});

test('REG-02: opening the link of a confirmation only shows a button, also again and to a program without cookies', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await createSignedUpClient(server);
  await server.drain();
  const link = findMailedLink(server);
  for (let times = 0; times < 2; times += 1) {
    for (const method of ['GET', 'HEAD'] as const) {
      const opened = await server.anonymous.call(method, link);
      expect(opened.status).toBe(200);
      if (method === 'GET') expect(opened.text).toContain('<strong>alice@mail.test</strong>');
    }
    expect((await alice.get(isConfirmed)).text).toBe('false');
  }
  const token = new URLSearchParams(link.split('?')[1]).get('confirmation_token') ?? '';
  const confirmed = await server.anonymous.post('/auth/confirmation', form({ confirmation_token: token }));
  expect([confirmed.status, confirmed.text.includes('your address is confirmed')]).toEqual([200, true]);
  expect((await alice.get(isConfirmed)).text).toBe('true');
  expect((await server.anonymous.get(link)).text).toContain('your address is confirmed');
  expect((await server.anonymous.post('/auth/confirmation', form({ confirmation_token: 'nonsense' }))).status).toBe(
    422,
  );
});

test.each([
  ['bird@bücher.example', 'bird@xn--bcher-kva.example'],
  ['bird@Bücher.Example', 'BIRD@xn--bcher-kva.example'],
  ['bird@xn--bcher-kva.example', 'bird@BÜCHER.example'],
  ['bird@bu\u0308cher.example', 'bird@b\u00fccher.example'],
  ['bird@ｍａｉｌ.example', 'bird@mail.example'],
  ['bird@mail.example.', 'bird@mail.example'],
  ['bird@mail。example', 'bird@mail.example'],
])('REG-01: %s and %s are one mailbox, wherever an address is given', async (first, second) => {
  await using server = await startServer(openRegistrations);
  const alice = await server.user('alice', { email: first, password: 'correct horse battery' });
  const bob = await server.user('bob');
  const app = await server.appToken();
  const signedUp = await app.post('/api/v1/accounts', { ...signUpInput, username: 'carol', email: second });
  expect([signedUp.status, signedUp.json.details]).toMatchObject([422, { email: [{ error: 'ERR_TAKEN' }] }]);
  await expect(
    changeEmail(server.app, bob.userId as UserId, {
      email: second,
      current: 'correct horse battery',
      origin: { ip: '192.0.2.1', userAgent: '' },
    }),
  ).rejects.toThrow(/Email/);
  await expect(server.user('dora', { email: second })).rejects.toThrow(/Email/);
  const signedIn = await signIn(server.app, { email: second, password: 'correct horse battery' });
  expect(signedIn?.userId).toBe(alice.userId);
});

test('REG-01: an address that was stored before it was normalised is found in every spelling', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await server.user('alice');
  await server.pool.query('update users set email = $1 where id = $2', ['Bird@bücher.example', alice.userId]);
  for (const email of ['bird@bücher.example', 'bird@xn--bcher-kva.example']) {
    expect((await signIn(server.app, { email, password: 'correct horse battery' }))?.userId).toBe(alice.userId);
    await expect(server.user('bob', { email })).rejects.toThrow(/Email/);
  }
});

test.each(['bird@localhost', 'bird@example', 'bird@com.', 'bird@.', 'bird@a..b', 'bird@[192.0.2.1]', 'bird@192.0.2.1'])(
  'REG-01: the address %s is refused, also from the command line',
  async (email) => {
    await using server = await startServer(openRegistrations);
    const signedUp = await (await server.appToken()).post('/api/v1/accounts', { ...signUpInput, email });
    expect([signedUp.status, signedUp.json.details]).toMatchObject([422, { email: [{ error: 'ERR_INVALID' }] }]);
    await expect(server.user('alice', { email })).rejects.toThrow(/Email/);
  },
);

test('REG-01: all invalid fields are reported together', async () => {
  await using server = await startServer(openRegistrations);
  await server.user('bob', { email: 'Bob@mail.test' });
  const app = await server.appToken();
  const nothing = await app.post('/api/v1/accounts', {});
  expect(nothing.status).toBe(422);
  expect(nothing.json.details).toMatchObject({
    username: [{ error: 'ERR_BLANK' }],
    email: [{ error: 'ERR_BLANK' }],
    password: [{ error: 'ERR_BLANK' }],
    agreement: [{ error: 'ERR_ACCEPTED' }],
  });
  const codes = async (change: object) => {
    const { status, json } = await app.post('/api/v1/accounts', { ...signUpInput, ...change });
    expect(status).toBe(422);
    return Object.entries(json.details as Record<string, { error: string }[]>).map(
      ([field, [first]]) => `${field} ${first?.error}`,
    );
  };
  expect(await codes({ username: 'BOB' })).toEqual(['username ERR_TAKEN']);
  expect(await codes({ email: 'bob@MAIL.test' })).toEqual(['email ERR_TAKEN']);
  expect(await codes({ username: 'admin' })).toEqual(['username ERR_RESERVED']);
  expect(await codes({ username: 'al-ice' })).toEqual(['username ERR_INVALID']);
  expect(await codes({ username: 'a'.repeat(31) })).toEqual(['username ERR_TOO_LONG']);
  expect(await codes({ email: 'alice' })).toEqual(['email ERR_INVALID']);
  expect(await codes({ email: 'a@b.test\r\nBcc: c@d.test' })).toEqual(['email ERR_INVALID']);
  expect(await codes({ password: 'short' })).toEqual(['password ERR_TOO_SHORT']);
  expect(await codes({ password: 'x'.repeat(73) })).toEqual(['password ERR_TOO_LONG']);
  expect(await codes({ agreement: false })).toEqual(['agreement ERR_ACCEPTED']);
  expect(await codes({ reason: 'x'.repeat(421) })).toEqual(['reason ERR_TOO_LONG']);
});

test('REG-01: concurrent sign-ups with one username create one account', async () => {
  await using server = await startServer(openRegistrations);
  const app = await server.appToken();
  const both = await Promise.all([
    app.post('/api/v1/accounts', signUpInput),
    app.post('/api/v1/accounts', { ...signUpInput, username: 'ALICE', email: 'other@mail.test' }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('REG-01: a sign-up needs an app token without a user', async () => {
  await using server = await startServer(openRegistrations);
  const bob = await server.user('bob');
  const byUser = await bob.post('/api/v1/accounts', signUpInput);
  expect([byUser.status, byUser.json.error]).toEqual([
    403,
    'This method requires an client credentials authentication',
  ]);
  expect((await server.anonymous.post('/api/v1/accounts', signUpInput)).status).toBe(401);
  expect((await (await server.appToken('read')).post('/api/v1/accounts', signUpInput)).status).toBe(403);
});

test('REG-01: a sign-up is 403 while registrations are closed', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  const app = await server.appToken();
  expect((await app.post('/api/v1/accounts', signUpInput)).status).toBe(403);
  await changeSiteSettings(server.app, 'system', { registrations: 'open' });
  expect((await app.post('/api/v1/accounts', signUpInput)).status).toBe(200);
});

test('REG-01: with approval by staff, a reason is required and the user is pending', async () => {
  await using server = await startServer();
  const app = await server.appToken();
  const without = await app.post('/api/v1/accounts', signUpInput);
  expect(without.json.details.reason[0].error).toBe('ERR_BLANK');
  const alice = await createSignedUpClient(server, { reason: 'I like birds' });
  await server.drain();
  await confirmByLink(server.anonymous, findMailedLink(server));
  const waiting = await alice.get('/api/v1/accounts/lookup?acct=alice');
  expect([waiting.status, waiting.json.error]).toEqual([403, 'Your login is currently pending approval']);
  expect((await server.anonymous.get('/api/v1/accounts/lookup?acct=alice')).status).toBe(404);
  const { id: accountId } = await server.app.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'alice')
    .executeTakeFirstOrThrow();
  await approveSignUp(server.app, 'system', { accountId });
  expect((await alice.get('/api/v1/accounts/lookup?acct=alice')).status).toBe(200);
});

test('REG-01: sign-ups are limited to five in 30 minutes per IP address', async () => {
  await using server = await startServer({ settings: { ...openRegistrations.settings, RATE_LIMITS: 'on' } });
  const app = await server.appToken();
  for (let count = 0; count < 5; count += 1) expect((await app.post('/api/v1/accounts', {})).status).toBe(422);
  const response = await app.post('/api/v1/accounts', signUpInput);
  expect(response.status).toBe(429);
  expect(response.headers['x-ratelimit-remaining']).toBe('0');
});

test('REG-02: resending the confirmation invalidates the previous link', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await createSignedUpClient(server);
  await server.drain();
  const first = findMailedLink(server);
  expect((await alice.post(confirmations)).status).toBe(200);
  await server.drain();
  expect(server.outbox).toHaveLength(2);
  expect((await server.anonymous.get(first)).status).toBe(422);
  expect((await alice.get(isConfirmed)).text).toBe('false');
  expect((await confirmByLink(server.anonymous, findMailedLink(server))).status).toBe(200);
  const late = await alice.post(confirmations);
  expect([late.status, late.json.error]).toEqual([
    403,
    'This method is only available while the e-mail is awaiting confirmation',
  ]);
});

test('REG-02: a new e-mail address replaces the first one and invalidates its link', async () => {
  await using server = await startServer(openRegistrations);
  await server.user('bob');
  const alice = await createSignedUpClient(server);
  await server.drain();
  const first = findMailedLink(server);
  expect((await alice.post(confirmations, { email: 'bob@mail.test' })).status).toBe(422);
  expect((await alice.post(confirmations, { email: 'nonsense' })).status).toBe(422);
  expect((await alice.post(confirmations, { email: 'new@mail.test' })).status).toBe(200);
  // The second mail is not sent yet.
  expect((await server.anonymous.get(first)).status).toBe(422);
  await server.drain();
  expect(server.outbox.at(-1)?.to).toBe('new@mail.test');
  await confirmByLink(server.anonymous, findMailedLink(server));
  expect((await alice.get(isConfirmed)).text).toBe('true');
});

test('REG-02: only the app of the sign-up can resend the confirmation', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await server.user('alice', { confirmed: false });
  const response = await alice.post(confirmations);
  expect([response.status, response.json.error]).toEqual([
    403,
    'This method is only available to the application the user originally signed-up with',
  ]);
});

test('REG-02: a confirmation link expires after two days', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await createSignedUpClient(server);
  await server.drain();
  server.clock.advance(2 * 86_400 + 1);
  expect((await confirmByLink(server.anonymous, findMailedLink(server))).status).toBe(422);
  expect((await alice.get(isConfirmed)).text).toBe('false');
});

test('REG-02: an invalid confirmation link is 422 and links to the setup page', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await createSignedUpClient(server);
  for (const link of ['/auth/confirmation?confirmation_token=nonsense', '/auth/confirmation']) {
    const response = await server.anonymous.get(link);
    expect([response.status, response.text.includes('/auth/setup')]).toEqual([422, true]);
  }
  const { status, headers } = await server.anonymous.get('/auth/confirmation/new');
  expect([status, headers['location']]).toEqual([303, '/auth/setup']);
  expect((await alice.get(isConfirmed)).text).toBe('false');
});

test('REG-01: the IP address of a sign-up is deleted after a year', async () => {
  await using server = await startServer(openRegistrations);
  await createSignedUpClient(server);
  const address = async () =>
    (await server.app.db.selectFrom('users').select('sign_up_ip').executeTakeFirstOrThrow()).sign_up_ip;
  server.clock.advance(364 * 86_400);
  await server.runSchedule('user.clean_up_sign_up_ips');
  expect(await address()).not.toBeNull();
  server.clock.advance(2 * 86_400);
  await server.runSchedule('user.clean_up_sign_up_ips');
  expect(await address()).toBeNull();
});

test('REG-01: an unconfirmed sign-up is deleted after seven days, and its username and e-mail can be reused', async () => {
  await using server = await startServer(openRegistrations);
  const alice = await createSignedUpClient(server);
  const bob = await server.user('bob');
  await server.user('carol', { confirmed: true, approved: false });
  await server.drain();
  const names = async () =>
    (await server.app.db.selectFrom('accounts').select('username').where('domain', 'is', null).execute())
      .map(({ username }) => username)
      .filter((name) => ['alice', 'bob', 'carol'].includes(name))
      .toSorted();
  server.clock.advance(7 * 86_400 - 60);
  await server.runSchedule('user.clean_up_unconfirmed');
  expect([await names(), (await alice.get(isConfirmed)).status]).toEqual([['alice', 'bob', 'carol'], 200]);
  server.clock.advance(61);
  // The clean-up skips a row that the request above may still lock, to record the address of the user.
  const cleanUp = async (): Promise<string[]> => {
    await server.runSchedule('user.clean_up_unconfirmed');
    return names();
  };
  await expect.poll(cleanUp, { timeout: 30_000 }).toEqual(['bob', 'carol']);
  expect((await alice.get(isConfirmed)).status).toBe(401);
  expect((await bob.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  const again = await createSignedUpClient(server);
  expect((await again.get(isConfirmed)).text).toBe('false');
  await server.drain();
});
