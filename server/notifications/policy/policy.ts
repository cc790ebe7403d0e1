import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** `filter`: stored, but listed only on request; `drop`: not stored. */
export type PolicyAction = 'accept' | 'filter' | 'drop';

/** What happens to notifications from strangers (reference/entities.tsv). */
export interface Policy {
  readonly for_not_following: PolicyAction;
  /** Accounts that do not follow the recipient, or only recently. */
  readonly for_not_followers: PolicyAction;
  readonly for_new_accounts: PolicyAction;
  /** Direct mentions, except in a thread in which the recipient mentioned the sender. */
  readonly for_private_mentions: PolicyAction;
  /** Accounts that staff silenced. */
  readonly for_limited_accounts: PolicyAction;
  readonly for_bots: PolicyAction;
}

const policyColumns = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
  'for_bots',
] as const;

/** The policy of an account that never changed it. */
export const defaultPolicy: Policy = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
};

/** Returns the notification policy of an account. */
export async function loadPolicy(app: App, accountId: AccountId): Promise<Policy> {
  const policy = await app.db
    .selectFrom('notification_policies')
    .select(policyColumns)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return policy ?? defaultPolicy;
}

/** Changes the policy of an account for later notifications. Absent settings stay as they are. */
export async function changePolicy(app: App, accountId: AccountId, changes: Partial<Policy>): Promise<void> {
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('notification_policies')
      .values({ account_id: accountId, ...changes })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id: accountId, ...changes }))
      .execute(),
  );
}
