import { expect, test } from 'vitest';
import { streamHub } from '../../server/streaming/connections/hub.ts';
import { everyoneRoleId, standardRoles } from '../../server/users/access/index.ts';
import { createRole, deleteRole, updateRole } from '../../server/users/roles/index.ts';
import { startServer, type TestResponse, type TestServer } from '../server.ts';
import { TestSocket } from '../streams.ts';
import { giveRole, ordinaryPermissions } from './staff-roles.ts';

const path = '/api/v1/fieldfare/admin/roles';
const scopes = 'read write follow push admin:read admin:write';
const allPermissions = String(0x407fffffn);

const outcome = ({ status, json }: TestResponse): string => `${status} ${json.error ?? ''}`;

/** Staff who manage roles and reports, at position 50. */
async function createBoss(server: TestServer) {
  const boss = await server.user('boss', { scopes });
  await giveRole(server, boss.id, { position: 50, permissions: ['manage_roles', 'manage_users', 'manage_reports'] });
  return boss;
}

test('ADM-06: staff create, list, change and delete roles with every property', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const created = await owner.post(path, {
    name: ' Helper ',
    color: 'a1b2c3',
    position: 5,
    permissions: ['manage_reports', 'view_dashboard'],
    highlighted: true,
    collection_limit: 3,
    require_two_factor: true,
  });
  const { id } = created.json;
  const helper = {
    id,
    name: 'Helper',
    color: '#a1b2c3',
    position: 5,
    permissions: ['view_dashboard', 'manage_reports'],
    highlighted: true,
    collection_limit: 3,
    require_two_factor: true,
  };
  expect(created.json).toMatchObject(helper);
  expect((await owner.get(`${path}/${id}`)).json).toEqual(created.json);
  const listed = (await owner.get(path)).json as { name: string; position: number }[];
  expect(listed.map(({ name, position }) => [name, position])).toEqual([
    ['Owner', 1000],
    ['Admin', 100],
    ['Moderator', 10],
    ['Helper', 5],
    ['', -1],
  ]);
  const changed = await owner.put(`${path}/${id}`, { permissions: ['view_feeds'], color: '', highlighted: false });
  expect(changed.json).toMatchObject({ ...helper, permissions: ['view_feeds'], color: '', highlighted: false });
  expect((await owner.put(`${path}/${id}`, { permissions: [], name: 'helper' })).json.permissions).toEqual([]);
  const all = [...ordinaryPermissions, 'administrator'];
  const whole = (await owner.put(`${path}/${id}`, { permissions: all })).json.permissions as string[];
  expect(whole.toSorted()).toEqual(all.toSorted());
  expect((await owner.delete(`${path}/${id}`)).json).toEqual({});
  for (const response of [
    await owner.get(`${path}/${id}`),
    await owner.put(`${path}/${id}`, { name: 'x' }),
    await owner.delete(`${path}/${id}`),
  ]) {
    expect(response.status).toBe(404);
  }
  const entries = await server.db
    .selectFrom('audit_log')
    .select(['action', 'target_label', 'before', 'after'])
    .where('target_type', '=', 'role')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(
    ['create', 'update', 'update', 'update', 'delete'].map((verb) => `role.${verb}`),
  );
  expect(entries[1]).toMatchObject({
    before: { permissions: ['view_dashboard', 'manage_reports'], color: '#a1b2c3', highlighted: true },
    after: { permissions: ['view_feeds'], color: '', highlighted: false },
  });
  expect(entries[4]).toMatchObject({ target_label: 'helper', after: null });
});

