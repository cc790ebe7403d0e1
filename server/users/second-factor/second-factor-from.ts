import { sql } from 'kysely';
import { everyoneRoleId } from '../access/roles.ts';

/**
 * Returns `second_factor_from` of a row of `users`: when the roles of the user start to require a second factor, long ago
 * if they do so without a date. Null if they do not, or if the user has one.
 */
export const secondFactorFromSql = sql<Date | null>`(
  case when users.has_second_factor then null else (
    select min(coalesce(required.require_two_factor_from, 'epoch')) from roles required
    where required.id in (users.role_id, ${sql.lit(everyoneRoleId)}::bigint) and required.require_two_factor) end)`;
