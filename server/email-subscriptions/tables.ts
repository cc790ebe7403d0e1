import type { AccountId, Id, StatusId } from '../platform/ids.ts';
import type { Locale } from '../platform/i18n/locales.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export type EmailSubscriptionId = Id<'email-subscription'>;
export type DigestId = Id<'email-digest'>;

export interface EmailSubscriptionTables {
  /** People without an account who receive the public posts of a local account by e-mail. */
  email_subscriptions: {
    id: EmailSubscriptionId;
    account_id: AccountId;
    /** In lower case. */
    email: string;
    locale: Locale;
    /** When the last confirmation mail was sent. */
    confirmation_sent_at: Date | null;
    confirmed_at: Date | null;
    /** Since when the mail server has rejected the address; null after a success. */
    failing_since: Date | null;
    created_at: Date;
  };
  /** New posts that are not in a mail yet. */
  email_digest_posts: { account_id: AccountId; status_id: StatusId };
  /** Mails that are being queued, subscriber by subscriber. */
  email_digests: {
    id: DigestId;
    account_id: AccountId;
    status_ids: StatusId[];
    /** Subscriptions up to this id have their mail queued. */
    after_id: EmailSubscriptionId;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<EmailSubscriptionTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends EmailSubscriptionTables {}
}
