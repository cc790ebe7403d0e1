import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Staff } from '../../site/index.ts';

/**
 * Returns a condition: the role of a staff member is above that of a row of `users`, or the row is their own. True for the
 * command line.
 */
export const outranksSql = (staff: Staff, users: RawBuilder<unknown>): RawBuilder<boolean> =>
  staff === 'system'
    ? sql<boolean>`true`
    : sql<boolean>`(${users}.account_id = ${staff}::bigint or (
        select position from roles where id = ${users}.role_id) < (
        select role.position from users member join roles role on role.id = member.role_id
        where member.account_id = ${staff}::bigint))`;

/**
 * Throws 403 unless the role of a staff member is above that of the account's user (ADM-06): nobody acts on their own
 * account, on equals or on superiors. The command line may act on everyone, and everyone on accounts without a user.
 */
export async function assertOutranks({ db }: Transaction, staff: Staff, accountId: AccountId): Promise<void> {
  if (staff === 'system') return;
  const { rows } = await sql<{ readonly outranks: boolean }>`
    select coalesce((
      select role.position < (
        select staff_role.position from users staff join roles staff_role on staff_role.id = staff.role_id
        where staff.account_id = ${staff})
      from users join roles role on role.id = users.role_id
      where users.account_id = ${accountId}), true) as outranks`.execute(db);
  if (rows[0]?.outranks !== true) throw forbidden();
}
