import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { newId, type AccountId, type PollId, type StatusId } from '../platform/ids.ts';
import { schedulePollEnd } from './end-poll.ts';
import type { PollParams } from './parse-poll.ts';

/** Stores the poll of a local status and returns its id. The status may be stored later in the same transaction. */
export async function createPoll(
  tx: Transaction,
  app: App,
  { accountId, statusId, poll }: { accountId: AccountId; statusId: StatusId; poll: PollParams },
): Promise<PollId> {
  const now = app.clock.now();
  const id = newId<'poll'>(now);
  const expiresAt = pollExpiry(poll, now);
  await tx.db
    .insertInto('polls')
    .values({
      id,
      status_id: statusId,
      account_id: accountId,
      options: [...poll.options],
      tallies: poll.options.map(() => 0),
      multiple: poll.multiple,
      hide_totals: poll.hideTotals,
      expires_at: expiresAt,
      voters_count: 0,
      created_at: now,
    })
    .execute();
  schedulePollEnd(tx, id, expiresAt);
  return id;
}

/** Returns when a poll that is posted now expires. */
export const pollExpiry = ({ expiresIn }: PollParams, now: Date): Date => new Date(now.getTime() + expiresIn * 1000);
