import { sql } from 'kysely';
import { everyoneRoleId } from '../access/roles.ts';

/** Returns `lacks_second_factor` of a row of `users`. */
export const lacksSecondFactorSql = sql<boolean>`(
  not users.has_second_factor and exists (
    select from roles required
    where required.id in (users.role_id, ${sql.lit(everyoneRoleId)}::bigint) and required.require_two_factor))`;
