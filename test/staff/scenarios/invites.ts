import { createInvite, findInvite } from '../../../server/users/invites/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/invites';

async function createInvitePath(server: TestServer): Promise<{ readonly path: string; readonly target: AccountId }> {
  const { id: target } = await server.user('inviter');
  const code = await createInvite(server.app, 'system', { username: 'inviter' });
  return { path: `${path}/${(await findInvite(server.app, code))?.id}`, target };
}

export const inviteScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async (server) => {
    const { id } = await server.user('inviter');
    return { path, body: { username: 'inviter' }, target: id };
  },
  [`POST ${path}/expire_all`]: async (server) => {
    await createInvitePath(server);
    return { path: `${path}/expire_all` };
  },
  [`GET ${path}/:id`]: async (server) => ({ path: (await createInvitePath(server)).path }),
  [`POST ${path}/:id/expire`]: async (server) => {
    const invite = await createInvitePath(server);
    return { ...invite, path: `${invite.path}/expire` };
  },
};
