import { sql, type RawBuilder } from 'kysely';
import { permissionBits } from './roles.ts';

const { administrator, manage_reports, manage_users } = permissionBits;
const moderatorBits = administrator | manage_reports | manage_users;

/**
 * Returns a condition: the user of the account moderates, shows it by a badge, and has a higher role than the user of
 * the other account.
 */
export const moderatesSql = (account: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from users staff join roles staff_role on staff_role.id = staff.role_id,
      users moderated join roles moderated_role on moderated_role.id = moderated.role_id
    where staff.account_id = ${account} and moderated.account_id = ${other}
      and staff_role.position > moderated_role.position and staff_role.highlighted
      and staff_role.permissions & ${sql.lit(String(moderatorBits))}::bigint <> 0)`;
