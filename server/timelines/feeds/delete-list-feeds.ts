import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, ListId } from '../../platform/ids.ts';
import { listFeedsOutdated } from '../events.ts';

/** Outdates the list feeds of accounts that want to see other statuses than before. */
export async function outdateListFeeds(
  { emit }: Transaction,
  _app: App,
  changes: readonly { readonly accountId: AccountId }[],
): Promise<void> {
  emit(listFeedsOutdated({ accountIds: changes.map(({ accountId }) => accountId) }));
}

/** Outdates the list feeds of both accounts of a block. */
export async function outdateListFeedsOfBoth(
  { emit }: Transaction,
  _app: App,
  blocks: readonly { readonly accountId: AccountId; readonly targetAccountId: AccountId }[],
): Promise<void> {
  emit(listFeedsOutdated({ accountIds: blocks.flatMap((block) => [block.accountId, block.targetAccountId]) }));
}

/**
 * Deletes the stored feeds of changed lists, and of all lists of these accounts, so that the next read shows the change.
 * Lists are few and such changes rare, so feeds are not repaired.
 *
 * A transaction that creates a feed holds the list (`touchFeed`), one that builds it or inserts entries its state. States
 * are locked in the order of their ids, after the counters of accounts.
 */
export async function deleteListFeeds(
  { db }: Transaction,
  _app: App,
  changes: readonly ({ readonly accountIds: readonly AccountId[] } | { readonly listId: ListId })[],
): Promise<void> {
  const owners = new Set(changes.flatMap((change) => ('accountIds' in change ? change.accountIds : [])));
  const lists = new Set(changes.flatMap((change) => ('listId' in change ? [change.listId] : [])));
  const { rows } = await sql<{ id: ListId }>`
    select id from lists where account_id = any(${[...owners]}::bigint[]) or id = any(${[...lists]}::bigint[])
    for key share`.execute(db);
  if (rows.length === 0) return;
  await sql`
    delete from list_feed_states where list_id = any(array(
      select list_id from list_feed_states where list_id = any(${rows.map(({ id }) => id)}::bigint[])
      order by list_id for update))`.execute(db);
}
