import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { idSchema } from '../platform/ids.ts';
import { pollTallied } from './events.ts';
import type { PollRow } from './find-poll.ts';

/** Votes are gathered for three minutes before other servers hear of them (reference/limits.tsv, poll update delay). */
const delay = 180_000;

/** Tells what the votes of the last minutes came to. */
export const tellTally = defineJob('polls-tell-tally', Type.Object({ pollId: idSchema<'poll'>() }), (app, { pollId }) =>
  write(app, async ({ db, emit }) => {
    const poll = await db
      .updateTable('polls')
      .set({ tally_due: false })
      .where('id', '=', pollId)
      .where('tally_due', '=', true)
      .returning(['status_id', 'account_id'])
      .executeTakeFirst();
    if (poll !== undefined) emit(pollTallied({ pollId, statusId: poll.status_id, accountId: poll.account_id }));
  }),
);

/** Sees to it that a poll that the transaction has locked is told of in a while, once for all votes until then. */
export async function tellTallyLater({ db, enqueue }: Write, app: App, poll: PollRow): Promise<void> {
  if (poll.tally_due) return;
  await db.updateTable('polls').set({ tally_due: true }).where('id', '=', poll.id).execute();
  enqueue(tellTally({ pollId: poll.id }, { runAt: new Date(app.clock.now().getTime() + delay) }));
}
