import { sql } from 'kysely';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';
import type { EntryRow } from './walk-sources.ts';

/** The tables that feeds of one kind are kept in. */
export interface FeedTables {
  /** One row for each feed that is kept. */
  readonly states: 'home_feed_states' | 'list_feed_states';
  readonly entries: 'home_feed' | 'list_feed';
  /** In both, the column that tells whose feed it is. */
  readonly key: 'account_id' | 'list_id';
}

/** A home or a list, whose feed may be kept. */
export interface FeedRef {
  readonly tables: FeedTables;
  readonly id: AccountId | ListId;
}

export const homeTables: FeedTables = { states: 'home_feed_states', entries: 'home_feed', key: 'account_id' };
export const listTables: FeedTables = { states: 'list_feed_states', entries: 'list_feed', key: 'list_id' };

export const homeFeed = (id: AccountId): FeedRef => ({ tables: homeTables, id });
export const listFeed = (id: ListId): FeedRef => ({ tables: listTables, id });

/** Names of the tables and the column, as statements take them. */
export const feedTableRefs = ({ states, entries, key }: FeedTables) => ({
  states: sql.table(states),
  entries: sql.table(entries),
  key: sql.ref(key),
});

/** Keeps others from changing this feed until the transaction ends; gives its horizon, undefined when none is kept. */
export async function lockFeed({ db }: Transaction, { tables, id }: FeedRef): Promise<StatusId | undefined> {
  const { states, key } = feedTableRefs(tables);
  const { rows } = await sql<{ complete_from: StatusId }>`
    select complete_from from ${states} where ${key} = ${id}::bigint for update`.execute(db);
  return rows[0]?.complete_from;
}

/** Says that the feed is complete from `completeFrom` on. */
export async function setCompleteFrom(
  { db }: Transaction,
  { tables, id }: FeedRef,
  completeFrom: StatusId,
): Promise<void> {
  const { states, key } = feedTableRefs(tables);
  await sql`update ${states} set complete_from = ${completeFrom}::bigint where ${key} = ${id}::bigint`.execute(db);
}

/** Puts entries into a feed; those that stand there already stay. */
export async function insertEntries(
  { db }: Transaction,
  { tables, id }: FeedRef,
  rows: readonly EntryRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { entries, key } = feedTableRefs(tables);
  await sql`
    insert into ${entries} (${key}, status_id, reblog_of_id)
    select ${id}::bigint, entry.* from unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.reblog_of_id)}::bigint[]) entry
    on conflict do nothing`.execute(db);
}

/** Takes all entries out of a feed. */
export async function deleteEntries({ db }: Transaction, { tables, id }: FeedRef): Promise<void> {
  const { entries, key } = feedTableRefs(tables);
  await sql`delete from ${entries} where ${key} = ${id}::bigint`.execute(db);
}
