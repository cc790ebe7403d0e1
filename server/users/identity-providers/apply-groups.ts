import { accountChanged } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { RoleId, UserId } from '../../platform/ids.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { updateUser } from '../access/user-access.ts';
import { lockRoles } from '../roles/lock-roles.ts';
import { writable, type ProviderClaims } from '../tables.ts';
import { chooseRole } from './choose-role.ts';

/** Assigns the role of their groups at a provider to a user who signs in with it, or takes away one that groups gave. */
export async function applyGroups(
  tx: Transaction,
  app: App,
  { userId, provider, claims }: { userId: UserId; provider: SignInProvider; claims: ProviderClaims },
): Promise<void> {
  const { granted_role_id: grantedId } = await tx.db
    .selectFrom('identities')
    .select('granted_role_id')
    .where('user_id', '=', userId)
    .where('issuer', '=', provider.issuer)
    .executeTakeFirstOrThrow();
  const names = new Set((claims.groups ?? []).flatMap((group) => provider.ROLES.get(group) ?? []));
  // Almost everyone: the roles stay unlocked.
  if (names.size === 0 && grantedId === null) return;
  const roles = await lockRoles(tx);
  const user = await tx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.account_id', 'users.role_id', 'accounts.username'])
    .where('users.id', '=', userId)
    .forUpdate('users')
    .executeTakeFirstOrThrow();
  const current = roles.get(user.role_id);
  if (current === undefined) return;
  const ofGroups = [...roles.values()].filter(({ name }) => name !== '' && names.has(name.toLowerCase()));
  if (ofGroups.length < names.size)
    app.log.warn({ provider: provider.name }, 'ROLES of a sign-in provider names unknown roles');
  const { roleId, isGranted } = chooseRole({ current, grantedId, ofGroups });
  await storeGrant(tx, { userId, provider }, isGranted ? roleId : null);
  if (roleId === current.id) return;
  await updateUser(tx, app, user, { role_id: roleId });
  // The account shows its role as a badge.
  tx.emit(accountChanged({ accountId: user.account_id }));
  recordStaffAction(tx, 'system', {
    target: 'account',
    verb: 'change_role',
    id: user.account_id,
    label: user.username,
    before: { role: current.name },
    after: { role: roles.get(roleId)?.name ?? '', provider: provider.name },
  });
}

const storeGrant = (
  { db }: Transaction,
  { userId, provider }: { userId: UserId; provider: SignInProvider },
  roleId: RoleId | null,
): Promise<unknown> =>
  writable(db)
    .updateTable('identities')
    .set({ granted_role_id: roleId })
    .where('user_id', '=', userId)
    .where('issuer', '=', provider.issuer)
    .execute();
