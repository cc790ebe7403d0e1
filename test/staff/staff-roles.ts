import { transaction } from '../../server/platform/write/transaction.ts';
import { newId, type AccountId, type RoleId } from '../../server/platform/ids.ts';
import { permissionBits, type Permission } from '../../server/users/access/roles.ts';
import { userAccessChanged } from '../../server/users/events.ts';
import type { TestServer } from '../server.ts';
import { writable } from '../writable.ts';

/** Creates a role with these permissions and assigns it to an account. */
export async function giveRole(
  { app }: TestServer,
  accountId: AccountId,
  { permissions, position }: { readonly permissions: readonly Permission[]; readonly position: number },
): Promise<void> {
  const bits = permissions.reduce((all, name) => all | permissionBits[name], 0n);
  await transaction(app, async ({ db, emit }) => {
    const id = newId<'role'>() as RoleId;
    await writable(db)
      .insertInto('roles')
      .values({ id, name: `role ${id}`, position, permissions: String(bits) })
      .execute();
    const { id: userId } = await writable(db)
      .updateTable('users')
      .set({ role_id: id })
      .where('account_id', '=', accountId)
      .returning('id')
      .executeTakeFirstOrThrow();
    emit(userAccessChanged({ userId, accountId }));
  });
}

/** Every permission but that of administrators, who have all. */
export const ordinaryPermissions = (Object.keys(permissionBits) as Permission[]).filter(
  (name) => name !== 'administrator',
);
