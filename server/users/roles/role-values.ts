import { invalidField } from '../../platform/http/http-errors.ts';
import { exceedsLimit } from '../../text/index.ts';
import { everyonePermissions, everyoneRoleId } from '../access/roles.ts';
import type { RoleRights, RoleRow, RolesById } from './lock-roles.ts';
import { namePermissions, parsePermissions } from './permission-names.ts';

/** Characters. */
const maxNameLength = 60;
const maxPosition = 2_147_483_647;
const maxCollectionLimit = 1_000;
/** What the command line calls the role of every user. */
const reservedNames = ['everyone', 'user'];

/** Properties of a role as staff enter them. */
export interface RoleInput {
  readonly name?: string | undefined;
  /** Hexadecimal, with or without #; empty for none. */
  readonly color?: string | undefined;
  readonly position?: number | undefined;
  /** Names. */
  readonly permissions?: readonly string[] | undefined;
  readonly highlighted?: boolean | undefined;
  readonly collectionLimit?: number | undefined;
  readonly requireTwoFactor?: boolean | undefined;
}

/** What staff can change about a role, as it is stored. */
export type RoleValues = Pick<
  RoleRow,
  'name' | 'color' | 'position' | 'permissions' | 'highlighted' | 'collection_limit' | 'require_two_factor'
>;

/** A role without permissions, above that of every user. */
export const newRoleValues: RoleValues = {
  name: '',
  color: '',
  position: 0,
  permissions: '0',
  highlighted: false,
  collection_limit: 10,
  require_two_factor: false,
};

/** Returns the values of a role after a change. Throws 422 for an invalid one. */
export function parseRole(before: RoleValues, input: RoleInput): RoleValues {
  const { permissions } = input;
  return {
    name: input.name?.trim() ?? before.name,
    color: input.color === undefined ? before.color : parseColor(input.color.trim()),
    position: checkRange('position', input.position, maxPosition) ?? before.position,
    permissions: permissions === undefined ? before.permissions : String(parsePermissions(permissions)),
    highlighted: input.highlighted ?? before.highlighted,
    collection_limit:
      checkRange('collection_limit', input.collectionLimit, maxCollectionLimit) ?? before.collection_limit,
    require_two_factor: input.requireTwoFactor ?? before.require_two_factor,
  };
}

function parseColor(color: string): string {
  if (color === '') return '';
  if (!/^#?(?:[0-9a-f]{3}){1,2}$/i.test(color)) throw invalidField('color', 'problems.notColor');
  return color.startsWith('#') ? color : `#${color}`;
}

function checkRange(field: 'position' | 'collection_limit', value: number | undefined, max: number) {
  if (value !== undefined && !(value >= 0 && value <= max)) {
    throw invalidField(field, 'problems.outOfRange', { min: 0, max });
  }
  return value;
}

/** Throws 422 if a name is blank, too long, reserved, or belongs to another role. */
export function checkName(name: string, roles: RolesById, ownId?: RoleRow['id']): void {
  const key = name.toLowerCase();
  if (name === '') throw invalidField('name', 'problems.blank');
  if (exceedsLimit(name, maxNameLength)) throw invalidField('name', 'problems.tooLong', { max: maxNameLength });
  if (reservedNames.includes(key)) throw invalidField('name', 'problems.reserved');
  const isTaken = roles.values().some((role) => role.id !== ownId && role.name.toLowerCase() === key);
  if (isTaken) throw invalidField('name', 'problems.alreadyTaken');
}

/** Throws 422 if a role would not stay below the staff member's, or would get permissions that they do not have. */
export function checkGrant(rights: RoleRights, before: RoleValues, after: RoleValues): void {
  if (after.position >= rights.position) throw invalidField('position', 'problems.notBelowOwnRole');
  const added = BigInt(after.permissions) & ~BigInt(before.permissions);
  const names = namePermissions(added & ~rights.permissions).join(', ');
  if (names !== '') throw invalidField('permissions', 'problems.notOwnPermissions', { names });
}

const fixedForEveryone = ['name', 'color', 'position', 'highlighted'] as const;

/** Throws 422 for a change of what makes the role of every user, or a permission that is only for staff. */
export function checkEveryone({ id }: RoleRow, before: RoleValues, after: RoleValues): void {
  if (id !== everyoneRoleId) return;
  for (const field of fixedForEveryone) {
    if (after[field] !== before[field]) throw invalidField(field, 'problems.fixedForEveryone');
  }
  const names = namePermissions(BigInt(after.permissions) & ~everyonePermissions).join(', ');
  if (names !== '') throw invalidField('permissions', 'problems.onlyForStaff', { names });
}
