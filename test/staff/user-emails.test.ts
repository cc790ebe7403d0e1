import { expect, test } from 'vitest';
import { createEmailDomainBlock } from '../../server/users/email-blocks/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestResponse, type TestServer, type TestUser } from '../server.ts';
import { giveRole } from './staff-roles.ts';

const scopes = 'read write follow push admin:read admin:write';
const at = ({ id }: TestUser, action: string) => `/api/v1/fieldfare/admin/accounts/${id}/${action}`;
const outcome = ({ status, json }: TestResponse): string => `${status} ${json.error ?? ''}`;

async function createStaff(server: TestServer) {
  const staff = await server.user('merle', { scopes });
  await giveRole(server, staff.id, { position: 50, permissions: ['manage_user_access', 'manage_users'] });
  return staff;
}

const stateOf = ({ db }: TestServer, { userId }: TestUser) =>
  db
    .selectFrom('users')
    .select(['email', 'unconfirmed_email', 'reset_token_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

/** The recipients and subjects of the mails that were sent since the last call. */
async function takeMails(server: TestServer): Promise<string[]> {
  await server.drain();
  return server.outbox.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
}

/** Follows the link of the last confirmation mail. */
async function confirmByMail(server: TestServer): Promise<void> {
  await server.drain();
  const link = /https:\S+confirmation_token=[\w-]+/.exec(server.outbox.at(-1)?.text ?? '')?.[0] ?? '';
  const browser = new Browser(server);
  await browser.open(link.replace('https://fieldfare.test', ''));
  // A page with a button, if the link does not confirm by itself.
  if (browser.text.includes('action="/auth/confirmation"')) await browser.submit('/auth/confirmation');
}

test('staff change the address of a user: it counts once it is confirmed, and the old one is notified', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  await server.anonymous.get('/');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await takeMails(server);

  const changed = await staff.post(at(alice, 'email'), { email: ' alice@new.test ' });
  expect(changed.json).toMatchObject({
    email: 'alice@mail.test',
    unconfirmed_email: 'alice@new.test',
    confirmed: true,
  });
  await server.drain();
  expect(server.outbox.map(({ to }) => to).toSorted()).toEqual(['alice@mail.test', 'alice@new.test']);
  server.outbox.sort((one) => (one.to === 'alice@new.test' ? 1 : -1));
  await confirmByMail(server);
  expect(await stateOf(server, alice)).toMatchObject({ email: 'alice@new.test', unconfirmed_email: null });
  const later = await takeMails(server);
  expect(later.at(-1)).toBe('alice@mail.test: Your e-mail address for fieldfare.test was changed');
  // As after a change of one's own, browsers and apps stay signed in.
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
  await browser.open('/auth/edit');
  expect(browser.path).toBe('/auth/edit');

  const entries = await server.db
    .selectFrom('audit_log')
    .select(['action', 'target_label', 'before', 'after'])
    .execute();
  expect(entries).toEqual([
    {
      action: 'user.change_email',
      target_label: 'alice',
      before: { email: 'alice@mail.test', unconfirmed_email: null, confirmed: true },
      after: { email: 'alice@mail.test', unconfirmed_email: 'alice@new.test', confirmed: true },
    },
  ]);
});

test('staff confirm the new address of a user who reads neither mailbox, at once or later', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  await staff.post(at(alice, 'email'), { email: 'alice@new.test' });
  await takeMails(server);
  expect((await staff.post(at(alice, 'resend_confirmation'))).status).toBe(200);
  expect(await takeMails(server)).toEqual(['alice@new.test: Confirm your e-mail address for fieldfare.test']);
  const confirmed = await staff.post(at(alice, 'confirm'));
  expect(confirmed.json).toMatchObject({ email: 'alice@new.test', confirmed: true });
  expect(confirmed.json.unconfirmed_email).toBeUndefined();
  expect(await takeMails(server)).toEqual(['alice@mail.test: Your e-mail address for fieldfare.test was changed']);
  expect((await staff.post(at(alice, 'confirm'))).status).toBe(200);
  expect(outcome(await staff.post(at(alice, 'resend_confirmation')))).toMatch(/^403 ./);
  expect(await takeMails(server)).toEqual([]);

  const changed = await staff.post(at(bob, 'email'), { email: 'bob@new.test', confirmed: true });
  expect(changed.json).toMatchObject({ email: 'bob@new.test', confirmed: true });
  expect(await takeMails(server)).toEqual(['bob@mail.test: Your e-mail address for fieldfare.test was changed']);
  const actions = await server.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(actions.map(({ action }) => action)).toEqual([
    'user.change_email',
    'user.resend_confirmation',
    'user.confirm_email',
    'user.change_email',
  ]);
});

