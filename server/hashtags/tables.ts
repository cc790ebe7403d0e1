import type { AccountId, RowId, TagId } from '../platform/ids.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface HashtagTables {
  /** Followed hashtags: their posts appear in the home of the account. */
  tag_follows: { id: RowId; account_id: AccountId; tag_id: TagId; created_at: Date };
  /** Hashtags that a profile features. */
  featured_tags: { id: RowId; account_id: AccountId; tag_id: TagId; created_at: Date };
  /** Uses in public and unlisted posts, by the day in UTC, and by account, domain or language (`part`). */
  tag_daily_uses: {
    tag_id: TagId;
    dimension: 'account' | 'domain' | 'language';
    day: string;
    part: string;
    uses: number;
  };
  /** Days whose uses were counted: of statuses with ids before `counted_to`; null: of all, after the day was over. */
  counted_tag_days: { day: string; counted_to: string | null };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<HashtagTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends HashtagTables {}
}
