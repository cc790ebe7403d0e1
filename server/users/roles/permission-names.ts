import { invalidField } from '../../platform/http/http-errors.ts';
import { permissionBits, type Permission } from '../access/roles.ts';
import { isNameOf, namesOf } from '../../platform/known-names.ts';

export const permissionNames: readonly Permission[] = namesOf(permissionBits);

/** Returns the names of the permissions in a bit mask. */
export const namePermissions = (bits: bigint): Permission[] =>
  permissionNames.filter((name) => (bits & permissionBits[name]) !== 0n);

/** Returns the bit mask of permissions. Throws 422 for an unknown name. */
export function parsePermissions(names: readonly string[]): bigint {
  let bits = 0n;
  for (const name of names) {
    if (!isNameOf(permissionBits, name)) throw invalidField('permissions', 'problems.unknownPermission', { name });
    bits |= permissionBits[name];
  }
  return bits;
}
