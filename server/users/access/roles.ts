import { fixedId, type RoleId } from '../../platform/ids.ts';

/** The role of every user. Its permissions are added to those of every other role. */
export const everyoneRoleId: RoleId = fixedId('-99');

/** The predefined roles, by their name on the command line. */
export const standardRoles = {
  user: everyoneRoleId,
  moderator: fixedId<'role'>('1'),
  admin: fixedId<'role'>('2'),
  owner: fixedId<'role'>('3'),
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
