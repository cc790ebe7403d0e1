import type { Generated, GeneratedAlways } from 'kysely';
import type { AccountId, FetchBudgetId, Id, StatusId } from '../platform/ids.ts';

export type ActivityId = Id<'activity'>;

export interface FederationTables {
  hosts: {
    domain: string;
    signature_dialect: Generated<'cavage' | 'rfc9421'>;
    software: string | null;
    failures: Generated<number>;
    unavailable_until: Date | null;
    paused_at: Date | null;
    last_success_at: Date | null;
    last_failure_at: Date | null;
    /** Of the first failure after the last success or sign of life. */
    failing_since: Date | null;
    /** The host asked to be left alone until then. */
    retry_after: Date | null;
    created_at: Generated<Date>;
  };
  /** Accepted, not yet processed. */
  inbox_activities: {
    id: GeneratedAlways<string>;
    actor_uri: string;
    /** Who signed the request that brought it. */
    signer_uri: string;
    signer_host: string;
    inbox_account_id: AccountId | null;
    /** Somebody else than the actor sent it: what it is about is fetched from its origin. */
    forwarded: Generated<boolean>;
    body: string;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    lease_holder: string | null;
    last_error: string | null;
    exhausted_at: Date | null;
    /** What its handling draws on; null for what was accepted before there were budgets. */
    fetch_budget_id: FetchBudgetId | null;
  };
  received_activities: { uri: string; received_at: Date };
  /** Inboxes that answered 410; nothing is sent there until their host speaks to us. */
  gone_inboxes: { url: string; gone_at: Date };
  /** Threads that were walked for replies, each from a status on. */
  reply_walks: { status_id: StatusId; started_at: Date; pages: Generated<number> };
  /** Posts that a walk came upon; `seen`: and looked at. */
  reply_finds: { status_id: StatusId; uri: string; seen: Generated<boolean> };
  tombstones: { uri: string; created_at: Date };
  activities: {
    id: ActivityId;
    sender_account_id: AccountId;
    body: string;
    /** SHA-256 of the body, base64. */
    digest: string;
    /** It goes with a digest of the sender's followers on the receiving server. */
    tells_followers: Generated<boolean>;
    created_at: Date;
  };
  deliveries: {
    id: GeneratedAlways<string>;
    activity_id: ActivityId;
    host: string;
    inbox_url: string;
    order_key: string | null;
    attempts: Generated<number>;
    run_at: Date;
    leased_until: Date | null;
    lease_holder: string | null;
    last_error: string | null;
  };
}
