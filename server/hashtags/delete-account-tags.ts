import { accountTagsChanged } from './events.ts';
import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { transaction as inTransaction } from '../platform/database/transaction.ts';

/** Deletes the followed and featured hashtags of a deleted account. */
export const deleteAccountTags = on([accountDeleted], {
  name: 'tag.delete_account_tags',
  queue: 'background',
  run: (app, { accountId }) =>
    inTransaction(app, async (tx) => {
      for (const table of ['tag_follows', 'featured_tags'] as const) {
        await tx.db.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      tx.emit(accountTagsChanged({ accountId }));
    }),
});
