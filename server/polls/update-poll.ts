import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { createPolls, pollExpiry } from './create-poll.ts';
import { schedulePollEnd } from './end-poll.ts';
import type { PollRow } from './read/load-polls.ts';
import type { PollParams } from './parse-poll.ts';

/** The poll of a status after an edit. */
export interface UpdatedPoll {
  readonly pollId: PollId | null;
  readonly changed: boolean;
}

/**
 * Creates, changes or deletes the poll of a local status as an edit requests. Changed options, or a change between single
 * and multiple choice, delete the votes (POL-01). The poll expires `expiresIn` after the edit.
 */
export async function updatePoll(
  tx: Transaction,
  app: App,
  status: { readonly accountId: AccountId; readonly statusId: StatusId },
  requested: PollParams | undefined,
): Promise<UpdatedPoll> {
  const { db } = tx;
  const poll = await db
    .selectFrom('polls')
    .selectAll()
    .where('status_id', '=', status.statusId)
    .forUpdate()
    .executeTakeFirst();
  if (requested === undefined) {
    if (poll !== undefined) await db.deleteFrom('polls').where('id', '=', poll.id).execute();
    return { pollId: null, changed: poll !== undefined };
  }
  if (poll === undefined) {
    const [pollId = null] = await createPolls(tx, app, [{ ...status, poll: requested }]);
    return { pollId, changed: true };
  }
  const expiresAt = pollExpiry(requested, app.clock.now());
  const isDifferent = isDifferentQuestion(poll, requested);
  const isMoved = poll.expires_at?.getTime() !== expiresAt.getTime();
  if (!isDifferent && !isMoved && poll.hide_totals === requested.hideTotals) return { pollId: poll.id, changed: false };
  if (isDifferent) await resetVotes(tx, poll.id, requested);
  await db
    .updateTable('polls')
    .set({ hide_totals: requested.hideTotals, expires_at: expiresAt, ended_at: null })
    .where('id', '=', poll.id)
    .execute();
  if (isMoved) schedulePollEnd(tx, poll.id, expiresAt);
  return { pollId: poll.id, changed: true };
}

function isDifferentQuestion(poll: PollRow, requested: PollParams): boolean {
  return (
    poll.multiple !== requested.multiple ||
    poll.options.length !== requested.options.length ||
    poll.options.some((option, index) => option !== requested.options[index])
  );
}

async function resetVotes({ db }: Transaction, id: PollId, { options, multiple }: PollParams): Promise<void> {
  await db.deleteFrom('poll_votes').where('poll_id', '=', id).execute();
  await db
    .updateTable('polls')
    .set((eb) => ({
      options: [...options],
      tallies: options.map(() => 0),
      multiple,
      voters_count: 0,
      round: eb('round', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}
