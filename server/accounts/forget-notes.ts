import { write } from '../platform/database/write.ts';
import { on } from '../platform/jobs/events.ts';
import { accountDeleted } from './events.ts';

/** What an account that is gone noted about others, and others about it, goes too. */
export const forgetNotes = on(
  accountDeleted,
  'accounts.forget-notes',
  (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db
        .deleteFrom('account_notes')
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .execute();
    }),
  'background',
);
