import { sql, type RawBuilder } from 'kysely';
import type { Caller } from '../platform/http/routes.ts';
import type { SessionId, TokenId } from '../platform/ids.ts';

/** What a push subscription belongs to, and ends with: an access token, or the session of a browser. */
export type PushHolder = { readonly tokenId: TokenId } | { readonly sessionId: SessionId };

/** Returns what the push subscription of a caller belongs to. */
export const holderOf = ({ sessionId, tokenId }: Caller): PushHolder =>
  sessionId === undefined ? { tokenId } : { sessionId };

/** Returns the columns that reference a holder. */
export const holderColumns = (holder: PushHolder) =>
  'tokenId' in holder
    ? { token_id: holder.tokenId, session_id: null }
    : { token_id: null, session_id: holder.sessionId };

/** Returns a condition: the subscription belongs to this holder. */
export const isHeldBy = (holder: PushHolder): RawBuilder<boolean> =>
  'tokenId' in holder
    ? sql<boolean>`token_id = ${holder.tokenId}::bigint`
    : sql<boolean>`session_id = ${holder.sessionId}::bigint`;
