import { sql, type RawBuilder } from 'kysely';
import type { Badge } from '../accounts/index.ts';

/** The highlighted role of an account's user, which its profile shows as a badge. Null if there is none. */
export const highlightedRole = (accountId: RawBuilder<unknown>): RawBuilder<Badge | null> =>
  sql<Badge | null>`(
    select json_build_object('id', role.id::text, 'name', role.name, 'color', role.color)
    from users join roles role on role.id = users.role_id
    where users.account_id = ${accountId} and role.highlighted)`;
