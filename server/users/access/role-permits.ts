import type { App } from '../../platform/app.ts';
import type { RoleId } from '../../platform/ids.ts';
import { presentRole } from './present-role.ts';
import { hasPermission, type Permission } from './roles.ts';

/** Returns whether a role has a permission, itself or as every user. Throws 404 for an unknown role. */
export async function rolePermits(app: App, id: RoleId, permission: Permission): Promise<boolean> {
  const { permissions } = await presentRole(app, id);
  return hasPermission({ permissions: BigInt(permissions) }, permission);
}
