import { expect, test } from 'vitest';
import { everyoneRoleId, standardRoles } from '../../server/users/access/index.ts';
import { createRole, updateRole } from '../../server/users/roles/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestResponse, type TestServer } from '../server.ts';
import { giveRole } from './staff-roles.ts';

const path = '/api/v1/fieldfare/admin/roles';
const everyone = `${path}/${everyoneRoleId}`;
const scopes = 'read write follow push admin:read admin:write';
const outcome = ({ status, json }: TestResponse): string => `${status} ${json.error ?? ''}`;
const secondFactorMails = ({ outbox }: TestServer) => outbox.filter(({ subject }) => subject.includes('second factor'));

async function createBoss(server: TestServer) {
  const boss = await server.user('boss', { scopes });
  await giveRole(server, boss.id, { position: 900, permissions: ['manage_roles', 'invite_users'] });
  return boss;
}

/** The day that is `days` after today, in UTC. */
const dayAfter = ({ clock }: TestServer, days: number): string =>
  new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

test('ADM-06: the position and permissions of owners are fixed for the API, the command line and the database', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const id = standardRoles.owner;
  for (const change of [{ position: 1 }, { position: 2_000 }, { permissions: [] }, { permissions: ['manage_users'] }]) {
    expect((await owner.put(`${path}/${id}`, change)).status).toBe(403);
    const [field = ''] = Object.keys(change);
    await expect(updateRole(server.app, 'system', { id, ...change })).rejects.toThrow(
      new RegExp(`^Validation failed: ${field} of the role of owners cannot be changed`, 'i'),
    );
  }
  await updateRole(server.app, 'system', { id, name: 'Boss', color: '#123456', position: 1_000 });
  const set = (values: object) => server.db.updateTable('roles').set(values).where('id', '=', id).execute();
  await expect(set({ position: 5 })).rejects.toThrow('roles_owner_fixed');
  await expect(set({ permissions: '0' })).rejects.toThrow('roles_owner_fixed');
});

test('ADM-06: no role is as high as that of owners, whoever creates or raises it', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const { app } = server;
  const text = 'Position must be below the role of owners';
  for (const position of [1_000, 1_001, 2_147_483_647]) {
    await expect(createRole(app, 'system', { name: 'King', position })).rejects.toThrow(text);
    await expect(updateRole(app, 'system', { id: standardRoles.admin, position })).rejects.toThrow(text);
    expect((await owner.post(path, { name: 'King', position })).status).toBe(422);
  }
  const { id } = await createRole(app, 'system', { name: 'Deputy', position: 999 });
  const raised = server.db.updateTable('roles').set({ position: 1_000 }).where('id', '=', id).execute();
  await expect(raised).rejects.toThrow('roles_below_owner');
});

test('ADM-06: only administrators take something from every user; giving is free', async () => {
  await using server = await startServer();
  const [boss, admin] = [await createBoss(server), await server.user('ada', { scopes })];
  await giveRole(server, admin.id, { position: 500, permissions: ['administrator'] });
  const from = dayAfter(server, 7);
  for (const change of [
    { permissions: [] },
    { collection_limit: 1 },
    { require_two_factor: true },
    { require_two_factor: true, require_two_factor_from: from },
  ]) {
    expect(outcome(await boss.put(everyone, change)), JSON.stringify(change)).toBe(
      '403 Only administrators may take something from every user',
    );
  }
  expect((await boss.put(everyone, { collection_limit: 20, permissions: ['invite_users'] })).status).toBe(200);
  expect((await admin.put(everyone, { permissions: [], collection_limit: 3 })).status).toBe(200);
  expect((await admin.put(everyone, { require_two_factor: true, require_two_factor_from: from })).status).toBe(200);
  for (const change of [{ require_two_factor: false }, { require_two_factor_from: dayAfter(server, 30) }])
    expect((await boss.put(everyone, change)).status).toBe(403);
  // As a form sends it, with everything as it was.
  const { json: shown } = await boss.get(everyone);
  expect((await boss.put(everyone, { ...shown, name: '', collection_limit: 30 })).json).toMatchObject({
    position: -1,
    require_two_factor: true,
    require_two_factor_from: from,
  });
  expect((await admin.put(everyone, { require_two_factor: false })).json).toMatchObject({
    require_two_factor: false,
    require_two_factor_from: null,
  });
});

