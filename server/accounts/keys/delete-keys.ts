import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { Type } from 'typebox';
import { transaction } from '../../platform/write/transaction.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { accountDeleted } from '../events.ts';
import { writable } from '../tables.ts';

/** Days until the keys of a deleted account are deleted. They sign the deletion, whose delivery is retried. */
const retentionDays = 30;

const deleteKeys = defineJob(
  'account.delete_keys',
  Type.Object({ accountId: idSchema<'account'>() }),
  (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('account_keys').where('account_id', '=', accountId).execute();
    }),
  'background',
);

const scheduleKeyDeletion = later('background', [accountDeleted], {
  name: 'account.schedule_key_deletion',
  run: (app, { accountId }) =>
    transaction(app, async ({ enqueue }) => {
      const runAt = new Date(app.clock.now().getTime() + retentionDays * 86_400_000);
      enqueue(deleteKeys({ accountId }, { runAt }));
    }),
});

export const keyDeletionSubscriptions: readonly Subscription[] = [scheduleKeyDeletion, deleteKeys.subscription];
