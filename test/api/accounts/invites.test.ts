import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { disableUser } from '../../../server/moderation/index.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { createInvite, expireInvite, findInvite, listInvites } from '../../../server/users/invites/index.ts';
import { createUser } from '../../../server/users/sign-up/index.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer } from '../../server.ts';

const json = { headers: { accept: 'application/json' } };
const password = 'correct horse';
const usedUp = 'This invite was used up or has expired';

const signUpFields = (username: string) => ({ username, email: `${username}@mail.test`, password, agreement: true });

async function signUp(server: TestServer, username: string, invite_code: string) {
  const app = await server.appToken('write:accounts');
  return app.post('/api/v1/accounts', { ...signUpFields(username), invite_code });
}

const loadUser = (server: TestServer, username: string) =>
  server.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.approved', 'users.invite_id'])
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow();

const page = { limit: 10, maxId: undefined, sinceId: undefined, minId: undefined };

test('apps recognise an invite by its JSON: 401 once it is used up or has expired, 404 if it is unknown', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  const { id } = await server.user('alice', { role: 'admin' });
  const code = await createInvite(server.app, 'system', {
    username: 'Alice',
    maxUses: 1,
    expiresInSeconds: 2 * 86_400,
  });
  expect(code).toMatch(/^[a-zA-Z2-9]{8}$/);
  const found = await server.anonymous.get(`/invite/${code}`, json);
  expect([found.status, found.json]).toEqual([
    200,
    { invite_code: code, instance_api_url: 'https://fieldfare.test/api/v2/instance' },
  ]);
  const unknown = await server.anonymous.get('/invite/abcdefgh', json);
  expect([unknown.status, unknown.json]).toEqual([404, { error: 'Record not found' }]);

  const check = async (invite: string) => {
    const { status, json: body } = await server.anonymous.get(`/invite/${invite}`, json);
    return status === 401 ? body.error : status;
  };
  expect((await signUp(server, 'bob', code)).status).toBe(200);
  expect(await check(code)).toBe(usedUp);
  const short = await createInvite(server.app, 'system', { username: 'alice', expiresInSeconds: 2 * 86_400 });
  server.clock.advance(2 * 86_400 - 1);
  expect(await check(short)).toBe(200);
  server.clock.advance(1);
  expect(await check(short)).toBe(usedUp);
  const open = await createInvite(server.app, 'system', { username: 'alice' });
  await disableUser(server.app, 'system', { accountId: id });
  expect(await check(open)).toBe(usedUp);
});

test('REG-01: an invite lets people sign up while registrations are closed, in apps and on the page', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  await server.user('alice', { role: 'moderator' });
  const code = await createInvite(server.app, 'system', { username: 'alice', maxUses: 2 });
  for (const wrong of ['', 'abcdefgh']) expect((await signUp(server, 'bob', wrong)).status).toBe(403);
  expect((await signUp(server, 'bob', code)).status).toBe(200);

  const browser = new Browser(server);
  await browser.open(`/invite/${code}`);
  expect(browser.text).toContain('@alice@fieldfare.test invites you');
  expect(browser.hiddenFields('/auth/sign_up')).toMatchObject({ invite_code: code });
  server.clock.advance(4);
  await browser.submit('/auth/sign_up', { username: 'carol', email: 'nonsense', password, agreement: '1' });
  expect(browser.status).toBe(422);
  await browser.submit('/auth/sign_up', { username: 'carol', email: 'carol@mail.test', password, agreement: '1' });
  expect(browser.path).toMatch(/^\/auth\/setup/);
  expect((await findInvite(server.app, code))?.uses).toBe(2);

  const late = new Browser(server);
  await late.open(`/invite/${code}`);
  expect(late.status).toBe(401);
  expect(late.text).toContain(usedUp);
  expect((await signUp(server, 'dora', code)).status).toBe(403);
  expect((await listInvites(server.app, page)).invites.map(({ uses }) => uses)).toEqual([2]);
  // A signed-in user needs none.
  await browser.open(`/invite/${await createInvite(server.app, 'system', { username: 'alice' })}`);
  expect(browser.path).toBe('/');
});

