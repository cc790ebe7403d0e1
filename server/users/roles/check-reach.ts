import { forbidden, invalidField } from '../../platform/http/http-errors.ts';
import { everyonePermissions, everyoneRoleId, standardRoles } from '../access/roles.ts';
import type { RoleRights, RoleRow } from './lock-roles.ts';
import { namePermissions } from './permission-names.ts';
import type { RoleValues } from './role-values.ts';

const dayMs = 86_400_000;
const fixedForEveryone = ['name', 'color', 'position', 'highlighted'] as const;
const fixedForOwners = ['position', 'permissions'] as const;

/**
 * Throws 422 for a change of what makes the roles of every user and of owners, or a permission that is only for staff.
 * Owners stay above everyone, so that they can undo every change over the API.
 */
export function checkStandardRoles({ id }: RoleRow, before: RoleValues, after: RoleValues): void {
  if (id === standardRoles.owner) {
    for (const field of fixedForOwners) {
      if (after[field] !== before[field]) throw invalidField(field, 'problems.fixedForOwners');
    }
  }
  if (id !== everyoneRoleId) return;
  for (const field of fixedForEveryone) {
    if (after[field] !== before[field]) throw invalidField(field, 'problems.fixedForEveryone');
  }
  const names = namePermissions(BigInt(after.permissions) & ~everyonePermissions).join(', ');
  if (names !== '') throw invalidField('permissions', 'problems.onlyForStaff', { names });
}

/**
 * Throws 403 if someone who is no administrator would take something from everyone, people of higher roles included: a
 * permission, collections, or the access of those without a second factor.
 */
export function checkReach(rights: RoleRights, { id }: RoleRow, before: RoleValues, after: RoleValues): void {
  if (id !== everyoneRoleId || rights.isAdministrator) return;
  const taken = BigInt(before.permissions) & ~BigInt(after.permissions);
  const takes = taken !== 0n || after.collection_limit < before.collection_limit;
  if (takes || changesTwoFactor(before, after)) throw forbidden('users.reachesEveryone');
}

/**
 * Throws 422 if a new requirement of a second factor starts in the past or today, or, for every user, at once: people have
 * at least until the next day, and are notified by mail.
 */
export function checkTwoFactorStart(
  id: RoleRow['id'] | undefined,
  before: RoleValues,
  after: RoleValues,
  now: Date,
): void {
  if (!after.require_two_factor || !changesTwoFactor(before, after)) return;
  const start = after.require_two_factor_from;
  if (start === null && id === everyoneRoleId) throw invalidField('require_two_factor_from', 'problems.blank');
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  if (start !== null && start.getTime() <= today)
    throw invalidField('require_two_factor_from', 'problems.mustBeInFuture');
}

/** Whether a change concerns the second factor. */
export const changesTwoFactor = (before: RoleValues, after: RoleValues): boolean =>
  before.require_two_factor !== after.require_two_factor ||
  before.require_two_factor_from?.getTime() !== after.require_two_factor_from?.getTime();
