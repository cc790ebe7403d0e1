import { sql } from 'kysely';
import { instanceActorId } from '../../accounts/index.ts';

/**
 * The condition for an account `a` whose address may be shared with providers: it consented to be discovered, and is neither
 * limited nor gone.
 */
export const isShareableAccount = sql<boolean>`(
  a.discoverable and a.activated and a.suspended_at is null and a.silenced_at is null and a.deleted_at is null
  and a.id <> ${sql.lit(instanceActorId)}::bigint)`;

/**
 * The condition for a status `s` of an account `a` whose address may be shared: it is public everywhere, and its author also
 * consented to be found by content (FEP-5feb).
 */
export const isShareableStatus = sql<boolean>`(
  s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
  and a.indexable and ${isShareableAccount})`;

/** The same for a status or account that is gone, so that providers delete what they may have. */
export const wasShareableStatus = sql<boolean>`(
  s.visibility = 'public' and s.reblog_of_id is null and a.indexable and a.discoverable)`;
export const wasShareableAccount = sql<boolean>`(
  a.discoverable and a.activated and a.id <> ${sql.lit(instanceActorId)}::bigint)`;

/** The condition for an account `a` that withdrew its consent: it may have been shared before. */
export const mayHaveSharedAccount = sql<boolean>`(
  a.activated and a.suspended_at is null and a.deleted_at is null and a.id <> ${sql.lit(instanceActorId)}::bigint)`;
