import { defineJob } from '../platform/work/define-job.ts';
import { Type } from 'typebox';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { PollId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { pollEnded } from './events.ts';
import { writable } from './tables.ts';

/** Marks an expired poll as ended and emits `pollEnded` once. No-op if an edit has moved the end. */
export const endPoll = defineJob('poll.end_poll', Type.Object({ pollId: idSchema<'poll'>() }), (app, { pollId }) =>
  transaction(app, async ({ db, emit }) => {
    const now = app.clock.now();
    const poll = await writable(db)
      .updateTable('polls')
      .set({ ended_at: now })
      .where('id', '=', pollId)
      .where('ended_at', 'is', null)
      .where('expires_at', '<=', now)
      .returning(['status_id', 'account_id'])
      .executeTakeFirst();
    if (poll !== undefined) emit(pollEnded({ pollId, statusId: poll.status_id, accountId: poll.account_id }));
  }),
);

/** Queues the end of a poll. */
export function schedulePollEnd({ enqueue }: Transaction, pollId: PollId, expiresAt: Date | null): void {
  if (expiresAt !== null) enqueue(endPoll({ pollId }, { runAt: expiresAt }));
}
