import type { AccountId, CollectionId, Id, StatusId } from '../platform/ids.ts';
import type { Visibility } from '../statuses/index.ts';
import type { ReportCategory } from './schema.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export type ReportId = Id<'report'>;

export interface ReportTables {
  reports: {
    id: ReportId;
    /** The local instance actor after the account of the reporter was deleted. */
    account_id: AccountId;
    target_account_id: AccountId;
    /** Of a remote reporter, often the instance actor of its server. */
    domain: string | null;
    /** Of the Flag activity of a remote reporter. */
    uri: string | null;
    category: ReportCategory;
    comment: string;
    /** Only with the category violation. */
    rule_ids: string[] | null;
    status_ids: StatusId[];
    collection_ids: CollectionId[];
    /** Domains of the servers that receive a copy. */
    forward_domains: string[];
    /** Whether the server of the reported account receives a copy. */
    forwarded: boolean;
    /** The staff member who works on it. */
    assigned_account_id: AccountId | null;
    /** Null: open. */
    action_taken_at: Date | null;
    /** Null: open, the command line, or an account that was deleted since. */
    action_taken_by_account_id: AccountId | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Copies of the reported posts, which outlive them. A reblog is stored with the content of its original. */
  reported_statuses: {
    report_id: ReportId;
    status_id: StatusId;
    uri: string;
    url: string | null;
    /** Safe HTML. */
    content: string;
    spoiler_text: string;
    sensitive: boolean;
    visibility: Visibility;
    media_descriptions: string[];
    poll_options: string[];
    created_at: Date;
    edited_at: Date | null;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ReportTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ReportTables {}
}
