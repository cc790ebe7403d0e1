import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { createPoll, endOf } from './create-poll.ts';
import { endAt } from './end-poll.ts';
import type { PollRow } from './find-poll.ts';
import type { WantedPoll } from './read-poll.ts';

/** What has become of a status's poll. */
export interface ChangedPoll {
  readonly pollId: PollId | null;
  readonly changed: boolean;
}

/**
 * Gives a local status the poll that an edit of it names: a new one, none, or the one it has with other words. Other
 * options, or another number of choices, throw the votes away (POL-01); its time begins anew.
 */
export async function changePoll(
  write: Write,
  app: App,
  status: { readonly accountId: AccountId; readonly statusId: StatusId },
  wanted: WantedPoll | undefined,
): Promise<ChangedPoll> {
  const { db } = write;
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
  if (poll === undefined) return { pollId: await createPoll(write, app, { ...status, poll: wanted }), changed: true };
  const expiresAt = endOf(wanted, app.clock.now());
  const isOther = isOtherQuestion(poll, wanted);
  const isMoved = poll.expires_at?.getTime() !== expiresAt.getTime();
  if (!isOther && !isMoved && poll.hide_totals === wanted.hideTotals) return { pollId: poll.id, changed: false };
  if (isOther) await throwVotesAway(write, poll.id, wanted);
  await db
    .updateTable('polls')
    .set({ hide_totals: wanted.hideTotals, expires_at: expiresAt, ended_at: null })
    .where('id', '=', poll.id)
    .execute();
  if (isMoved) endAt(write, poll.id, expiresAt);
  return { pollId: poll.id, changed: true };
}

function isOtherQuestion(poll: PollRow, wanted: WantedPoll): boolean {
  return (
    poll.multiple !== wanted.multiple ||
    poll.options.length !== wanted.options.length ||
    poll.options.some((option, index) => option !== wanted.options[index])
  );
}

async function throwVotesAway({ db }: Write, id: PollId, { options, multiple }: WantedPoll): Promise<void> {
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
