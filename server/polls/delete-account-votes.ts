import { later } from '../platform/write/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** Deletes the votes of a deleted account. The counts stay, so that they do not reveal the votes. */
export const deleteAccountVotes = later('background', [accountDeleted], {
  name: 'poll.delete_account_votes',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('poll_votes').where('account_id', '=', accountId).execute();
    }),
});
