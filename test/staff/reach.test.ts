import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { hasPermission, permissionBits, standardRoles, type Permission } from '../../server/users/access/roles.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { reachOfRoutes } from './reach-table.ts';
import { staffScenarios } from './scenarios/index.ts';
import { giveRole, ordinaryPermissions } from './staff-roles.ts';

const writes = routes
  .filter(({ method, options }) => method !== 'GET' && options.access.startsWith('staff:'))
  .map(({ method, path, options }) => ({ name: `${method} ${path}`, method, access: options.access }));
const permissionsOf = (access: string) => access.slice('staff:'.length).split('|');
const scopes = 'read write follow push admin:read admin:write';

test('ADM-06: every staff route that writes is listed with its reach, and with how an owner undoes it', () => {
  expect(Object.keys(reachOfRoutes).toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
  const known = new Map(writes.map(({ name, access }) => [name, access]));
  const owner = { permissions: permissionBits.administrator };
  for (const [name, { undo }] of Object.entries(reachOfRoutes)) {
    if (typeof undo === 'object') {
      expect(undo.never, name).toMatch(/\.$/);
      continue;
    }
    const access = known.get(undo);
    expect(access, `${name} is undone by ${undo}`).toBeDefined();
    expect(permissionsOf(access ?? '').every((permission) => hasPermission(owner, permission as Permission))).toBe(
      true,
    );
  }
});

async function canWork(server: TestServer, owner: TestUser): Promise<void> {
  for (const path of ['/api/v1/accounts/verify_credentials', '/api/v1/timelines/home', '/api/v1/admin/ip_blocks'])
    expect((await owner.get(path)).status, path).toBe(200);
  const browser = new Browser(server);
  expect(await browser.signIn('olga')).toBe('/');
  await browser.open('/settings/two_factor');
  expect([browser.status, browser.path]).toEqual([200, '/settings/two_factor']);
  const role = await server.db.selectFrom('users').select('role_id').where('id', '=', owner.userId).executeTakeFirst();
  expect(role).toEqual({ role_id: standardRoles.owner });
}

test.for(writes)('ADM-06: after $name, owners sign in and act as before', async ({ name, method }) => {
  await using server = await startServer({ sweep: true });
  const owner = await server.user('olga', { role: 'owner', scopes });
  const request = await staffScenarios[name]?.(server);
  if (request === undefined) throw new Error(`there is no scenario of ${name}`);
  expect(request.target !== undefined, `${name} needs a target in its scenario`).toBe(
    reachOfRoutes[name]?.reach === 'user',
  );
  const staff = await server.user('mallory', { scopes });
  await giveRole(server, staff.id, { position: 900, permissions: ordinaryPermissions });
  const response = await staff.call(method as 'POST', request.path, request.body ?? {});
  expect(response.status, response.text).toBe(200);
  await canWork(server, owner);
});

const own = '/api/v1/fieldfare/admin';
/** Requests that would end the access of every user, or of people above. */
const attacks: readonly (readonly [method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, status: number])[] = [
  ['POST', '/api/v1/admin/ip_blocks', { ip: '0.0.0.0/0', severity: 'no_access' }, 422],
  ['POST', '/api/v1/admin/ip_blocks', { ip: '127.0.0.1', severity: 'no_access' }, 422],
  ['POST', '/api/v1/admin/ip_blocks', { ip: '::ffff:127.0.0.1', severity: 'no_access' }, 422],
  ['POST', '/api/v1/admin/ip_blocks', { ip: '0.0.0.0/0', severity: 'sign_up_block' }, 200],
  ['PUT', `${own}/roles/-99`, { require_two_factor: true }, 403],
  ['PUT', `${own}/roles/-99`, { require_two_factor: true, require_two_factor_from: '2030-01-01' }, 403],
  ['PUT', `${own}/roles/-99`, { permissions: [] }, 403],
  ['PUT', `${own}/roles/-99`, { collection_limit: 0 }, 403],
  ['PUT', `${own}/roles/3`, { position: 1 }, 403],
  ['PUT', `${own}/roles/3`, { require_two_factor: true }, 403],
  ['POST', `${own}/roles`, { name: 'King', position: 1_000 }, 422],
  ['POST', `${own}/roles`, { name: 'King', position: 900 }, 422],
  ['POST', `${own}/roles`, { name: 'King', permissions: ['administrator'] }, 422],
  ['POST', '/api/v1/admin/domain_blocks', { domain: 'fieldfare.test', severity: 'suspend' }, 422],
  ['POST', '/api/v1/admin/domain_blocks', { domain: 'test', severity: 'suspend' }, 422],
  ['POST', '/api/v1/admin/domain_allows', { domain: 'fieldfare.test' }, 422],
  ['POST', '/api/v1/admin/email_domain_blocks', { domain: 'mail.test' }, 200],
  ['POST', '/api/v1/admin/canonical_email_blocks', { email: 'olga@mail.test' }, 200],
  ['POST', `${own}/invites`, { username: 'olga' }, 403],
  ['PATCH', `${own}/settings`, { registrations: 'closed', custom_css: '* { display: none }' }, 200],
];

test.for(attacks)(
  'ADM-06: staff below owners do not lock them out by %s %s %o',
  async ([method, path, body, status]) => {
    await using server = await startServer({ sweep: true });
    const owner = await server.user('olga', { role: 'owner', scopes });
    const staff = await server.user('mallory', { scopes });
    await giveRole(server, staff.id, { position: 900, permissions: ordinaryPermissions });
    const response = await staff.call(method, path, body);
    expect(response.status, response.text).toBe(status);
    await canWork(server, owner);
    expect((await staff.get('/api/v1/timelines/home')).status).toBe(200);
  },
);

test('ADM-06: invites of people of the same or a higher role are left when staff expire all', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes });
  await server.user('alice');
  const staff = await server.user('mallory', { scopes });
  await giveRole(server, staff.id, { position: 50, permissions: ['manage_invites', 'invite_users'] });
  for (const username of ['olga', 'alice', 'mallory']) await owner.post(`${own}/invites`, { username });
  const rest = async () => {
    const all = (await owner.get(`${own}/invites?state=available`)).json as { username: string }[];
    return all.map(({ username }) => username);
  };
  expect((await staff.post(`${own}/invites/expire_all`, { account_id: owner.id })).json.count).toBe(0);
  expect((await staff.post(`${own}/invites/expire_all`)).json.count).toBe(2);
  expect(await rest()).toEqual(['olga']);
  expect((await owner.post(`${own}/invites/expire_all`)).json.count).toBe(1);
});
