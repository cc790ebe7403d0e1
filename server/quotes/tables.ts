import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, Id, StatusId } from '../platform/ids.ts';

export type QuoteId = Id<'quote'>;

/** The decision of the quoted author, or `deleted` if the quoted post was deleted. */
export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted';

export interface QuoteTables {
  quotes: {
    id: QuoteId;
    /** The quoting post, which has one quote at most. */
    status_id: StatusId;
    account_id: AccountId;
    /** Null: unknown (so far) or deleted. */
    quoted_status_id: StatusId | null;
    quoted_account_id: AccountId | null;
    /** The ActivityPub id of the quoted post. */
    quoted_uri: string;
    state: QuoteState;
    /** Received without support for approval: shown only if both posts have the same author. */
    legacy: Generated<boolean>;
    /** The remote QuoteAuthorization. Local ones are named after `id`. */
    approval_uri: string | null;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<QuoteTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends QuoteTables {}
}
