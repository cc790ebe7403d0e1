import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { createPoll, pollExpiry } from './create-poll.ts';
import { schedulePollEnd } from './end-poll.ts';
import type { PollRow } from './load-polls.ts';
import type { PollParams } from './parse-poll.ts';

/** What has become of a status's poll. */
export interface UpdatedPoll {
  readonly pollId: PollId | null;
  readonly changed: boolean;
}

/**
 * Gives a local status the poll that an edit of it names: a new one, none, or the one it has with other words. Other
 * options, or another number of choices, throw the votes away (POL-01); its time begins anew.
 */
export async function updatePoll(
  tx: Transaction,
  app: App,
  status: { readonly accountId: AccountId; readonly statusId: StatusId },
  wanted: PollParams | undefined,
): Promise<UpdatedPoll> {
  const { db } = tx;
  const poll = await db
    .selectFrom('polls')
    .selectAll()
    .where('status_id', '=', status.statusId)
    .forUpdate()
    .executeTakeFirst();
  if (wanted === undefined) {
    if (poll !== undefined) await db.deleteFrom('polls').where('id', '=', poll.id).execute();
    return { pollId: null, changed: poll !== undefined };
  }
  if (poll === undefined) return { pollId: await createPoll(tx, app, { ...status, poll: wanted }), changed: true };
  const expiresAt = pollExpiry(wanted, app.clock.now());
  const isOther = isDifferentQuestion(poll, wanted);
  const isMoved = poll.expires_at?.getTime() !== expiresAt.getTime();
  if (!isOther && !isMoved && poll.hide_totals === wanted.hideTotals) return { pollId: poll.id, changed: false };
  if (isOther) await resetVotes(tx, poll.id, wanted);
  await db
    .updateTable('polls')
    .set({ hide_totals: wanted.hideTotals, expires_at: expiresAt, ended_at: null })
    .where('id', '=', poll.id)
    .execute();
  if (isMoved) schedulePollEnd(tx, poll.id, expiresAt);
  return { pollId: poll.id, changed: true };
}

function isDifferentQuestion(poll: PollRow, wanted: PollParams): boolean {
  return (
    poll.multiple !== wanted.multiple ||
    poll.options.length !== wanted.options.length ||
    poll.options.some((option, index) => option !== wanted.options[index])
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
