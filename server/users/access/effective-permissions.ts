import { sql, type RawBuilder } from 'kysely';
import { allPermissions, permissionBits } from './roles.ts';

/**
 * Returns an expression for the permissions of a role together with those of every user, as decimal text. Administrators
 * have all, as apps expect.
 */
export const effectivePermissionsSql = (
  ofRole: RawBuilder<unknown>,
  ofEveryone: RawBuilder<unknown>,
): RawBuilder<string> =>
  sql<string>`(case when ${ofRole} & ${sql.lit(String(permissionBits.administrator))}::bigint <> 0
    then ${sql.lit(String(allPermissions))}::bigint
    else ${ofRole} | coalesce(${ofEveryone}, 0) end)::text`;
