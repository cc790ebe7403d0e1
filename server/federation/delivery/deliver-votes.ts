import type { Subscription } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import { findAccount } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import type { AccountId, PollId } from '../../platform/ids.ts';
import { pollVoted } from '../../polls/index.ts';
import { vote } from '../documents/activities.ts';
import { storeActivity } from './store-activity.ts';
import { accountInboxes } from './inboxes.ts';
import { onLocal } from './on-local.ts';

interface VoteEvent {
  readonly pollId: PollId;
  readonly accountId: AccountId;
  readonly choices: readonly number[];
}

/** Sends what a local account chose in a poll of another server to its author, one activity for each option. */
async function deliverVotes(app: App, { pollId, accountId, choices }: VoteEvent): Promise<void> {
  const [voter, poll] = await Promise.all([findAccount(app, accountId), findRemotePoll(app.db, pollId)]);
  if (voter === undefined || poll === undefined) return;
  const votes = await app.db
    .selectFrom('poll_votes')
    .select(['id', 'choice'])
    .where('poll_id', '=', pollId)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`choice = any(${choices}::int[])`)
    .orderBy('id')
    .execute();
  await transaction(app, async (tx) => {
    const inboxes = await accountInboxes(tx.db, [poll.account_id]);
    for (const { id, choice } of votes) {
      const option = poll.options[choice];
      if (option === undefined) continue;
      const choiceOf = { option, question: poll.uri, author: poll.author_uri };
      const activity = vote(voter.uri, id, choiceOf);
      await storeActivity(tx, app, { senderId: accountId, activity, inboxes, orderKey: poll.uri });
    }
  });
}

async function filterRemotePolls({ db }: Transaction, votes: readonly VoteEvent[]): Promise<VoteEvent[]> {
  const remote: VoteEvent[] = [];
  for (const vote of votes) if ((await findRemotePoll(db, vote.pollId)) !== undefined) remote.push(vote);
  return remote;
}

function findRemotePoll(db: App['db'] | Transaction['db'], pollId: PollId) {
  return db
    .selectFrom('polls')
    .innerJoin('statuses', 'statuses.id', 'polls.status_id')
    .innerJoin('accounts as author', 'author.id', 'polls.account_id')
    .select(['polls.account_id', 'polls.options', 'statuses.uri', 'author.uri as author_uri'])
    .where('polls.id', '=', pollId)
    .where('author.domain', 'is not', null)
    .where('statuses.deleted_at', 'is', null)
    .executeTakeFirst();
}

export const voteDeliveries: readonly Subscription[] = onLocal(
  pollVoted,
  'poll.deliver_votes',
  deliverVotes,
  filterRemotePolls,
);
