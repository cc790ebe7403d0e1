import type { Generated } from 'kysely';
import type { TagId } from '../platform/ids.ts';

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
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends TagTables {}
}
