import type { AccountId, StatusId } from '../platform/ids.ts';

export interface TimelineTables {
  home_feed: { account_id: AccountId; status_id: StatusId; reblog_of_id: StatusId | null };
  home_feed_states: {
    account_id: AccountId;
    /** The stored feed is complete from this status id on. */
    complete_from: StatusId;
    used_at: Date;
  };
}
