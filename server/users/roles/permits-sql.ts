import { sql, type RawBuilder } from 'kysely';
import { permissionBits, type Permission } from '../access/roles.ts';

/** Returns a condition: the role of the account's user has a permission. The role of every user does not count. */
export const permitsSql = (account: RawBuilder<unknown>, permission: Permission): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from users permitted join roles permitted_role on permitted_role.id = permitted.role_id
    where permitted.account_id = ${account} and permitted_role.permissions
      & ${sql.lit(String(permissionBits.administrator | permissionBits[permission]))}::bigint <> 0)`;
