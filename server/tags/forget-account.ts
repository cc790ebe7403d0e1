import { accountTagsChanged } from './events.ts';
import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { write as inTransaction } from '../platform/database/write.ts';

/** An account that is gone follows and shows no hashtags. */
export const forgetAccount = on([accountDeleted], {
  name: 'tags.forget-account',
  queue: 'background',
  run: (app, { accountId }) =>
    inTransaction(app, async (write) => {
      for (const table of ['tag_follows', 'featured_tags'] as const) {
        await write.db.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      write.emit(accountTagsChanged({ accountId }));
    }),
});
