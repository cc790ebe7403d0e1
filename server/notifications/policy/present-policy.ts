import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { countRequests } from '../requests/list-requests.ts';
import { loadPolicy } from './policy.ts';
import type { NotificationPolicy, V1NotificationPolicy } from './schema.ts';

/** Presents the policy of an account, with the counts of its pending requests. */
export async function presentPolicy(app: App, accountId: AccountId): Promise<NotificationPolicy> {
  const [policy, summary] = await Promise.all([loadPolicy(app, accountId), countRequests(app, accountId)]);
  return { ...policy, summary };
}

/** Presents the policy of an account in its first form. */
export async function presentV1Policy(app: App, accountId: AccountId): Promise<V1NotificationPolicy> {
  const { summary, ...policy } = await presentPolicy(app, accountId);
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary,
  };
}
