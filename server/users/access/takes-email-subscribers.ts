import { sql, type RawBuilder } from 'kysely';
import { everyoneRoleId, permissionBits } from './roles.ts';

const bits = String(permissionBits.administrator | permissionBits.manage_email_subscriptions);

/** Returns a condition: the role of the account's user permits e-mail subscriptions. */
export const mayTakeEmailSubscribers = (accountId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from users join roles on roles.id in (users.role_id, ${everyoneRoleId}::bigint)
    where users.account_id = ${accountId} and roles.permissions & ${sql.lit(bits)}::bigint <> 0)`;

/** Returns a condition: the account's user permits e-mail subscriptions, and so does the role. */
export const takesEmailSubscribers = (accountId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from users join roles on roles.id in (users.role_id, ${everyoneRoleId}::bigint)
    where users.account_id = ${accountId} and (users.settings ->> 'email_subscriptions')::boolean
      and not users.disabled and roles.permissions & ${sql.lit(bits)}::bigint <> 0)`;