test('people who are invited by an owner need no approval; those invited by others need it, but no reason', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'approval' } });
  await server.user('owen', { role: 'owner' });
  await server.user('alice');
  const modes = ['approval', 'closed', 'open'] as const;
  for (const mode of modes) {
    await changeSiteSettings(server.app, 'system', { registrations: mode });
    for (const inviter of ['owen', 'alice']) {
      const code = await createInvite(server.app, 'system', { username: inviter });
      const name = `${mode}_by_${inviter}`;
      expect((await signUp(server, name, code)).status).toBe(200);
      const { approved, invite_id } = await loadUser(server, name);
      expect([name, approved]).toEqual([name, inviter === 'owen' || mode === 'open']);
      expect(invite_id).toBe((await findInvite(server.app, code))?.id);
    }
  }
  // An invite that is not usable counts as none; registrations are open.
  expect((await signUp(server, 'late', 'abcdefgh')).status).toBe(200);
  expect(await loadUser(server, 'late')).toEqual({ approved: true, invite_id: null });
});

test('an invite for one is used once, even if several people sign up at the same moment', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  await server.user('alice', { role: 'admin' });
  const code = await createInvite(server.app, 'system', { username: 'alice', maxUses: 1 });
  const responses = await Promise.all(['bob', 'carol', 'dora'].map((name) => signUp(server, name, code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await findInvite(server.app, code))?.uses).toBe(1);
  for (const { status, json: body } of responses.filter((response) => response.status !== 200)) {
    expect([403, 422]).toContain(status);
    if (status === 422) expect(body.details).toMatchObject({ invite_code: [{ error: 'ERR_INVALID' }] });
  }
});

test('while registrations are closed, nobody signs up with an invite that another sign-up has just used up', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  await server.user('alice', { role: 'admin' });
  const inviteCode = await createInvite(server.app, 'system', { username: 'alice', maxUses: 1 });
  await createUser(server.app, { ...signUpFields('bob'), inviteCode });
  await expect(createUser(server.app, { ...signUpFields('carol'), inviteCode })).rejects.toMatchObject({ status: 422 });
  expect(await server.db.selectFrom('users').select('id').where('email', '=', 'carol@mail.test').execute()).toEqual([]);
  expect((await findInvite(server.app, inviteCode))?.uses).toBe(1);
});

test('an invite expires on demand, and is deleted with the account of its user, but not those who used it', async () => {
  await using server = await startServer({ settings: { REGISTRATIONS: 'closed' } });
  const alice = await server.user('alice', { role: 'admin' });
  const code = await createInvite(server.app, 'system', { username: 'alice', comment: ' for the choir ' });
  expect(await findInvite(server.app, code)).toMatchObject({ comment: 'for the choir', maxUses: null });
  expect((await signUp(server, 'bob', code)).status).toBe(200);
  expect(await expireInvite(server.app, 'system', code)).toBe(true);
  expect(await expireInvite(server.app, 'system', code)).toBe(false);
  expect((await server.anonymous.get(`/invite/${code}`, json)).status).toBe(401);
  await deleteAccount(server.app, alice.id);
  await server.drain();
  expect((await server.anonymous.get(`/invite/${code}`, json)).status).toBe(404);
  expect((await loadUser(server, 'bob')).invite_id).toBeNull();
});

test('invalid values of an invite are reported together, and an unknown user', async () => {
  await using server = await startServer();
  await server.user('alice');
  const invalid = createInvite(server.app, 'system', {
    username: 'alice',
    maxUses: 0,
    expiresInSeconds: 366 * 86_400,
    comment: 'x'.repeat(421),
  });
  await expect(invalid).rejects.toThrow(
    /Max uses must be .* 1000, Expires in must be .* 31536000, Comment is too long/,
  );
  await expect(createInvite(server.app, 'system', { username: 'nobody' })).rejects.toMatchObject({ status: 404 });
  await expect(expireInvite(server.app, 'system', 'abcdefgh')).rejects.toMatchObject({ status: 404 });
});
