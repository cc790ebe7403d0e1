import { later } from '../../platform/write/reactions.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { accountDeleted } from '../events.ts';
import { writable } from '../tables.ts';

/** Deletes the notes of a deleted account, and those about it. */
export const deleteNotesOfDeletedAccount = later('background', [accountDeleted], {
  name: 'account.delete_notes',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db)
        .deleteFrom('account_notes')
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .execute();
    }),
});
