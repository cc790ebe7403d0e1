import { invalidField } from '../../platform/http/http-errors.ts';
import { permissionBits, type Permission } from '../access/roles.ts';

export const permissionNames = Object.keys(permissionBits) as readonly Permission[];

/** Returns the names of the permissions in a bit mask. */
export const namePermissions = (bits: bigint): Permission[] =>
  permissionNames.filter((name) => (bits & permissionBits[name]) !== 0n);

/** Returns the bit mask of permissions. Throws 422 for an unknown name. */
export function parsePermissions(names: readonly string[]): bigint {
  let bits = 0n;
  for (const name of names) {
    if (!isPermission(name)) throw invalidField('permissions', 'problems.unknownPermission', { name });
    bits |= permissionBits[name];
  }
  return bits;
}

const isPermission = (name: string): name is Permission => Object.hasOwn(permissionBits, name);
