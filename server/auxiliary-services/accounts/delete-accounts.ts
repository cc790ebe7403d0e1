import { accountDeleted } from '../../accounts/index.ts';
import { later } from '../../platform/write/reactions.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { writable } from '../tables.ts';

/** Deletes what providers found for a deleted account, and where they found it. */
export const deleteFoundAccounts = later('background', [accountDeleted], {
  name: 'service_provider.delete_account_recommendations',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db)
        .deleteFrom('service_provider_recommendations')
        .where((where) => where.or([where('account_id', '=', accountId), where('target_account_id', '=', accountId)]))
        .execute();
      await writable(db).deleteFrom('service_provider_results').where('account_id', '=', accountId).execute();
      await writable(db).deleteFrom('service_provider_requests').where('account_id', '=', accountId).execute();
    }),
});
