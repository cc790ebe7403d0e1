import type { RoleId } from '../../platform/ids.ts';

/** The role of every user. Its permissions are added to those of every other role. */
export const everyoneRoleId = '-99' as RoleId;

/** The predefined roles, by their name on the command line. */
export const standardRoles = {
  user: everyoneRoleId,
  moderator: '1' as RoleId,
  admin: '2' as RoleId,
  owner: '3' as RoleId,
} as const;
/** That of owners. Every other role has a lower one. */
export const ownerPosition = 1_000;

export type StandardRole = keyof typeof standardRoles;

export {
  allPermissions,
  effectivePermissions,
  everyonePermissions,
  hasPermission,
  permissionBits,
  type Permission,
} from './permission-bits.ts';
