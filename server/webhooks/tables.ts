import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, AnyId, Id, TokenId } from '../platform/ids.ts';
import type { DeliveryState, DisabledReason, WebhookEvent } from './schema.ts';
import type { StaffEvent } from './staff/schema.ts';

export type WebhookId = Id<'webhook'>;
export type WebhookDeliveryId = Id<'webhook-delivery'>;

/** An event of webhooks of users or of staff. */
export type AnyWebhookEvent = WebhookEvent | StaffEvent;

export interface WebhookTables {
  webhooks: {
    id: WebhookId;
    /** Null: a webhook of staff. */
    account_id: AccountId | null;
    /** The token that created it and manages it; the webhook is deleted with it. Null: a webhook of staff. */
    token_id: TokenId | null;
    url: string;
    events: AnyWebhookEvent[];
    /** The body of a webhook of staff; null: the whole event. */
    template: string | null;
    /** The key of the signatures. */
    secret: Buffer;
    /** Signs as well until it expires. */
    previous_secret: Buffer | null;
    previous_secret_expires_at: Date | null;
    /** Failed attempts since the last success. */
    failures: Generated<number>;
    failing_since: Date | null;
    /** Attempts in a row to which the receiver was down or asked to wait. */
    outages: Generated<number>;
    /** Nothing is sent before; null: no pause. */
    retry_at: Date | null;
    disabled_at: Date | null;
    disabled_reason: DisabledReason | null;
    /** Events that were not stored because too many were waiting. */
    dropped_events: Generated<number>;
    last_delivered_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Events that wait to be sent, and the log of those that were sent last. */
  webhook_deliveries: {
    id: WebhookDeliveryId;
    webhook_id: WebhookId;
    event: AnyWebhookEvent | 'webhook.ping';
    /** The status, notification, account or report that the event is about; null for a ping. */
    subject_id: AnyId | null;
    state: Generated<DeliveryState>;
    attempts: Generated<number>;
    /** Status code of the last response. */
    response_status: number | null;
    /** Why there was no response to the last attempt. */
    error: string | null;
    created_at: Date;
    last_attempt_at: Date | null;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<WebhookTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends WebhookTables {}
}
