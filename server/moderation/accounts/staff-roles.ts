import type { App } from '../../platform/app.ts';
import type { RoleId } from '../../platform/ids.ts';
import { everyoneRoleId, hasPermission } from '../../users/access/index.ts';

/** Returns the roles whose users manage reports: they count as staff in lists of accounts. */
export async function listStaffRoles({ db }: App): Promise<RoleId[]> {
  const roles = await db.selectFrom('roles').select(['id', 'permissions']).execute();
  return roles
    .filter(({ id, permissions }) => {
      const viewer = { permissions: BigInt(permissions) };
      return id !== everyoneRoleId && hasPermission(viewer, 'manage_reports');
    })
    .map(({ id }) => id);
}

/** Returns the roles that are in both lists; undefined stands for all. */
export const intersectRoles = (
  some: readonly RoleId[] | undefined,
  others: readonly RoleId[] | undefined,
): readonly RoleId[] | undefined =>
  some === undefined || others === undefined ? (some ?? others) : some.filter((id) => others.includes(id));
