import { sql, type RawBuilder } from 'kysely';
import type { Badge } from '../../accounts/badges/index.ts';

/** Returns an expression for the highlighted role of an account's user, the badge on its profile. Null without one. */
export const highlightedRole = (accountId: RawBuilder<unknown>): RawBuilder<Badge | null> =>
  sql<Badge | null>`(
    select json_build_object('id', role.id::text, 'name', role.name, 'color', role.color)
    from users join roles role on role.id = users.role_id
    where users.account_id = ${accountId} and role.highlighted)`;
