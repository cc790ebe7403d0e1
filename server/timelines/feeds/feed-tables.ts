import { sql } from 'kysely';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { homeFeedChanged } from '../events.ts';
import type { FeedEntry } from '../read/hide-repeats.ts';
import type { EntryRow } from '../graph/walk-sources.ts';

/** A stored feed: the home timeline of an account, or the timeline of a list. */
export type FeedRef =
  | { readonly kind: 'home'; readonly id: AccountId }
  | { readonly kind: 'list'; readonly id: ListId };

/** The tables that store the feeds of one kind. */
export interface FeedTables {
  /** One row per stored feed. */
  readonly states: 'home_feed_states' | 'list_feed_states';
  readonly entries: 'home_feed' | 'list_feed';
  /** The column of both tables with the id of the feed. */
  readonly key: 'account_id' | 'list_id';
}

export const feedTables: Readonly<Record<FeedRef['kind'], FeedTables>> = {
  home: { states: 'home_feed_states', entries: 'home_feed', key: 'account_id' },
  list: { states: 'list_feed_states', entries: 'list_feed', key: 'list_id' },
};

/** Returns the names as SQL. */
export const feedTableRefs = ({ states, entries, key }: FeedTables) => ({
  states: sql.table(states),
  entries: sql.table(entries),
  key: sql.ref(key),
});

export interface FeedState {
  /** No entry is missing from this id on; the maximum id while the feed is being built. */
  readonly completeFrom: StatusId;
  /** To the day. */
  readonly usedAt: Date;
}

/** Locks a feed until the transaction ends. Returns the id from which on it is complete; undefined if it is not stored. */
export async function lockFeed({ db }: Transaction, { kind, id }: FeedRef): Promise<StatusId | undefined> {
  const { states, key } = feedTableRefs(feedTables[kind]);
  const { rows } = await sql<{ complete_from: StatusId }>`
    select complete_from from ${states} where ${key} = ${id}::bigint for update`.execute(db);
  return rows[0]?.complete_from;
}

/** Emits that a feed changed, if readers cache it: a home feed. */
export function reportChange({ emit }: Transaction, { kind, id }: FeedRef): void {
  if (kind === 'home') emit(homeFeedChanged({ accountId: id }));
}

/** Records that a feed is complete from this id on. */
export async function setCompleteFrom(
  { db }: Transaction,
  { kind, id }: FeedRef,
  completeFrom: StatusId,
): Promise<void> {
  const { states, key } = feedTableRefs(feedTables[kind]);
  await sql`update ${states} set complete_from = ${completeFrom}::bigint where ${key} = ${id}::bigint`.execute(db);
}

/** Inserts entries into a feed, except those that are already in it. */
export async function insertEntries(
  { db }: Transaction,
  { kind, id }: FeedRef,
  rows: readonly EntryRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { entries, key } = feedTableRefs(feedTables[kind]);
  await sql`
    insert into ${entries} (${key}, status_id, reblog_of_id)
    select ${id}::bigint, entry.* from unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.reblog_of_id)}::bigint[]) entry
    on conflict do nothing`.execute(db);
}

/** Deletes all entries of a feed. */
export async function deleteEntries({ db }: Transaction, { kind, id }: FeedRef): Promise<void> {
  const { entries, key } = feedTableRefs(feedTables[kind]);
  await sql`delete from ${entries} where ${key} = ${id}::bigint`.execute(db);
}

/**
 * Parses entries that a statement aggregated to text: `id` or `id:reblogged id`, separated by commas. Much cheaper than
 * rows.
 */
export function parseEntries(text: string | null): FeedEntry[] {
  return text === null ? [] : text.split(',').map(parseEntry);
}

function parseEntry(text: string): FeedEntry {
  const colon = text.indexOf(':');
  if (colon === -1) return { id: text as StatusId, reblogOfId: undefined };
  return { id: text.slice(0, colon) as StatusId, reblogOfId: text.slice(colon + 1) as StatusId };
}
