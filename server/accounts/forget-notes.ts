import { on } from '../platform/events/reactions.ts';
import { write } from '../platform/database/write.ts';
import { accountDeleted } from './events.ts';

/** What an account that is gone noted about others, and others about it, goes too. */
export const forgetNotes = on([accountDeleted], {
  name: 'accounts.forget-notes',
  queue: 'background',
  run: (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db
        .deleteFrom('account_notes')
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .execute();
    }),
});
