import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { beforeCommit } from '../platform/events/reactions.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { listFeedsOutdated } from './events.ts';

/**
 * Deletes the outdated list feeds at the end of the transaction that changes what they show, so that every later read
 * sees the change. Lists are few and such changes rare, so feeds are not repaired.
 */
export const deleteOutdatedListFeeds = beforeCommit([listFeedsOutdated], {
  isLast: true,
  runBatch: (tx: Transaction, _app: App, changes) =>
    deleteFeedStates(tx, {
      owners: changes.flatMap(({ ownerIds }) => ownerIds),
      lists: changes.flatMap(({ listIds }) => listIds),
    }),
});

function emitOutdated(tx: Transaction, { owners = [], lists = [] }: { owners?: AccountId[]; lists?: ListId[] }): void {
  tx.emit(listFeedsOutdated({ ownerIds: owners, listIds: lists }));
}

interface OutdatedFeeds {
  /** All lists of these accounts. */
  readonly owners: readonly AccountId[];
  readonly lists: readonly ListId[];
}

/**
 * A feed that is being begun meanwhile is waited for by the lock on the list (`lockList`). A build and those who write
 * entries hold the state; all take states in the order of their ids, after the counters of accounts.
 */
async function deleteFeedStates({ db }: Transaction, { owners, lists }: OutdatedFeeds): Promise<void> {
  const { rows } = await sql<{ id: ListId }>`
    select id from lists where account_id = any(${[...owners]}::bigint[]) or id = any(${[...lists]}::bigint[])
    for key share`.execute(db);
  if (rows.length === 0) return;
  await sql`
    delete from list_feed_states where list_id = any(array(
      select list_id from list_feed_states where list_id = any(${rows.map(({ id }) => id)}::bigint[])
      order by list_id for update))`.execute(db);
}

interface AccountChange {
  readonly accountId: AccountId;
}

interface AccountPairChange extends AccountChange {
  readonly targetAccountId: AccountId;
}

/** After a change of what one account wants to see. */
export async function deleteListFeedsOfAccount(
  tx: Transaction,
  _app: App,
  changes: readonly AccountChange[],
): Promise<void> {
  emitOutdated(tx, { owners: changes.map(({ accountId }) => accountId) });
}

/** After a change of what two accounts may see of each other. */
export async function deleteListFeedsOfBoth(
  tx: Transaction,
  _app: App,
  changes: readonly AccountPairChange[],
): Promise<void> {
  emitOutdated(tx, { owners: changes.flatMap((change) => [change.accountId, change.targetAccountId]) });
}

/** After a change of what many accounts may see of one that is gone. */
export async function deleteListFeedsOfAll(
  tx: Transaction,
  _app: App,
  changes: readonly { readonly accountIds: AccountId[] }[],
): Promise<void> {
  emitOutdated(tx, { owners: changes.flatMap(({ accountIds }) => accountIds) });
}

/** After a change of the lists themselves. */
export async function deleteChangedListFeeds(
  tx: Transaction,
  _app: App,
  changes: readonly { readonly listId: ListId }[],
): Promise<void> {
  emitOutdated(tx, { lists: changes.map(({ listId }) => listId) });
}
