import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { addRule } from './moderation-rules.ts';

const rules = '/api/v1/fieldfare/admin/moderation_rules';
const open = { settings: { REGISTRATIONS: 'open', TRUSTED_PROXIES: '127.0.0.1' } };
const person = { username: 'robin', email: 'robin@mail.test', password: 'correct horse battery', agreement: true };

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });

const signUp = async (server: TestServer, more: object = {}, ip = '192.0.2.1') =>
  (await server.appToken()).post('/api/v1/accounts', { ...person, ...more }, { headers: { 'x-forwarded-for': ip } });

const userOf = ({ app }: TestServer, email: string) =>
  app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.approved', 'accounts.silenced_at', 'accounts.id'])
    .where('email', '=', email)
    .executeTakeFirst();

test('REG-01: a rule refuses sign-ups by their name, address or reason', async () => {
  await using server = await startServer(open);
  const staff = await createStaff(server);
  const { id } = await addRule(server, {
    subject: 'sign_up',
    conditions: { text: { keywords: ['casino'] } },
  });
  await addRule(server, { subject: 'sign_up', conditions: { domains: ['spam.test'] } });
  const { status, json } = await signUp(server, { reason: 'Casino!' });
  expect([status, json.error]).toEqual([
    422,
    'Validation failed: A moderation rule of this server does not allow this sign-up',
  ]);
  expect((await signUp(server, { email: 'casino@mail.test' })).status).toBe(422);
  expect((await signUp(server, { email: 'robin@mx.spam.test' })).status).toBe(422);
  expect(await userOf(server, person.email)).toBeUndefined();
  expect((await staff.get(`${rules}/${id}/matches`)).json).toMatchObject([
    { account_id: null, target_type: 'user', target_id: null, excerpt: '@robin' },
    { account_id: null, excerpt: '@robin\nCasino!' },
  ]);
  expect((await signUp(server)).status).toBe(200);
});

test('REG-01: a rule holds and limits sign-ups, and undoing it approves them', async () => {
  await using server = await startServer(open);
  const staff = await createStaff(server);
  const { id } = await addRule(server, {
    subject: 'sign_up',
    actions: ['hold', 'silence'],
    conditions: { rate: { more_than: 1, seconds: 3_600 } },
  });
  await signUp(server, { username: 'one', email: 'one@mail.test' });
  await signUp(server, { username: 'two', email: 'two@mail.test' });
  await signUp(server, { username: 'three', email: 'three@mail.test' });
  await signUp(server, { username: 'other', email: 'other@mail.test' }, '198.51.100.7');
  await server.drain();
  const stateOf = async (name: string) => {
    const user = await userOf(server, `${name}@mail.test`);
    return [user?.approved, user?.silenced_at === null];
  };
  expect(await Promise.all(['one', 'two', 'three', 'other'].map(stateOf))).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [true, true],
  ]);
  await staff.post(`${rules}/${id}/undo`);
  await server.drain();
  expect(await stateOf('three')).toEqual([true, true]);
});

test('FOL-02: a rule refuses follows, or makes them wait for the followed account', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('casino_bot')];
  const follow = async () => {
    const { status, json } = await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    return [status, status === 200 ? [json.following, json.requested] : json.error];
  };
  const refusing = await addRule(server, { subject: 'follow' });
  expect(await follow()).toEqual([403, 'A moderation rule of this server does not allow this follow']);
  const path = `${rules}/${refusing.id}`;
  expect((await staff.put(path, { actions: ['hold'] })).status).toBe(200);
  expect(await follow()).toEqual([200, [false, true]]);
  expect(await follow()).toEqual([200, [false, true]]);
  expect((await alice.get('/api/v1/follow_requests')).json).toMatchObject([{ id: bob.id }]);
  expect((await staff.get(`${path}/matches`)).json).toMatchObject([
    { target_type: 'follow', target_id: alice.id, account_id: bob.id, actions: ['hold'], effects: { held: true } },
    { target_type: 'follow', target_id: null, actions: ['reject'] },
  ]);
  await staff.post(`${path}/undo`);
  await server.drain();
  expect((await bob.get(`/api/v1/accounts/relationships?id[]=${alice.id}`)).json).toMatchObject([{ following: true }]);
  // An existing follow is not compared: its options change.
  await staff.put(path, { actions: ['reject'] });
  expect(await follow()).toEqual([200, [true, false]]);
});

test('FOL-02: rules do not apply to follows of staff who decide about held posts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server, { subject: 'follow' });
  const follow = async (name: string, role: 'moderator' | 'user') => {
    const user = await server.user(name, { role });
    return (await user.post(`/api/v1/accounts/${alice.id}/follow`)).status;
  };
  expect(await follow('casino_moderator', 'moderator')).toBe(200);
  expect(await follow('casino_user', 'user')).toBe(403);
});

test('FOL-02: a rule about the rate of follows stops a flood', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await addRule(server, { subject: 'follow', conditions: { rate: { more_than: 1, seconds: 60 } } });
  const statuses: number[] = [];
  for (const name of ['bob', 'carol', 'dave']) {
    const { id } = await server.user(name);
    statuses.push((await alice.post(`/api/v1/accounts/${id}/follow`)).status);
  }
  expect(statuses).toEqual([200, 200, 403]);
});

test.for([
  [{ subject: 'sign_up', conditions: { links: { at_least: 1 } } }, 'Conditions.links cannot be used'],
  [{ subject: 'follow', conditions: { languages: ['en'] } }, 'Conditions.languages cannot be used'],
  [{ subject: 'follow', actions: ['sensitive'] }, 'Actions can have sensitive only in rules for posts'],
] as const)(
  'REG-01: rules for sign-ups and follows have their own conditions and actions: %j',
  async ([change, error]) => {
    await using server = await startServer();
    const staff = await createStaff(server);
    const valid = { title: 'Spam', conditions: { text: { keywords: ['casino'] } }, actions: ['reject'] };
    const { status, json } = await staff.post(rules, { ...valid, ...change });
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  },
);