test('ADM-06: a second factor is required of every user only from a later day on', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const put = async (from: unknown) =>
    outcome(await owner.put(everyone, { require_two_factor: true, require_two_factor_from: from }));
  const label = 'The day from which a second factor is required';
  for (const from of [undefined, null, ''])
    expect(await put(from)).toBe(`422 Validation failed: ${label} can't be blank`);
  for (const from of ['soon', '2027-02-30', '2027-13-01', '12/31/2026', '10000-01-01'])
    expect(await put(from)).toContain(`422 Validation failed: ${label} is not a date such as 2026-12-31`);
  for (const days of [-1, 0])
    expect(await put(dayAfter(server, days))).toBe(`422 Validation failed: ${label} must be in the future`);
  const error = (await owner.put(everyone, { require_two_factor: true })).json;
  expect(Object.keys(error.details)).toEqual(['require_two_factor_from']);
  await expect(updateRole(server.app, 'system', { id: everyoneRoleId, requireTwoFactor: true })).rejects.toThrow(
    "can't be blank",
  );
  expect(await put(dayAfter(server, 1))).toBe('200 ');
});

test('ADM-06, security 15: users are notified and work on until the day, and then set up a second factor', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await server.user('carl', { confirmed: false });
  await server.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', bob.userId).execute();
  const browser = new Browser(server);
  await browser.signIn('alice');
  const from = dayAfter(server, 7);
  const security = async () => (await alice.get('/api/v1/fieldfare/account_security')).json.second_factor_required_from;
  expect(await security()).toBeNull();

  await owner.put(everyone, { require_two_factor: true, require_two_factor_from: from });
  await server.drain();
  expect(
    secondFactorMails(server)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(['alice@mail.test', 'olga@mail.test']);
  expect(secondFactorMails(server)[0]?.text).toContain('/settings/two_factor');
  expect(await security()).toBe(`${from}T00:00:00.000Z`);
  for (const page of ['/settings', '/settings/two_factor']) {
    expect(await browser.open(page)).toBe(page);
    expect(browser.text).toContain('your account needs a second factor. Set it up before that day.');
  }
  // The same values again, and another property: no second mail.
  await owner.put(everyone, { require_two_factor: true, require_two_factor_from: from, collection_limit: 12 });
  await server.drain();
  expect(secondFactorMails(server)).toHaveLength(2);

  const secondsUntil = (Date.parse(from) - server.clock.now().getTime()) / 1_000;
  server.clock.advance(secondsUntil - 60);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
  server.clock.advance(60);
  expect((await bob.get('/api/v1/timelines/home')).status).toBe(200);
  expect(outcome(await alice.get('/api/v1/timelines/home'))).toContain('403 Your role requires a second factor');
  expect(await browser.open('/settings/migration')).toBe('/settings/two_factor');
  expect(browser.text).toContain('Your role requires a second factor');
});

test('ADM-06: a role below requires a second factor at once or from a day on, and a moved day is announced again', async () => {
  await using server = await startServer();
  const boss = await createBoss(server);
  const alice = await server.user('alice');
  const { json: role } = await boss.post(path, { name: 'Helper', require_two_factor: true });
  expect(role).toMatchObject({ require_two_factor: true, require_two_factor_from: null });
  await boss.post(`/api/v1/fieldfare/admin/accounts/${alice.id}/role`, { role_id: role.id });
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(403);
  for (const days of [3, 9]) {
    const from = dayAfter(server, days);
    const changed = await boss.put(`${path}/${role.id}`, { require_two_factor_from: from });
    expect(changed.json.require_two_factor_from).toBe(from);
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
    await server.drain();
  }
  expect(secondFactorMails(server).map(({ to }) => to)).toEqual(['alice@mail.test', 'alice@mail.test']);
  const cleared = await boss.put(`${path}/${role.id}`, { require_two_factor_from: '' });
  expect(cleared.json.require_two_factor_from).toBeNull();
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(403);
});
