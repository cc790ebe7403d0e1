import type { Selectable } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { RoleId } from '../../platform/ids.ts';
import type { Staff } from '../../site/index.ts';
import { allPermissions, effectivePermissions, everyoneRoleId, hasPermission } from '../access/roles.ts';
import type { UserTables } from '../tables.ts';

export type RoleRow = Selectable<UserTables['roles']>;
export type RolesById = ReadonlyMap<RoleId, RoleRow>;

/** What a staff member may grant: roles below a position, with at most these permissions. */
export interface RoleRights {
  readonly position: number;
  readonly permissions: bigint;
  /** Whether they may change what reaches everyone, people above them included. */
  readonly isAdministrator: boolean;
}

/**
 * Locks all roles and returns them by id. Every change of a role, and every assignment of one, begins with it, so that
 * the ranks that were checked still hold at the commit. There are at most `maxRoles`.
 */
export async function lockRoles({ db }: Transaction): Promise<RolesById> {
  const rows = await db.selectFrom('roles').selectAll().orderBy('id').forNoKeyUpdate().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns what a staff member may grant, while the roles are locked. Throws 403 if they may no longer manage roles. */
export async function loadRoleRights({ db }: Transaction, staff: Staff, roles: RolesById): Promise<RoleRights> {
  if (staff === 'system') return { position: Infinity, permissions: allPermissions, isAdministrator: true };
  const user = await db.selectFrom('users').select('role_id').where('account_id', '=', staff).executeTakeFirst();
  const role = user && roles.get(user.role_id);
  const everyone = roles.get(everyoneRoleId);
  if (role === undefined || everyone === undefined) throw forbidden();
  const permissions = effectivePermissions(BigInt(role.permissions), BigInt(everyone.permissions));
  if (!hasPermission({ permissions }, 'manage_roles')) throw forbidden();
  return { position: role.position, permissions, isAdministrator: hasPermission({ permissions }, 'administrator') };
}

/** Throws 403 unless a role is below the staff member's: nobody changes their own, an equal or a higher one. */
export function assertBelow({ position }: RoleRights, role: RoleRow): void {
  if (role.position >= position) throw forbidden();
}
