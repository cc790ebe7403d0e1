import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { validationFailed, notFound } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type PollId } from '../platform/ids.ts';
import { pollVoted } from './events.ts';
import type { PollRow } from './read/load-polls.ts';
import { isPollExpired } from './read/present-poll.ts';
import { queuePollUpdate } from './send-poll-update.ts';
import { writable } from './tables.ts';

/** The votes of one account in a poll. */
export interface Ballot {
  readonly pollId: PollId;
  readonly accountId: AccountId;
  /** Indexes of options, from 0. */
  readonly choices: readonly number[];
}

/**
 * Counts the votes of a local account. A multiple-choice poll accepts further choices later. Throws 422 for a vote in the
 * account's own poll or an expired one, a repeated choice, more than one choice in a single-choice poll, and an unknown
 * option (POL-02); 404 if the poll was deleted. Does not check visibility.
 */
export async function castVotes(tx: Transaction, app: App, ballot: Ballot): Promise<void> {
  const poll = await lockPoll(tx, ballot.pollId);
  if (poll === undefined) throw notFound();
  const choices = [...new Set(ballot.choices)];
  if (poll.account_id === ballot.accountId) throw validationFailed('polls.ownPoll');
  if (isPollExpired(poll, app.clock.now())) throw validationFailed('polls.ended');
  if (!choices.every((choice) => Number.isInteger(choice) && choice >= 0 && choice < poll.options.length)) {
    throw validationFailed('polls.unknownChoice');
  }
  const earlier = await listVotes(tx, ballot);
  const isAgain = poll.multiple
    ? choices.some((choice) => earlier.includes(choice))
    : earlier.length > 0 || choices.length > 1;
  if (isAgain) throw validationFailed('polls.alreadyVoted');
  const { accountId } = ballot;
  if (choices.length > 0) await storeVotes(tx, app, poll, { accountId, choices, isNewVoter: earlier.length === 0 });
}

/**
 * Counts a received vote, which has one option. Returns false if the poll has expired, the vote was counted before, or a
 * single-choice poll already has a vote of the account.
 */
export async function castRemoteVote(
  tx: Transaction,
  app: App,
  vote: { readonly pollId: PollId; readonly accountId: AccountId; readonly option: string },
): Promise<boolean> {
  const poll = await lockPoll(tx, vote.pollId);
  const choice = poll?.options.indexOf(vote.option) ?? -1;
  if (poll === undefined || choice < 0 || poll.account_id === vote.accountId || isPollExpired(poll, app.clock.now())) {
    return false;
  }
  const earlier = await listVotes(tx, vote);
  if (earlier.includes(choice) || (earlier.length > 0 && !poll.multiple)) return false;
  const { accountId } = vote;
  await storeVotes(tx, app, poll, { accountId, choices: [choice], isNewVoter: earlier.length === 0 });
  return true;
}

/** Locks a poll, so that votes in it are counted one after the other. */
function lockPoll({ db }: Transaction, pollId: PollId): Promise<PollRow | undefined> {
  return db.selectFrom('polls').selectAll().where('id', '=', pollId).forUpdate().executeTakeFirst();
}

async function listVotes({ db }: Transaction, { pollId, accountId }: Omit<Ballot, 'choices'>): Promise<number[]> {
  const rows = await db
    .selectFrom('poll_votes')
    .select('choice')
    .where('poll_id', '=', pollId)
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ choice }) => choice);
}

async function storeVotes(
  tx: Transaction,
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
  await writable(tx.db).insertInto('poll_votes').values(rows).execute();
  const tallies = poll.tallies.map((votes, index) => votes + (choices.includes(index) ? 1 : 0));
  await writable(tx.db)
    .updateTable('polls')
    .set({
      tallies,
      ...(isNewVoter && { voters_count: sql<number | null>`voters_count + 1` }),
    })
    .where('id', '=', poll.id)
    .execute();
  await queuePollUpdate(tx, app, poll);
  tx.emit(pollVoted({ pollId: poll.id, statusId: poll.status_id, accountId, choices: [...choices] }));
}
