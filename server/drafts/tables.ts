import type { JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, Id } from '../platform/ids.ts';
import type { ThreadPost } from '../statuses/thread/index.ts';

export type DraftId = Id<'draft'>;

export interface DraftTables {
  drafts: {
    id: DraftId;
    account_id: AccountId;
    /** Raised by each change. */
    version: number;
    posts: JSONColumnType<readonly ThreadPost[], string, string>;
    /** May be deleted before the draft is published. */
    in_reply_to_id: string | null;
    /** Of the request that created the draft, or that changed it last. */
    idempotency_key: string | null;
    created_at: Date;
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<DraftTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends DraftTables {}
}
