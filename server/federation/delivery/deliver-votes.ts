import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, PollId } from '../../platform/ids.ts';
import { pollVoted } from '../../polls/index.ts';
import { vote as voteActivity } from '../documents/activities.ts';
import { storeActivities } from './store-activity.ts';
import { accountInboxes } from './inboxes.ts';
import { onLocal } from './on-local.ts';

interface VoteEvent {
  readonly pollId: PollId;
  readonly accountId: AccountId;
  readonly choices: readonly number[];
}

/** Sends votes of a local account in a remote poll to its author, one activity per option. */
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
    const activities = votes.flatMap(({ id, choice }) => {
      const option = poll.options[choice];
      if (option === undefined) return [];
      const activity = voteActivity(voter.uri, id, { option, question: poll.uri, author: poll.author_uri });
      return [{ senderId: accountId, activity, inboxes, orderKey: poll.uri }];
    });
    await storeActivities(tx, app, activities);
  });
}

/** Returns the votes in polls of remote accounts. */
async function filterRemotePolls<Vote extends VoteEvent>(
  { db }: Transaction,
  _app: App,
  votes: readonly Vote[],
): Promise<Vote[]> {
  const rows = await remotePolls(db)
    .select('polls.id')
    .where(sql<boolean>`polls.id = any(${votes.map(({ pollId }) => pollId)}::bigint[])`)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  return votes.filter(({ pollId }) => ids.has(pollId));
}

const findRemotePoll = (db: App['db'], pollId: PollId) =>
  remotePolls(db)
    .select(['polls.account_id', 'polls.options', 'statuses.uri', 'author.uri as author_uri'])
    .where('polls.id', '=', pollId)
    .executeTakeFirst();

const remotePolls = (db: App['db'] | Transaction['db']) =>
  db
    .selectFrom('polls')
    .innerJoin('statuses', 'statuses.id', 'polls.status_id')
    .innerJoin('accounts as author', 'author.id', 'polls.account_id')
    .where('author.domain', 'is not', null)
    .where('statuses.deleted_at', 'is', null);

export const voteDeliveries: readonly Subscription[] = onLocal([pollVoted], {
  name: 'poll.deliver_votes',
  run: deliverVotes,
  filter: filterRemotePolls,
});
