import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, FetchBudgetId, Id, RowId, StatusId } from '../platform/ids.ts';

export type ActivityId = Id<'activity'>;
export type RelayId = Id<'relay'>;

export interface FederationTables {
  hosts: {
    domain: string;
    signature_dialect: Generated<'cavage' | 'rfc9421'>;
    /** Until when it counts as proven that it verifies Ed25519 signatures of requests. */
    ed25519_until: Date | null;
    /** When it last refused an Ed25519 signature. */
    ed25519_refused_at: Date | null;
    software: string | null;
    failures: Generated<number>;
    unavailable_until: Date | null;
    /** When staff stopped the deliveries to it. */
    paused_at: Date | null;
    last_success_at: Date | null;
    last_failure_at: Date | null;
    /** Time of the first failure since the last success or received activity. */
    failing_since: Date | null;
    /** When it last showed a sign of life after failures. */
    resumed_at: Date | null;
    /** End of the pause that the host requested. */
    retry_after: Date | null;
    created_at: Generated<Date>;
  };
  /** Accepted activities that are not processed yet. */
  inbox_activities: {
    id: GeneratedAlways<string>;
    actor_uri: string;
    /** Actor that signed the request. */
    signer_uri: string;
    signer_host: string;
    inbox_account_id: AccountId | null;
    /** The actor did not sign the request, so the object is fetched from its origin. */
    forwarded: Generated<boolean>;
    body: string;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    lease_holder: string | null;
    last_error: string | null;
    exhausted_at: Date | null;
    /** Fetch budget of the processing; null for activities from before budgets existed. */
    fetch_budget_id: FetchBudgetId | null;
    /** The span that accepted it, as the header `traceparent`. */
    trace_parent: string | null;
  };
  received_activities: { uri: string; received_at: Date };
  /** Inboxes that answered 410. They get nothing until their host sends an activity. */
  gone_inboxes: { url: string; gone_at: Date };
  /** Threads whose replies were fetched, each starting at a status. */
  reply_walks: { status_id: StatusId; started_at: Date; pages: Generated<number> };
  /** Posts that were found while fetching a thread. `seen`: their replies were fetched. */
  reply_finds: {
    status_id: StatusId;
    uri: string;
    seen: Generated<boolean>;
    /** Replies between the status and this post. */
    depth: Generated<number>;
  };
  tombstones: { uri: string; created_at: Date };
  activities: {
    id: ActivityId;
    sender_account_id: AccountId;
    body: string;
    /** SHA-256 of the body, base64. */
    digest: string;
    /** It is delivered with a digest of the sender's followers on the receiving server. */
    tells_followers: Generated<boolean>;
    created_at: Date;
    /** The span that stored it, as the header `traceparent`. */
    trace_parent: string | null;
  };
  deliveries: {
    id: GeneratedAlways<string>;
    activity_id: ActivityId;
    host: string;
    inbox_url: string;
    order_key: string | null;
    /** It also waits for earlier deliveries with this order key to the same inbox. */
    after_key: string | null;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    lease_holder: string | null;
    last_error: string | null;
  };
  /** Servers that pass public posts on between their subscribers. */
  relays: {
    id: RelayId;
    /** As staff entered it: the inbox of a relay of Mastodon's kind, the actor of one of LitePub's. */
    url: string;
    kind: 'mastodon' | 'litepub';
    /** `idle`: not subscribed; `pending`: the relay has not answered. */
    state: 'idle' | 'pending' | 'accepted' | 'rejected';
    /** Null: the actor was not fetched yet. */
    inbox_url: string | null;
    /** Null: the relay has not answered yet. */
    actor_uri: string | null;
    /** Number in the id of the last Follow. */
    follow_id: RowId | null;
    /** Id of the last Follow, if the software before the server moved here assigned it. */
    follow_uri: string | null;
    created_at: Date;
    updated_at: Date;
  };
}

/** A relay as stored. */
export type RelayRow = Selectable<FederationTables['relays']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<FederationTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends FederationTables {}
}