test('ADM-06: invalid properties of a role are refused with the name of the field', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const refusals: [object, string][] = [
    [{ name: ' ' }, "Name can't be blank"],
    [{ name: 'x'.repeat(61) }, 'Name is too long'],
    [{ name: 'moderator' }, 'Name has already been taken'],
    [{ name: 'Everyone' }, 'Name is reserved'],
    [{ color: 'blue' }, 'Color is not a hexadecimal color'],
    [{ position: -1 }, 'Position must be a whole number from 0'],
    [{ position: 2 ** 31 }, 'Position must be a whole number from 0'],
    [{ position: 1000 }, 'Position must be below your own role'],
    [{ collection_limit: 1001 }, 'Collection limit must be a whole number from 0 to 1000'],
    [{ permissions: ['fly'] }, 'Permissions contain an unknown permission: fly'],
  ];
  for (const [body, error] of refusals) {
    expect(outcome(await owner.post(path, { name: 'Helper', ...body }))).toContain(`422 Validation failed: ${error}`);
  }
  const { id } = (await owner.post(path, { name: 'Helper' })).json;
  for (const [body, error] of refusals) {
    expect(outcome(await owner.put(`${path}/${id}`, body))).toContain(`422 Validation failed: ${error}`);
  }
  for (const name of ['Owner', '']) {
    const role = ((await owner.get(path)).json as { id: string; name: string }[]).find((each) => each.name === name);
    const deleting = deleteRole(server.app, 'system', role?.id as typeof everyoneRoleId);
    await expect(deleting).rejects.toThrow('The roles of every user and of owners cannot be deleted');
  }
  for (let count = 5; count < 200; count += 1) await createRole(server.app, 'system', { name: `role ${count}` });
  expect(outcome(await owner.post(path, { name: 'One more' }))).toContain('There may be at most 200 roles');
});

test('ADM-06: staff act only on roles below theirs and grant only permissions that they have', async () => {
  await using server = await startServer();
  const boss = await createBoss(server);
  const { roleId } = await server.db
    .selectFrom('users')
    .select('role_id as roleId')
    .where('account_id', '=', boss.id)
    .executeTakeFirstOrThrow();
  const equal = await createRole(server.app, 'system', { name: 'Equal', position: 50 });
  for (const id of [roleId, equal.id, standardRoles.admin, standardRoles.owner]) {
    expect((await boss.put(`${path}/${id}`, { color: '#fff' })).status).toBe(403);
    expect((await boss.delete(`${path}/${id}`)).status).toBe(403);
  }
  const moderator = `${path}/${standardRoles.moderator}`;
  expect(outcome(await boss.post(path, { name: 'Peer', position: 50 }))).toContain('Position must be below your own');
  expect(outcome(await boss.put(moderator, { position: 50 }))).toContain('422 Validation failed: Position');
  for (const [method, at] of [
    ['POST', path],
    ['PUT', moderator],
  ] as const) {
    const refused = await boss.call(method, at, { name: 'Keys', permissions: ['manage_reports', 'administrator'] });
    expect(outcome(refused)).toContain('Permissions would grant permissions that you do not have: administrator');
  }
  // What the role has already is not granted, so it may be taken in parts.
  const kept = await boss.put(moderator, { permissions: ['view_dashboard'], name: 'Watcher' });
  expect(kept.json).toMatchObject({ name: 'Watcher', permissions: ['view_dashboard'] });
  expect((await boss.put(moderator, { permissions: ['view_dashboard', 'manage_reports'] })).status).toBe(200);
});

test('ADM-06: the role of every user has only permissions that are not for staff', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  const everyone = `${path}/${everyoneRoleId}`;
  for (const body of [{ name: 'All' }, { color: '#fff' }, { position: 3 }, { highlighted: true }]) {
    expect(outcome(await owner.put(everyone, body))).toContain('of the role of every user cannot be changed');
  }
  expect(outcome(await owner.put(everyone, { permissions: ['manage_users'] }))).toContain(
    'Permissions cannot be given to every user: manage_users',
  );
  const permissions = ['view_feeds', 'manage_email_subscriptions'];
  expect((await owner.put(everyone, { permissions, collection_limit: 2 })).json).toMatchObject({
    permissions,
    collection_limit: 2,
  });
  const alice = await server.user('alice');
  const { role } = (await alice.get('/api/v1/accounts/verify_credentials')).json;
  expect(role).toMatchObject({ id: '-99', permissions: String(0x500000), collection_limit: 2 });
  expect((await owner.delete(everyone)).status).toBe(422);
});

