import type { App } from '../../platform/app.ts';
import type { RoleId } from '../../platform/ids.ts';
import { siteSettings } from '../../site/index.ts';
import { rolePermits } from '../access/role-permits.ts';
import { everyoneRoleId } from '../access/roles.ts';

/** Returns whether users with a role may invite. Default: whether every user may. */
export const mayInvite = (app: App, id: RoleId = everyoneRoleId): Promise<boolean> =>
  rolePermits(app, id, 'invite_users');

/** Returns whether staff decide about people who are invited by users with a role. */
export async function guestsNeedApproval(app: App, id: RoleId): Promise<boolean> {
  const { registrations } = await siteSettings(app);
  return registrations !== 'open' && !(await rolePermits(app, id, 'invite_bypass_approval'));
}
