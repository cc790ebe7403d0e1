import { on } from '../platform/events/reactions.ts';
import { transaction } from '../platform/database/transaction.ts';
import { accountDeleted } from './events.ts';

/** What an account that is gone noted about others, and others about it, goes too. */
export const deleteNotesOfDeletedAccount = on([accountDeleted], {
  name: 'account.delete_notes',
  queue: 'background',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await db
        .deleteFrom('account_notes')
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .execute();
    }),
});
