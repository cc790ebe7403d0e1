import { defineJob } from '../platform/jobs/define-job.ts';
import { on, type Subscription } from '../platform/events/reactions.ts';
import { Type } from 'typebox';
import { write } from '../platform/database/write.ts';
import { idSchema } from '../platform/ids.ts';
import { accountDeleted } from './events.ts';

/** Days that the keys of an account that is gone stay: what says so to other servers is signed, and tried again. */
const keptDays = 30;

const removeKeys = defineJob(
  'accounts.remove-keys',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) =>
    write(app, async ({ db }) => {
      await db.deleteFrom('account_keys').where('account_id', '=', accountId).execute();
    }),
  'background',
);

const forgetKeys = on([accountDeleted], {
  name: 'accounts.forget-keys',
  queue: 'background',
  run: (app, { accountId }) =>
    write(app, async ({ enqueue }) => {
      const runAt = new Date(app.clock.now().getTime() + keptDays * 86_400_000);
      enqueue(removeKeys({ accountId }, { runAt }));
    }),
});

export const keyRemovals: readonly Subscription[] = [forgetKeys, removeKeys.subscription];
