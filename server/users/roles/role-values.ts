import { invalidField } from '../../platform/http/http-errors.ts';
import { exceedsLimit } from '../../text/index.ts';
import { ownerPosition } from '../access/roles.ts';
import type { RoleRights, RoleRow, RolesById } from './lock-roles.ts';
import { namePermissions, parsePermissions } from './permission-names.ts';

/** Characters. */
const maxNameLength = 60;
const maxPosition = 2_147_483_647;
const maxCollectionLimit = 1_000;
/** Characters of an invalid day that the error repeats. */
const maxDayLength = 40;
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
  /** A day such as 2026-12-31, from whose start in UTC a second factor is required; blank or null: at once. */
  readonly requireTwoFactorFrom?: string | null | undefined;
}

/** What staff can change about a role, as it is stored. */
export type RoleValues = Pick<
  RoleRow,
  | 'name'
  | 'color'
  | 'position'
  | 'permissions'
  | 'highlighted'
  | 'collection_limit'
  | 'require_two_factor'
  | 'require_two_factor_from'
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
  require_two_factor_from: null,
};

/** Returns the values of a role after a change. Throws 422 for an invalid one. */
export function parseRole(before: RoleValues, input: RoleInput): RoleValues {
  const { permissions } = input;
  const requireTwoFactor = input.requireTwoFactor ?? before.require_two_factor;
  return {
    name: input.name?.trim() ?? before.name,
    color: input.color === undefined ? before.color : parseColor(input.color.trim()),
    position: parsePosition(before, input.position),
    permissions: permissions === undefined ? before.permissions : String(parsePermissions(permissions)),
    highlighted: input.highlighted ?? before.highlighted,
    collection_limit:
      checkRange('collection_limit', input.collectionLimit, maxCollectionLimit) ?? before.collection_limit,
    require_two_factor: requireTwoFactor,
    require_two_factor_from: requireTwoFactor ? parseStart(before, input.requireTwoFactorFrom) : null,
  };
}

function parseColor(color: string): string {
  if (color === '') return '';
  if (!/^#?(?:[0-9a-f]{3}){1,2}$/i.test(color)) throw invalidField('color', 'problems.notColor');
  return color.startsWith('#') ? color : `#${color}`;
}

/** Forms send the position of the role of every user, which is below the range, with other properties. */
const parsePosition = (before: RoleValues, position: number | undefined): number =>
  position === before.position ? position : (checkRange('position', position, maxPosition) ?? before.position);

function parseStart(before: RoleValues, text: string | null | undefined): Date | null {
  if (text === undefined) return before.require_two_factor_from;
  if (text === null || text.trim() === '') return null;
  const day = text.trim();
  const start = new Date(`${day}T00:00:00.000Z`);
  // Date accepts the 31st of February.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
  if (!isDay) throw invalidField('require_two_factor_from', 'problems.notADate', { value: day.slice(0, maxDayLength) });
  return start;
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

/**
 * Throws 422 if a role would not stay below those of the staff member and of owners, or would get permissions that the
 * staff member does not have.
 */
export function checkGrant(rights: RoleRights, before: RoleValues, after: RoleValues): void {
  if (after.position >= rights.position) throw invalidField('position', 'problems.notBelowOwnRole');
  if (after.position !== before.position && after.position >= ownerPosition)
    throw invalidField('position', 'problems.notBelowOwners');
  const added = BigInt(after.permissions) & ~BigInt(before.permissions);
  const names = namePermissions(added & ~rights.permissions).join(', ');
  if (names !== '') throw invalidField('permissions', 'problems.notOwnPermissions', { names });
}
