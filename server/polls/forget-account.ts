import { accountDeleted } from '../accounts/index.ts';
import { write } from '../platform/database/write.ts';
import { on } from '../platform/jobs/events.ts';

/** What an account that is gone voted for is forgotten; the counts stay, so that nobody can tell it from them. */
export const forgetAccount = on(
  accountDeleted,
  'polls-account-deleted',
  (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db.deleteFrom('poll_votes').where('account_id', '=', accountId).execute();
    }),
  'background',
);
