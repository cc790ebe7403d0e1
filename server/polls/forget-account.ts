import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { write } from '../platform/database/write.ts';

/** What an account that is gone voted for is forgotten; the counts stay, so that nobody can tell it from them. */
export const forgetAccount = on([accountDeleted], {
  name: 'polls-account-deleted',
  queue: 'background',
  run: (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db.deleteFrom('poll_votes').where('account_id', '=', accountId).execute();
    }),
});
