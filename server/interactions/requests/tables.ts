import type { Generated } from 'kysely';
import { writableTables } from '../../platform/database/writable-tables.ts';
import type { AccountId, Id, StatusId } from '../../platform/ids.ts';
import type { Interaction } from '../policy/interaction-policy.ts';

export type InteractionRequestId = Id<'interaction-request'>;

/** The decision of the author of the post. `revoked`: accepted before. */
export type RequestState = 'pending' | 'accepted' | 'rejected' | 'revoked';

export interface InteractionTables {
  interaction_requests: {
    id: InteractionRequestId;
    kind: Interaction;
    state: RequestState;
    /** The post and its author. */
    status_id: StatusId;
    author_id: AccountId;
    /** The account that favourites, replies or reblogs. */
    account_id: AccountId;
    /** The reply, which only the two accounts see while it is pending. Null for other kinds. */
    reply_id: StatusId | null;
    /** Id of the Like, reply or Announce; null for a local favourite. */
    uri: string | null;
    /** Id of the request that a remote server sent for it. */
    request_uri: string | null;
    /** What a pending reply or reblog gets when it is accepted. */
    visibility:
      | 'public'
      | 'unlisted'
      | 'private'
      | 'direct'
      | 'local_public'
      | 'local_unlisted'
      | 'local_private'
      | `imported_${'public' | 'unlisted' | 'private' | 'direct'}`
      | null;
    mentioned_ids: Generated<AccountId[]>;
    silent_ids: Generated<AccountId[]>;
    unresolved_handles: Generated<string[]>;
    /** The authorization by a remote author, or by a local one before the server moved here. Later ones are named after `id`. */
    authorization_uri: string | null;
    created_at: Date;
    decided_at: Date | null;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<InteractionTables>();

declare module '../../platform/database/tables.ts' {
  interface Tables extends InteractionTables {}
}
