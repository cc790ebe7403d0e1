import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { TagId } from '../platform/ids.ts';

export interface TagTables {
  tags: {
    id: TagId;
    /** Normalised: NFKC, lower case. */
    name: string;
    display_name: string;
    /** Whether a public or unlisted post has used it, even if that post is deleted. */
    was_public: Generated<boolean>;
    usable: Generated<boolean>;
    listable: Generated<boolean>;
    /** Null: staff have not decided. */
    trendable: boolean | null;
    /** When staff last decided about it. */
    reviewed_at: Date | null;
    /** When staff were asked to review it. */
    requested_review_at: Date | null;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<TagTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends TagTables {}
}
