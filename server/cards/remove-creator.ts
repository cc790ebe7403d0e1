import { later } from '../platform/write/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** Removes a deleted account from the cards that name it as their author. */
export const removeCreator = later('background', [accountDeleted], {
  name: 'card.remove_creator',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db)
        .updateTable('preview_cards')
        .set({ creator_account_id: null })
        .where('creator_account_id', '=', accountId)
        .execute();
    }),
});
