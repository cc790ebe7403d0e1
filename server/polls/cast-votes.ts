import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import { invalid, notFound } from '../platform/http/problems.ts';
import { newId, type AccountId, type PollId } from '../platform/ids.ts';
import { pollVoted } from './events.ts';
import type { PollRow } from './find-poll.ts';
import { isOver } from './present-polls.ts';
import { tellTallyLater } from './tell-tally.ts';

/** Somebody's choice in a poll. */
export interface Ballot {
  readonly pollId: PollId;
  readonly accountId: AccountId;
  /** Places of options, from 0. */
  readonly choices: readonly number[];
}

/**
 * Counts the choice of a local account. Where several may be chosen, more may be chosen later, as other servers do. Throws
 * 422 for a vote in an own poll, in one that is over, an option chosen before, a second vote or several options where one is
 * asked for, and a choice that is none (POL-02); 404 when the poll is gone. Decides nothing about who may see the poll.
 */
export async function castVotes(write: Write, app: App, ballot: Ballot): Promise<void> {
  const poll = await lockPoll(write, ballot.pollId);
  if (poll === undefined) throw notFound();
  const choices = [...new Set(ballot.choices)];
  if (poll.account_id === ballot.accountId) throw invalid("You can't vote in your own polls");
  if (isOver(poll, app.clock.now())) throw invalid('The poll has already ended');
  if (!choices.every((choice) => Number.isInteger(choice) && choice >= 0 && choice < poll.options.length)) {
    throw invalid('The chosen vote option does not exist');
  }
  const earlier = await earlierVotes(write, ballot);
  const isAgain = poll.multiple
    ? choices.some((choice) => earlier.includes(choice))
    : earlier.length > 0 || choices.length > 1;
  if (isAgain) throw invalid('You have already voted on this poll');
  const { accountId } = ballot;
  if (choices.length > 0) await count(write, app, poll, { accountId, choices, isNewVoter: earlier.length === 0 });
}

/**
 * Counts a choice that comes from another server, where each option is a vote of its own: false when it does not count,
 * because the poll is over, it was counted already, or another one was where only one is asked for.
 */
export async function castRemoteVote(
  write: Write,
  app: App,
  vote: { readonly pollId: PollId; readonly accountId: AccountId; readonly option: string },
): Promise<boolean> {
  const poll = await lockPoll(write, vote.pollId);
  const choice = poll?.options.indexOf(vote.option) ?? -1;
  if (poll === undefined || choice < 0 || poll.account_id === vote.accountId || isOver(poll, app.clock.now())) {
    return false;
  }
  const earlier = await earlierVotes(write, vote);
  if (earlier.includes(choice) || (earlier.length > 0 && !poll.multiple)) return false;
  const { accountId } = vote;
  await count(write, app, poll, { accountId, choices: [choice], isNewVoter: earlier.length === 0 });
  return true;
}

/** Votes in one poll wait for each other here, so that nobody votes twice and every vote counts. */
function lockPoll({ db }: Write, pollId: PollId): Promise<PollRow | undefined> {
  return db.selectFrom('polls').selectAll().where('id', '=', pollId).forUpdate().executeTakeFirst();
}

async function earlierVotes({ db }: Write, { pollId, accountId }: Omit<Ballot, 'choices'>): Promise<number[]> {
  const rows = await db
    .selectFrom('poll_votes')
    .select('choice')
    .where('poll_id', '=', pollId)
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ choice }) => choice);
}

async function count(
  write: Write,
  app: App,
  poll: PollRow,
  { accountId, choices, isNewVoter }: { accountId: AccountId; choices: readonly number[]; isNewVoter: boolean },
): Promise<void> {
  const now = app.clock.now();
  const rows = choices.map((choice) => ({
    id: newId<'row'>(now),
    poll_id: poll.id,
    account_id: accountId,
    choice,
    created_at: now,
  }));
  await write.db.insertInto('poll_votes').values(rows).execute();
  const tallies = poll.tallies.map((votes, index) => votes + (choices.includes(index) ? 1 : 0));
  await write.db
    .updateTable('polls')
    .set({
      tallies,
      ...(isNewVoter && { voters_count: sql<number | null>`voters_count + 1` }),
    })
    .where('id', '=', poll.id)
    .execute();
  await tellTallyLater(write, app, poll);
  write.emit(pollVoted({ pollId: poll.id, statusId: poll.status_id, accountId, choices: [...choices] }));
}
