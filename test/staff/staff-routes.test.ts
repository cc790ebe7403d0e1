import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import type { Permission } from '../../server/users/access/index.ts';
import { startServer, type Client, type TestServer, type TestUser } from '../server.ts';
import { staffScenarios } from './scenarios/index.ts';
import type { StaffRequest } from './staff-scenario.ts';
import { giveRole, ordinaryPermissions } from './staff-roles.ts';

const staffRoutes = routes
  .filter(({ options }) => options.access.startsWith('staff:'))
  .map(({ method, path, options }) => ({
    name: `${method} ${path}`,
    method,
    permissions: options.access.slice('staff:'.length).split('|') as Permission[],
  }));

const position = 50;
const scopes = 'read write follow push';

interface Callers {
  readonly anonymous: Client;
  readonly user: TestUser;
  /** With every other permission. */
  readonly other: TestUser;
  /** With the permission, and without the scope. */
  readonly unscoped: Client;
  readonly permitted: TestUser;
}

let created = 0;

async function createCallers(
  server: TestServer,
  permissions: readonly Permission[],
  further: readonly Permission[],
): Promise<Callers> {
  created += 1;
  const create = (name: string) => server.user(`${name}${created}`, { scopes: `${scopes} admin:read admin:write` });
  const [user, other, permitted] = [await create('user'), await create('other'), await create('staff')];
  await giveRole(server, other.id, {
    position: 900,
    permissions: ordinaryPermissions.filter((name) => !permissions.includes(name)),
  });
  const [permission] = permissions;
  await giveRole(server, permitted.id, {
    position,
    permissions: permission === undefined ? [] : [permission, ...further],
  });
  return { anonymous: server.anonymous, user, other, permitted, unscoped: await server.withScopes(permitted, scopes) };
}

const send = (client: Client, method: string, { path, body }: StaffRequest) =>
  client.call(method as 'POST', path, method === 'GET' ? undefined : (body ?? {}));

const countEntries = async ({ app }: TestServer, staff: TestUser): Promise<number> =>
  (await app.db.selectFrom('audit_log').select('id').where('staff_id', '=', staff.id).execute()).length;

test('ADM-06: every staff route has a scenario, and no scenario is left over', () => {
  expect(Object.keys(staffScenarios).toSorted()).toEqual(staffRoutes.map(({ name }) => name).toSorted());
});

test.for(staffRoutes)(
  'ADM-06: $name needs its permission, its scope and a higher role, and is in the audit log',
  async ({ name, method, permissions }) => {
    await using server = await startServer();
    const request = await staffScenarios[name]?.(server);
    if (request === undefined) throw new Error(`there is no scenario of ${name}`);
    const { permitted, ...refused } = await createCallers(server, permissions, request.permissions ?? []);
    for (const [kind, client] of Object.entries(refused)) {
      expect((await send(client, method, request)).status, kind).toBe(kind === 'anonymous' ? 401 : 403);
    }
    if (request.target !== undefined) {
      for (const higher of [position, position + 1]) {
        await giveRole(server, request.target, { position: higher, permissions: [] });
        expect((await send(permitted, method, request)).status, `target at ${higher}`).toBe(403);
      }
      await giveRole(server, request.target, { position: position - 1, permissions: [] });
    }
    expect(await countEntries(server, permitted)).toBe(0);
    const response = await send(permitted, method, request);
    expect(response.status, response.text).toBe(200);
    expect(await countEntries(server, permitted)).toBe(method === 'GET' || request.changesNothing === true ? 0 : 1);
  },
);