test('staff confirm a sign-up, correct its address and send the link again', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const alice = await server.user('alice', { confirmed: false });
  await takeMails(server);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(403);
  expect((await staff.post(at(alice, 'email'), { email: 'alice@right.test' })).json).toMatchObject({
    email: 'alice@right.test',
    confirmed: false,
  });
  expect(await takeMails(server)).toEqual(['alice@right.test: Confirm your e-mail address for fieldfare.test']);
  await staff.post(at(alice, 'resend_confirmation'));
  expect(await takeMails(server)).toEqual(['alice@right.test: Confirm your e-mail address for fieldfare.test']);
  expect((await staff.post(at(alice, 'confirm'))).json.confirmed).toBe(true);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
  expect((await server.anonymous.get('/api/v1/accounts/lookup?acct=alice')).status).toBe(200);
});

test('an invalid, taken or blocked address is refused with the name of the field', async () => {
  await using server = await startServer();
  const [staff, alice] = [await createStaff(server), await server.user('alice')];
  await server.user('bob');
  await createEmailDomainBlock(server.app, 'system', { domain: 'trash.test' });
  for (const [email, error] of [
    ['', 'ERR_BLANK'],
    ['nobody', 'ERR_INVALID'],
    ['a b@mail.test', 'ERR_INVALID'],
    ['BOB@mail.test', 'ERR_TAKEN'],
    ['alice@trash.test', 'ERR_BLOCKED'],
    [`${'x'.repeat(320)}@mail.test`, 'ERR_TOO_LONG'],
  ] as const) {
    for (const confirmed of [false, true]) {
      const { status, json } = await staff.post(at(alice, 'email'), { email, confirmed });
      expect([status, json.details?.email?.[0]?.error], email).toEqual([422, error]);
    }
  }
  expect((await staff.post(at(alice, 'email'), {})).status).toBe(400);
  // Taken while it waited.
  await staff.post(at(alice, 'email'), { email: 'alice@new.test' });
  await server.user('carl', { email: 'alice@new.test' });
  const refused = await staff.post(at(alice, 'confirm'));
  expect([refused.status, refused.json.details?.email?.[0]?.error]).toEqual([422, 'ERR_TAKEN']);
  expect(await stateOf(server, alice)).toMatchObject({ email: 'alice@mail.test', unconfirmed_email: 'alice@new.test' });
});

test('the address of equals, of superiors and of remote accounts is not changed, and links to reset the password are void', async () => {
  await using server = await startServer();
  const [staff, alice, owner] = [
    await createStaff(server),
    await server.user('alice'),
    await server.user('olga', { role: 'owner' }),
  ];
  for (const target of [staff, owner]) {
    for (const action of ['email', 'confirm', 'resend_confirmation'])
      expect((await staff.post(at(target, action), { email: 'alice@mail.test' })).status).toBe(403);
  }
  for (const action of ['email', 'confirm', 'resend_confirmation'])
    expect((await staff.post(`/api/v1/fieldfare/admin/accounts/77/${action}`, { email: 'x@mail.test' })).status).toBe(
      404,
    );
  const browser = new Browser(server);
  await browser.open('/auth/password/new');
  await browser.submit('/auth/password', { email: 'alice@mail.test' });
  await server.drain();
  expect((await stateOf(server, alice)).reset_token_hash).not.toBeNull();
  await staff.post(at(alice, 'email'), { email: 'alice@new.test' });
  expect((await stateOf(server, alice)).reset_token_hash).toBeNull();
});
