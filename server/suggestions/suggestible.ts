import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';

/** The condition for an account `a` that may be suggested to someone. */
export const isSuggestible = sql<boolean>`
  a.activated and not a.locked and not a.memorial and a.moved_to_account_id is null and a.suspended_at is null
  and a.silenced_at is null and a.deleted_at is null and a.id <> ${sql.lit(instanceActorId)}::bigint`;
