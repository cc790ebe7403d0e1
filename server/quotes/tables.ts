import type { Generated } from 'kysely';
import type { AccountId, Id, StatusId } from '../platform/ids.ts';

export type QuoteId = Id<'quote'>;

/**
 * How far a quote has come: its author asked (`pending`), the quoted author granted it (`accepted`), did not (`rejected`),
 * or took it back (`revoked`); or what it quotes is gone (`deleted`).
 */
export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted';

export interface QuoteTables {
  quotes: {
    id: QuoteId;
    /** The post that quotes; a post has one quote at most. */
    status_id: StatusId;
    account_id: AccountId;
    /** Null: not known here (yet), or gone for good. */
    quoted_status_id: StatusId | null;
    quoted_account_id: AccountId | null;
    /** The ActivityPub id of the quoted post. */
    quoted_uri: string;
    state: QuoteState;
    /** Made by a server that knows no approval: shown only when people quote themselves. */
    legacy: Generated<boolean>;
    /** The QuoteAuthorization by which another server granted it; those of this server are named by `id`. */
    approval_uri: string | null;
    created_at: Date;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends QuoteTables {}
}
