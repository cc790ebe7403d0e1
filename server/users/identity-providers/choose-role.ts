import type { RoleId } from '../../platform/ids.ts';
import { everyoneRoleId, ownerPosition } from '../access/roles.ts';

/** What the rank of a role depends on. */
export interface RankedRole {
  readonly id: RoleId;
  readonly position: number;
}

interface RoleChoice {
  /** The role of the user. */
  readonly current: RankedRole;
  /** The role that a group gave them. */
  readonly grantedId: RoleId | null;
  /** The roles of their groups. */
  readonly ofGroups: readonly RankedRole[];
}

/**
 * Returns the role of a user at a sign-in, and whether their groups give it. Groups give the highest of their roles to
 * someone with a lower one, and take away only what they gave. Nobody becomes an owner, or ceases to be one.
 */
export function chooseRole({ current, grantedId, ofGroups }: RoleChoice): { roleId: RoleId; isGranted: boolean } {
  const isGranted = current.id === grantedId;
  const [highest] = ofGroups
    .filter(({ position }) => position < ownerPosition)
    .toSorted((one, other) => other.position - one.position);
  const isOwner = current.position >= ownerPosition;
  if (isOwner || (!isGranted && (highest === undefined || highest.position <= current.position)))
    return { roleId: current.id, isGranted: false };
  return highest === undefined ? { roleId: everyoneRoleId, isGranted: false } : { roleId: highest.id, isGranted: true };
}
