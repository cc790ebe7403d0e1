import { accountDeleted } from '../accounts/index.ts';
import { write as inTransaction } from '../platform/database/write.ts';
import { on } from '../platform/jobs/events.ts';
import { dropStandingAfter } from './tag-standing.ts';

/** An account that is gone follows and shows no hashtags. */
export const forgetAccount = on(
  accountDeleted,
  'tags.forget-account',
  (app, { accountId }) =>
    inTransaction(app, async (write) => {
      for (const table of ['tag_follows', 'featured_tags'] as const) {
        await write.db.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      dropStandingAfter(write, app, accountId);
    }),
  'background',
);
