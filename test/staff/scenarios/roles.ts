import { createRole } from '../../../server/users/roles/index.ts';
import { everyoneRoleId } from '../../../server/users/access/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/roles';

const rolePath = async ({ app }: TestServer): Promise<string> =>
  `${path}/${(await createRole(app, 'system', { name: 'Helper', position: 5 })).id}`;

export const roleScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`GET ${path}/:id`]: async (server) => ({ path: await rolePath(server) }),
  [`POST ${path}`]: async () => ({ path, body: { name: 'Helper', position: 5 } }),
  [`PUT ${path}/:id`]: async (server) => ({ path: await rolePath(server), body: { name: 'Greeter' } }),
  [`DELETE ${path}/:id`]: async (server) => ({ path: await rolePath(server) }),
  'POST /api/v1/fieldfare/admin/accounts/:id/role': async (server) => {
    const { id } = await server.user('subject');
    const body = { role_id: everyoneRoleId };
    return { path: `/api/v1/fieldfare/admin/accounts/${id}/role`, body, target: id };
  },
};
