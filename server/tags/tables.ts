import type { Generated } from 'kysely';
import type { AccountId, RowId, TagId } from '../platform/ids.ts';

export interface TagTables {
  tags: {
    id: TagId;
    /** Normalised: NFKC, lower case. */
    name: string;
    display_name: string;
    usable: Generated<boolean>;
    listable: Generated<boolean>;
    trendable: boolean | null;
    reviewed_at: Date | null;
    created_at: Date;
    last_status_at: Date | null;
  };
  /** Followed hashtags: their posts appear in the home of the account. */
  tag_follows: { id: RowId; account_id: AccountId; tag_id: TagId; created_at: Date };
  /** Hashtags that a profile features. */
  featured_tags: { id: RowId; account_id: AccountId; tag_id: TagId; created_at: Date };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends TagTables {}
}