test('ADM-06: staff assign roles to users below them, and apps see the badge at once', async () => {
  await using server = await startServer();
  const boss = await createBoss(server);
  const [alice, bob] = [await server.user('alice', { scopes }), await server.user('bob')];
  const at = (id: string) => `/api/v1/fieldfare/admin/accounts/${id}/role`;
  const shown = async () => (await bob.get(`/api/v1/accounts/${alice.id}`)).json.roles;
  const values = { name: 'Helper', color: '#123456', position: 5, permissions: ['manage_reports'], highlighted: true };
  const helper = (await boss.post(path, values)).json;
  expect(await shown()).toEqual([]);
  const assigned = await boss.post(at(alice.id), { role_id: helper.id });
  expect(assigned.json).toMatchObject({ id: alice.id, role: { id: helper.id, name: 'Helper', permissions: '65552' } });
  expect(await shown()).toEqual([{ id: helper.id, name: 'Helper', color: '#123456' }]);
  expect((await alice.get('/api/v1/admin/reports')).status).toBe(200);
  const found = (await boss.get(`/api/v2/admin/accounts?role_ids[]=${helper.id}`)).json as { id: string }[];
  expect(found.map(({ id }) => id)).toEqual([alice.id]);

  await boss.put(`${path}/${helper.id}`, { name: 'Greeter', color: '#fff' });
  expect(await shown()).toEqual([{ id: helper.id, name: 'Greeter', color: '#fff' }]);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.role.name).toBe('Greeter');
  await boss.put(`${path}/${helper.id}`, { permissions: [] });
  expect((await alice.get('/api/v1/admin/reports')).status).toBe(403);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.role.permissions).toBe('65536');

  await boss.put(`${path}/${helper.id}`, { permissions: ['manage_reports'] });
  expect((await alice.get('/api/v1/admin/reports')).status).toBe(200);
  await boss.delete(`${path}/${helper.id}`);
  expect((await alice.get('/api/v1/admin/reports')).status).toBe(403);
  expect(await shown()).toEqual([]);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.role.id).toBe('-99');
});

test('ADM-06: roles at or above their own, or with other permissions, are not assigned by staff', async () => {
  await using server = await startServer();
  const boss = await createBoss(server);
  const [alice, owner] = [await server.user('alice'), await server.user('olga', { role: 'owner' })];
  const at = (id: string) => `/api/v1/fieldfare/admin/accounts/${id}/role`;
  const assign = async (id: string, role_id: string) => outcome(await boss.post(at(id), { role_id }));
  expect(await assign(alice.id, standardRoles.admin)).toContain('422 Validation failed: Role must be below your own');
  expect(await assign(alice.id, standardRoles.moderator)).toContain(
    'Role would grant permissions that you do not have: view_audit_log',
  );
  expect(await assign(alice.id, '77')).toContain('422 Validation failed: Role cannot be found');
  for (const target of [boss, owner]) expect(await assign(target.id, everyoneRoleId)).toContain('403');
  expect((await boss.post(at('77'), { role_id: everyoneRoleId })).status).toBe(404);
  expect((await boss.post(at(alice.id), {})).status).toBe(400);
});

test('ADM-06: apps see all permissions in the role of an administrator', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  expect((await owner.get('/api/v1/accounts/verify_credentials')).json.role.permissions).toBe(allPermissions);
  expect((await owner.get(`/api/v1/admin/accounts/${owner.id}`)).json.role.permissions).toBe(allPermissions);
});

test('ADM-06: streams end when a role loses permissions, is deleted, or needs a second factor', async () => {
  await using server = await startServer();
  const { app } = server;
  const values = { name: 'Helper', permissions: ['manage_reports', 'manage_users'] };
  const { id } = await createRole(app, 'system', values);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const other = await TestSocket.open(server, bob, 'stream=user');
  const endings = [
    () => updateRole(app, 'system', { id, permissions: ['manage_reports'] }),
    () => updateRole(app, 'system', { id, requireTwoFactor: true }),
    () => deleteRole(app, 'system', id),
  ];
  for (const end of endings) {
    await updateRole(app, 'system', { id, ...values, requireTwoFactor: false });
    await server.db.updateTable('users').set({ role_id: id }).where('id', '=', alice.userId).execute();
    const socket = await TestSocket.open(server, await server.withScopes(alice, 'read'), 'stream=user');
    await updateRole(app, 'system', { id, permissions: [...values.permissions, 'invite_users'] });
    await updateRole(app, 'system', { id, permissions: values.permissions });
    await socket.flush();
    await end();
    expect(await socket.ended).toBe(1008);
  }
  await updateRole(app, 'system', { id: everyoneRoleId, permissions: [] });
  await other.flush();
  expect(streamHub(app).size).toBe(1);
  other.close();
});
