import { accountChanged } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden, invalidField } from '../../platform/http/http-errors.ts';
import type { AccountId, RoleId } from '../../platform/ids.ts';
import type { Staff } from '../../site/index.ts';
import { standardRoles } from '../access/roles.ts';
import { lockUserByAccount, updateUser } from '../access/user-access.ts';
import { deleteOwnerSecret } from '../sign-up/owner-secret.ts';
import { assertBelow, loadRoleRights, lockRoles } from './lock-roles.ts';
import { namePermissions } from './permission-names.ts';

/**
 * Assigns a role to the user of an account. Returns false if they had it before. Throws 403 if the account has no user, or
 * one who is not below the staff member; 422 if the role is unknown, not below theirs, or has permissions that they lack.
 */
export async function assignRole(
  tx: Transaction,
  app: App,
  staff: Staff,
  { accountId, roleId }: { readonly accountId: AccountId; readonly roleId: RoleId },
): Promise<boolean> {
  const roles = await lockRoles(tx);
  const rights = await loadRoleRights(tx, staff, roles);
  const user = await lockUserByAccount(tx, accountId);
  const [current, role] = [roles.get(user.role_id), roles.get(roleId)];
  if (current === undefined) throw forbidden();
  assertBelow(rights, current);
  if (role === undefined) throw invalidField('role_id', 'problems.notFound');
  if (role.position >= rights.position) throw invalidField('role_id', 'problems.notBelowOwnRole');
  const names = namePermissions(BigInt(role.permissions) & ~rights.permissions).join(', ');
  if (names !== '') throw invalidField('role_id', 'problems.notOwnPermissions', { names });
  if (user.role_id === roleId) return false;
  await updateUser(tx, app, user, { role_id: roleId });
  if (roleId === standardRoles.owner) await deleteOwnerSecret(tx);
  // The account shows its role as a badge.
  tx.emit(accountChanged({ accountId }));
  return true;
}
