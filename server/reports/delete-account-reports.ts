import { accountDeleted, instanceActorId } from '../accounts/index.ts';
import { ensureInstanceActor } from '../accounts/keys/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import { writable } from './tables.ts';

/**
 * Makes the reports by a deleted account anonymous, and those that it worked on as staff. Those about it stay, so that nobody
 * avoids the staff by deleting an account; `cleanUpReportedStatuses` deletes their copies of its posts.
 */
export const anonymizeReportsOfDeletedAccount = later('background', [accountDeleted], {
  name: 'report.anonymize',
  run: async (app, { accountId }) => {
    await ensureInstanceActor(app);
    await transaction(app, async ({ db }) => {
      await writable(db)
        .updateTable('reports')
        .set({ account_id: instanceActorId })
        .where('account_id', '=', accountId)
        .execute();
      await writable(db)
        .updateTable('reports')
        .set({ action_taken_by_account_id: null })
        .where('action_taken_by_account_id', '=', accountId)
        .execute();
      await writable(db)
        .updateTable('reports')
        .set({ assigned_account_id: null })
        .where('assigned_account_id', '=', accountId)
        .execute();
    });
  },
});
