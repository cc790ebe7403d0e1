import { on } from '../platform/events/reactions.ts';
import { accountDeleted } from '../accounts/index.ts';
import { write } from '../platform/database/write.ts';

/** Pages name an account that is gone as their author no more. */
export const forgetCreator = on([accountDeleted], {
  name: 'cards.forget-creator',
  queue: 'background',
  run: (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db
        .updateTable('preview_cards')
        .set({ creator_account_id: null })
        .where('creator_account_id', '=', accountId)
        .execute();
    }),
});
