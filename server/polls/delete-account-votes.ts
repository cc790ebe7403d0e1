import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/database/transaction.ts';

/** What an account that is gone voted for is forgotten; the counts stay, so that nobody can tell it from them. */
export const deleteAccountVotes = on([accountDeleted], {
  name: 'poll.delete_account_votes',
  queue: 'background',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await db.deleteFrom('poll_votes').where('account_id', '=', accountId).execute();
    }),
});
