import { badgesChanged } from '../../accounts/badges/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type RoleId } from '../../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { everyoneRoleId, standardRoles } from '../access/roles.ts';
import { roleChanged } from '../events.ts';
import { announceSecondFactor } from '../mails/second-factor-notice.ts';
import { writable } from '../tables.ts';
import { assertBelow, loadRoleRights, lockRoles, type RoleRow, type RolesById } from './lock-roles.ts';
import { maxRoles, presentAdminRole, toAuditDetails } from './present-roles.ts';
import { changesTwoFactor, checkReach, checkStandardRoles, checkTwoFactorStart } from './check-reach.ts';
import { checkGrant, checkName, newRoleValues, parseRole, type RoleInput, type RoleValues } from './role-values.ts';
import type { AdminRole } from './schema.ts';

/**
 * Creates a role below that of the staff member, with permissions that they have (ADM-06). Throws 422 that names the
 * field, or if there are `maxRoles`.
 */
export function createRole(app: App, staff: Staff, input: RoleInput): Promise<AdminRole> {
  const values = parseRole(newRoleValues, input);
  return transaction(app, async (tx) => {
    const roles = await lockRoles(tx);
    const rights = await loadRoleRights(tx, staff, roles);
    if (roles.size >= maxRoles) throw validationFailed('users.tooManyRoles', { max: maxRoles });
    checkName(values.name, roles);
    checkGrant(rights, newRoleValues, values);
    const now = app.clock.now();
    checkTwoFactorStart(undefined, newRoleValues, values, now);
    const id = newId<'role'>(now);
    const row: RoleRow = { ...values, id, two_factor_announced_from: null, created_at: now, updated_at: now };
    await writable(tx.db).insertInto('roles').values(row).execute();
    const after = toAuditDetails(row);
    recordStaffAction(tx, staff, { target: 'role', verb: 'create', id: row.id, label: row.name, after });
    return presentAdminRole(row);
  });
}

/**
 * Changes the given properties of a role, for all its users at once. Throws 404 if there is none, 403 if it is not below
 * that of the staff member or the change takes something from everyone (`checkReach`), 422 as `createRole`.
 */
export function updateRole(
  app: App,
  staff: Staff,
  { id, ...input }: RoleInput & { readonly id: RoleId },
): Promise<AdminRole> {
  return transaction(app, async (tx) => {
    const roles = await lockRoles(tx);
    const before = requireRole(roles, id);
    const rights = await loadRoleRights(tx, staff, roles);
    assertBelow(rights, before);
    const values = parseRole(before, input);
    if (values.name !== before.name && id !== everyoneRoleId) checkName(values.name, roles, id);
    const now = app.clock.now();
    checkStandardRoles(before, before, values);
    checkReach(rights, before, before, values);
    if (id !== standardRoles.owner) checkGrant(rights, before, values);
    checkTwoFactorStart(id, before, values, now);
    const after: RoleRow = { ...before, ...values, updated_at: now };
    await writable(tx.db)
      .updateTable('roles')
      .set({ ...values, updated_at: after.updated_at })
      .where('id', '=', id)
      .execute();
    recordStaffUpdate(tx, staff, {
      target: 'role',
      verb: 'update',
      id,
      label: labelOf(after),
      before: toAuditDetails(before),
      after: toAuditDetails(after),
    });
    tx.emit(roleChanged({ roleId: id }));
    announceTwoFactor(tx, id, before, values);
    if (badgeOf(before) !== badgeOf(after)) tx.emit(badgesChanged({}));
    return presentAdminRole(after);
  });
}

/**
 * Deletes a role; its users have that of every user from then on. Throws 404 if there is none, 403 if it is not below that
 * of the staff member, 422 for the roles of every user and of owners.
 */
export function deleteRole(app: App, staff: Staff, id: RoleId): Promise<void> {
  return transaction(app, async (tx) => {
    const roles = await lockRoles(tx);
    const role = requireRole(roles, id);
    assertBelow(await loadRoleRights(tx, staff, roles), role);
    if (id === everyoneRoleId || id === standardRoles.owner) throw validationFailed('users.roleNeeded');
    await writable(tx.db).updateTable('users').set({ role_id: everyoneRoleId }).where('role_id', '=', id).execute();
    await writable(tx.db).deleteFrom('roles').where('id', '=', id).execute();
    const before = toAuditDetails(role);
    recordStaffAction(tx, staff, { target: 'role', verb: 'delete', id, label: role.name, before });
    tx.emit(roleChanged({ roleId: id }));
    if (role.highlighted) tx.emit(badgesChanged({}));
  });
}

/** Queues the mails to users who will need a second factor from a later day on. */
function announceTwoFactor({ enqueue }: Transaction, roleId: RoleId, before: RoleValues, after: RoleValues): void {
  const { require_two_factor_from: from } = after;
  if (from === null || !changesTwoFactor(before, after)) return;
  enqueue(announceSecondFactor({ roleId, from: from.toISOString() }));
}

function requireRole(roles: RolesById, id: RoleId): RoleRow {
  const role = roles.get(id);
  if (role === undefined) throw notFound();
  return role;
}

const labelOf = ({ id, name }: RoleRow): string => (id === everyoneRoleId ? 'everyone' : name);

/** Identifies what profiles show of a role. */
const badgeOf = ({ highlighted, name, color }: RoleRow): string => (highlighted ? JSON.stringify([name, color]) : '');
