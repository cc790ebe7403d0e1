import { defineJob } from '../platform/work/define-job.ts';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { idSchema } from '../platform/id-schema.ts';
import { pollUpdated } from './events.ts';
import type { PollRow } from './read/load-polls.ts';
import { writable } from './tables.ts';

/** Votes are collected for three minutes before an update is sent (reference/limits.tsv, poll update delay). */
const updateDelayMs = 180_000;

/** Emits `pollUpdated`, so that the new counts are sent to other servers. */
export const sendPollUpdate = defineJob(
  'poll.send_update',
  Type.Object({ pollId: idSchema<'poll'>() }),
  (app, { pollId }) =>
    transaction(app, async ({ db, emit }) => {
      const poll = await writable(db)
        .updateTable('polls')
        .set({ tally_due: false })
        .where('id', '=', pollId)
        .where('tally_due', '=', true)
        .returning(['status_id', 'account_id'])
        .executeTakeFirst();
      if (poll !== undefined) emit(pollUpdated({ pollId, statusId: poll.status_id, accountId: poll.account_id }));
    }),
);

/** Queues an update for a locked poll, one for all votes until then. */
export async function queuePollUpdate({ db, enqueue }: Transaction, app: App, poll: PollRow): Promise<void> {
  if (poll.tally_due) return;
  await writable(db).updateTable('polls').set({ tally_due: true }).where('id', '=', poll.id).execute();
  enqueue(sendPollUpdate({ pollId: poll.id }, { runAt: new Date(app.clock.now().getTime() + updateDelayMs) }));
}
