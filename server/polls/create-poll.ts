import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type PollId, type StatusId } from '../platform/ids.ts';
import { schedulePollEnd } from './end-poll.ts';
import type { PollParams } from './parse-poll.ts';

/** The poll of a local status, to be stored. */
export interface NewPoll {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  readonly poll: PollParams;
}

/** Stores the polls of local statuses and returns their ids. The statuses may be stored later in the same transaction. */
export async function createPolls(tx: Transaction, app: App, polls: readonly NewPoll[]): Promise<PollId[]> {
  if (polls.length === 0) return [];
  const now = app.clock.now();
  const ids = polls.map(() => newId<'poll'>(now));
  const expiries = polls.map(({ poll }) => pollExpiry(poll, now));
  const lengths = polls.map(({ poll }) => poll.options.length);
  const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0));
  await sql`
    insert into polls
      (id, status_id, account_id, options, tallies, multiple, hide_totals, expires_at, voters_count, created_at)
    select id, status_id, account_id, (${polls.flatMap(({ poll }) => poll.options)}::text[])[option_end - length + 1:option_end],
      array_fill(0, array[length]), multiple, hide_totals, expires_at, 0, ${now}
    from unnest(
      ${ids}::bigint[], ${polls.map(({ statusId }) => statusId)}::bigint[],
      ${polls.map(({ accountId }) => accountId)}::bigint[], ${lengths}::int[], ${ends}::int[],
      ${polls.map(({ poll }) => poll.multiple)}::boolean[], ${polls.map(({ poll }) => poll.hideTotals)}::boolean[],
      ${expiries}::timestamptz[]
    ) as poll(id, status_id, account_id, length, option_end, multiple, hide_totals, expires_at)`.execute(tx.db);
  for (const [at, id] of ids.entries()) schedulePollEnd(tx, id, expiries[at] ?? null);
  return ids;
}

/** Returns when a poll that is posted now expires. */
export const pollExpiry = ({ expiresIn }: Pick<PollParams, 'expiresIn'>, now: Date): Date =>
  new Date(now.getTime() + expiresIn * 1000);
