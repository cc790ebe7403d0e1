import { accountTagsChanged } from './events.ts';
import { later } from '../platform/write/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** Deletes the followed and featured hashtags of a deleted account. */
export const deleteAccountTags = later('background', [accountDeleted], {
  name: 'tag.delete_account_tags',
  run: (app, { accountId }) =>
    transaction(app, async (tx) => {
      for (const table of ['tag_follows', 'featured_tags'] as const) {
        await writable(tx.db).deleteFrom(table).where('account_id', '=', accountId).execute();
      }
      tx.emit(accountTagsChanged({ accountId }));
    }),
});
