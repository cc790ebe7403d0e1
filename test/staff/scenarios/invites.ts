import { createInvite, findInvite } from '../../../server/users/invites/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/invites';

async function invitePath(server: TestServer): Promise<string> {
  await server.user('inviter');
  const code = await createInvite(server.app, 'system', { username: 'inviter' });
  return `${path}/${(await findInvite(server.app, code))?.id}`;
}

export const inviteScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async (server) => {
    const { id } = await server.user('inviter');
    return { path, body: { username: 'inviter' }, target: id };
  },
  [`POST ${path}/expire_all`]: async (server) => {
    await invitePath(server);
    return { path: `${path}/expire_all` };
  },
  [`GET ${path}/:id`]: async (server) => ({ path: await invitePath(server) }),
  [`POST ${path}/:id/expire`]: async (server) => ({ path: `${await invitePath(server)}/expire` }),
};
