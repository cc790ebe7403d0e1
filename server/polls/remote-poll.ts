import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type PollId, type StatusId } from '../platform/ids.ts';
import { cleanText, truncateText } from '../text/index.ts';
import { schedulePollEnd } from './end-poll.ts';
import { isPollExpired } from './read/present-poll.ts';
import { writable } from './tables.ts';

/** A received poll. */
export interface RemotePoll {
  readonly options: readonly { readonly title: string; readonly votes: number }[];
  readonly multiple: boolean;
  /** Undefined: no end, or ended at an unknown time. */
  readonly expiresAt: Date | undefined;
  /** It has ended, even if `expiresAt` is later. */
  readonly closed?: boolean;
  /** Undefined: unknown. */
  readonly votersCount: number | undefined;
}

interface RemotePollArgs {
  /** Id of a new poll; by default another one. */
  readonly pollId?: PollId;
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  readonly poll: RemotePoll;
}

const maxOptionLength = 500;
/** Limit for received counts, which may be any number. */
const maxVotes = 100_000_000;

/** Stores the poll of a remote status and returns its id. The status may be stored later in the same transaction. */
export async function storeRemotePoll(
  tx: Transaction,
  app: App,
  { accountId, statusId, poll, pollId: id = newId<'poll'>(app.clock.now()) }: RemotePollArgs,
): Promise<PollId> {
  const now = app.clock.now();
  const columns = pollColumns(poll, now);
  await writable(tx.db)
    .insertInto('polls')
    .values({ id, status_id: statusId, account_id: accountId, hide_totals: false, created_at: now, ...columns })
    .execute();
  if (!isPollExpired(columns, now)) schedulePollEnd(tx, id, columns.expires_at);
  return id;
}

/**
 * Updates a remote poll with its counts. `isOther`: it is new or its options changed. Changed options delete the local
 * votes, as on the origin. `isChanged`: anything that is shown changed.
 */
export async function updateRemotePoll(
  tx: Transaction,
  app: App,
  question: RemotePollArgs,
): Promise<{ pollId: PollId; isOther: boolean; isChanged: boolean }> {
  const { db } = tx;
  const existing = await db
    .selectFrom('polls')
    .selectAll()
    .where('status_id', '=', question.statusId)
    .forUpdate()
    .executeTakeFirst();
  if (existing === undefined)
    return { pollId: await storeRemotePoll(tx, app, question), isOther: true, isChanged: true };
  const columns = pollColumns(question.poll, app.clock.now(), existing.expires_at);
  const isOther = existing.multiple !== columns.multiple || existing.options.join('\n') !== columns.options.join('\n');
  if (isOther) await writable(db).deleteFrom('poll_votes').where('poll_id', '=', existing.id).execute();
  else await countLocalVotes(tx, existing.id, columns);
  await writable(db)
    .updateTable('polls')
    .set((eb) => ({ ...columns, ...(isOther && { round: eb('round', '+', 1) }) }))
    .where('id', '=', existing.id)
    .execute();
  const isMoved = existing.expires_at?.getTime() !== columns.expires_at?.getTime();
  if (isMoved && existing.ended_at === null) schedulePollEnd(tx, existing.id, columns.expires_at);
  const isCounted =
    existing.tallies.join() !== columns.tallies.join() || existing.voters_count !== columns.voters_count;
  return { pollId: existing.id, isOther, isChanged: isOther || isMoved || isCounted };
}

/** Raises received counts to the number of local votes, which may not have arrived yet. */
async function countLocalVotes(
  { db }: Transaction,
  pollId: PollId,
  columns: ReturnType<typeof pollColumns>,
): Promise<void> {
  const { rows } = await sql<{ choice: number | null; voters: number }>`
    select choice, count(distinct account_id)::int as voters from poll_votes where poll_id = ${pollId}
    group by grouping sets ((choice), ())`.execute(db);
  const votersOf = (choice: number | null) => rows.find((row) => row.choice === choice)?.voters ?? 0;
  columns.tallies = columns.tallies.map((count, index) => Math.max(count, votersOf(index)));
  if (columns.voters_count !== null) columns.voters_count = Math.max(columns.voters_count, votersOf(null));
}

function pollColumns(
  { options, multiple, expiresAt, closed, votersCount }: RemotePoll,
  now: Date,
  knownEnd?: Date | null,
) {
  return {
    options: options.map(({ title }) => truncateText(cleanText(title).trim(), maxOptionLength)),
    tallies: options.map(({ votes }) => clampCount(votes)),
    multiple,
    expires_at: closed === true ? earliest(now, expiresAt, knownEnd) : (expiresAt ?? null),
    voters_count: votersCount === undefined ? null : clampCount(votersCount),
  };
}

function earliest(...dates: readonly (Date | null | undefined)[]): Date {
  return new Date(Math.min(...dates.flatMap((date) => date?.getTime() ?? [])));
}

const clampCount = (number: number): number => Math.min(Math.max(Math.trunc(number), 0), maxVotes);
