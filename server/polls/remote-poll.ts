import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import { newId, type AccountId, type PollId, type StatusId } from '../platform/ids.ts';
import { cleanText, cutText } from '../text/index.ts';
import { endAt } from './end-poll.ts';
import { isOver } from './present-polls.ts';

/** A poll of another server, as its post tells it. */
export interface RemotePoll {
  readonly options: readonly { readonly title: string; readonly votes: number }[];
  readonly multiple: boolean;
  /** Undefined: it has no end, or does not say when it ended. */
  readonly expiresAt: Date | undefined;
  /** It is over now, even if `expiresAt` is later. */
  readonly closed?: boolean;
  /** Undefined: it is not told. */
  readonly votersCount: number | undefined;
}

interface Question {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
  readonly poll: RemotePoll;
}

const longestOption = 500;
/** Counts come from others, so that any number may come. */
const mostVotes = 100_000_000;

/** Stores the poll of a post of another server; the post may be stored after it, in the same transaction. */
export async function storeRemotePoll(
  write: Write,
  app: App,
  { accountId, statusId, poll }: Question,
): Promise<PollId> {
  const now = app.clock.now();
  const id = newId<'poll'>(now);
  const columns = columnsOf(poll, now);
  await write.db
    .insertInto('polls')
    .values({ id, status_id: statusId, account_id: accountId, hide_totals: false, created_at: now, ...columns })
    .execute();
  if (!isOver(columns, now)) endAt(write, id, columns.expires_at);
  return id;
}

/**
 * Takes over what a poll of another server has become, counts included. `isOther`: it asks something else than before, or
 * is new; then the votes from here are thrown away, as they are where it comes from.
 */
export async function updateRemotePoll(
  write: Write,
  app: App,
  question: Question,
): Promise<{ pollId: PollId; isOther: boolean }> {
  const { db } = write;
  const known = await db
    .selectFrom('polls')
    .selectAll()
    .where('status_id', '=', question.statusId)
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) return { pollId: await storeRemotePoll(write, app, question), isOther: true };
  const columns = columnsOf(question.poll, app.clock.now(), known.expires_at);
  const isOther = known.multiple !== columns.multiple || known.options.join('\n') !== columns.options.join('\n');
  if (isOther) await db.deleteFrom('poll_votes').where('poll_id', '=', known.id).execute();
  else await countOwn(write, known.id, columns);
  await db
    .updateTable('polls')
    .set((eb) => ({ ...columns, ...(isOther && { round: eb('round', '+', 1) }) }))
    .where('id', '=', known.id)
    .execute();
  const isMoved = known.expires_at?.getTime() !== columns.expires_at?.getTime();
  if (isMoved && known.ended_at === null) endAt(write, known.id, columns.expires_at);
  return { pollId: known.id, isOther };
}

/** Votes from here may still be on their way: they count in any case. */
async function countOwn({ db }: Write, pollId: PollId, columns: ReturnType<typeof columnsOf>): Promise<void> {
  const { rows } = await sql<{ choice: number | null; voters: number }>`
    select choice, count(distinct account_id)::int as voters from poll_votes where poll_id = ${pollId}
    group by grouping sets ((choice), ())`.execute(db);
  const votersOf = (choice: number | null) => rows.find((row) => row.choice === choice)?.voters ?? 0;
  columns.tallies = columns.tallies.map((count, index) => Math.max(count, votersOf(index)));
  if (columns.voters_count !== null) columns.voters_count = Math.max(columns.voters_count, votersOf(null));
}

function columnsOf(
  { options, multiple, expiresAt, closed, votersCount }: RemotePoll,
  now: Date,
  knownEnd?: Date | null,
) {
  return {
    options: options.map(({ title }) => cutText(cleanText(title).trim(), longestOption)),
    tallies: options.map(({ votes }) => countOf(votes)),
    multiple,
    expires_at: closed === true ? earliest(now, expiresAt, knownEnd) : (expiresAt ?? null),
    voters_count: votersCount === undefined ? null : countOf(votersCount),
  };
}

function earliest(...dates: readonly (Date | null | undefined)[]): Date {
  return new Date(Math.min(...dates.flatMap((date) => date?.getTime() ?? [])));
}

const countOf = (number: number): number => Math.min(Math.max(Math.trunc(number), 0), mostVotes);
