import type { Generated } from 'kysely';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';

export interface TimelineTables {
  home_feed: { account_id: AccountId; status_id: StatusId; reblog_of_id: StatusId | null };
  /** One row for each feed that is kept; an account without one reads its home through the follow graph. */
  home_feed_states: {
    account_id: AccountId;
    /** The stored feed is complete from this status id on; the largest bigint while it is being built. */
    complete_from: StatusId;
    /** Last read, to the day. */
    used_at: Date;
  };
  list_feed: { list_id: ListId; status_id: StatusId; reblog_of_id: StatusId | null };
  /** One row for each list whose feed is kept, as for homes. It takes the entries with it. */
  list_feed_states: { list_id: ListId; complete_from: StatusId; used_at: Date };
  /** Authors whose posts are merged into home feeds when these are read. */
  merged_authors: { account_id: AccountId; since: Date };
  markers: {
    account_id: AccountId;
    timeline: 'home' | 'notifications';
    last_read_id: string;
    version: Generated<number>;
    updated_at: Date;
  };
}
