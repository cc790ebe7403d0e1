import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';

export interface TimelineTables {
  home_feed: { account_id: AccountId; status_id: StatusId; reblog_of_id: StatusId | null };
  /** One row per stored home feed. Without one, a home timeline is read from the follow graph. */
  home_feed_states: {
    account_id: AccountId;
    /** The feed is complete from this status id on; the maximum bigint while it is being built. */
    complete_from: StatusId;
    /** Time of the last read, to the day. */
    used_at: Date;
  };
  list_feed: { list_id: ListId; status_id: StatusId; reblog_of_id: StatusId | null };
  /** One row per stored list feed. Deleting it deletes its entries. */
  list_feed_states: { list_id: ListId; complete_from: StatusId; used_at: Date };
  /** Authors whose statuses are merged into home feeds on read. */
  merged_authors: { account_id: AccountId; since: Date };
  markers: {
    account_id: AccountId;
    timeline: 'home' | 'notifications';
    last_read_id: string;
    version: Generated<number>;
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<TimelineTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends TimelineTables {}
}
