import { sql } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AuditDetails } from '../site/audit/index.ts';

/** What staff can change about an account, as the audit log shows it. */
export interface ModerationState {
  /** The name, with the domain of a remote account. */
  readonly acct: string;
  readonly details: AuditDetails;
}

/** Returns the state of an account; undefined if there is none, or it was deleted. */
export async function loadModerationState(
  { db }: Transaction,
  accountId: AccountId,
): Promise<ModerationState | undefined> {
  const { rows } = await sql<ModerationState>`
    select accounts.username || coalesce('@' || accounts.domain, '') as acct,
      jsonb_strip_nulls(jsonb_build_object(
        'sensitized', accounts.sensitized_at is not null,
        'silenced', accounts.silenced_at is not null,
        'suspended', accounts.suspended_at is not null,
        'approved', users.approved,
        'disabled', users.disabled,
        'role', roles.name)) as details
    from accounts
      left join users on users.account_id = accounts.id
      left join roles on roles.id = users.role_id
    where accounts.id = ${accountId} and accounts.deleted_at is null`.execute(db);
  return rows[0];
}

/** Returns the properties of one state that differ in the other; all of them if there is no other. */
export const changedDetails = (
  state: ModerationState | undefined,
  other: ModerationState | undefined,
): AuditDetails | undefined =>
  state &&
  Object.fromEntries(
    Object.entries(state.details).filter(([name, value]) => other === undefined || other.details[name] !== value),
  );
