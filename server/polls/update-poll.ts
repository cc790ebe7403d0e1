import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { createPolls, pollExpiry } from './create-poll.ts';
import { schedulePollEnd } from './end-poll.ts';
import type { PollRow } from './read/load-polls.ts';
import { requireDuration, type PollEdit } from './parse-poll.ts';
import { writable } from './tables.ts';

/** The poll of a status after an edit. */
export interface UpdatedPoll {
  readonly pollId: PollId | null;
  readonly changed: boolean;
}

/**
 * Creates, changes or deletes the poll of a local status as an edit requests. Changed options, or a change between single
 * and multiple choice, delete the votes (POL-01). The poll expires `expiresIn` after the edit, or when it did before.
 * Throws 422 if it needs a new end, which is missing: a new poll, and an ended one with another question.
 */
export async function updatePoll(
  tx: Transaction,
  app: App,
  status: { readonly accountId: AccountId; readonly statusId: StatusId },
  requested: PollEdit | undefined,
): Promise<UpdatedPoll> {
  const { db } = tx;
  const poll = await db
    .selectFrom('polls')
    .selectAll()
    .where('status_id', '=', status.statusId)
    .forUpdate()
    .executeTakeFirst();
  if (requested === undefined) {
    if (poll !== undefined) await writable(db).deleteFrom('polls').where('id', '=', poll.id).execute();
    return { pollId: null, changed: poll !== undefined };
  }
  if (poll === undefined) {
    const expiresIn = requireDuration(requested);
    const added = { ...requested, expiresIn, hideTotals: requested.hideTotals === true };
    const [pollId = null] = await createPolls(tx, app, [{ ...status, poll: added }]);
    return { pollId, changed: true };
  }
  const isDifferent = isDifferentQuestion(poll, requested);
  const expiresAt = chooseEnd(poll, requested, isDifferent, app.clock.now());
  const isMoved = poll.expires_at?.getTime() !== expiresAt?.getTime();
  const hideTotals = requested.hideTotals ?? poll.hide_totals;
  if (!isDifferent && !isMoved && poll.hide_totals === hideTotals) return { pollId: poll.id, changed: false };
  if (isDifferent) await resetVotes(tx, poll.id, requested);
  await writable(db)
    .updateTable('polls')
    .set({ hide_totals: hideTotals, expires_at: expiresAt, ...(isMoved && { ended_at: null }) })
    .where('id', '=', poll.id)
    .execute();
  if (isMoved) schedulePollEnd(tx, poll.id, expiresAt);
  return { pollId: poll.id, changed: true };
}

function chooseEnd(poll: PollRow, requested: PollEdit, isDifferent: boolean, now: Date): Date | null {
  const { expires_at: end } = poll;
  const isOver = end !== null && end <= now;
  if (requested.expiresIn === undefined && !(isOver && isDifferent)) return end;
  return pollExpiry({ expiresIn: requireDuration(requested) }, now);
}

function isDifferentQuestion(poll: PollRow, requested: PollEdit): boolean {
  return (
    poll.multiple !== requested.multiple ||
    poll.options.length !== requested.options.length ||
    poll.options.some((option, index) => option !== requested.options[index])
  );
}

async function resetVotes({ db }: Transaction, id: PollId, { options, multiple }: PollEdit): Promise<void> {
  await writable(db).deleteFrom('poll_votes').where('poll_id', '=', id).execute();
  await writable(db)
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
