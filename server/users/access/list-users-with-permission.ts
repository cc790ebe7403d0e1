import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import { everyoneRoleId, permissionBits, type Permission } from './roles.ts';

/** A user whose role has a permission. */
export interface PermittedUser {
  readonly id: UserId;
  readonly accountId: AccountId;
  readonly username: string;
  readonly email: string;
  /** Language tag. */
  readonly locale: string;
  /** Kinds of staff mail that the user turned off. */
  readonly staffMailsOff: readonly string[];
}

/** Returns the users who have a permission, or are administrators, and may sign in, by their ids. */
export async function listUsersWithPermission({ db }: App, permission: Permission): Promise<PermittedUser[]> {
  const bits = String(permissionBits.administrator | permissionBits[permission]);
  const { rows } = await sql<PermittedUser>`
    select users.id, users.account_id as "accountId", accounts.username, users.email,
      users.locale, coalesce(users.settings -> 'staff_mails_off', '[]') as "staffMailsOff"
    from users
      join accounts on accounts.id = users.account_id
      join roles on roles.id = users.role_id
    where roles.permissions & ${bits}::bigint <> 0 and users.role_id <> ${sql.lit(everyoneRoleId)}
      and users.confirmed_at is not null and users.approved and not users.disabled
      and accounts.suspended_at is null and accounts.deleted_at is null
    order by users.id`.execute(db);
  return rows;
}
