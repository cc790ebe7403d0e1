import type { JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';

/** What an account was in a year, by what it posted most. */
export type Archetype = 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle';

/** The content of a report, in version 2 of Mastodon. */
export interface ReportData {
  readonly archetype: Archetype;
  /** One item: the totals of the year. */
  readonly time_series: readonly { readonly month: number; readonly statuses: number; readonly followers: number }[];
  /** At most one. */
  readonly top_hashtags: readonly { readonly name: string; readonly count: number }[];
  readonly top_statuses: { readonly by_reblogs: StatusId | null };
}

export interface AnnualReportTables {
  /** Reports about what an account did in a year. */
  annual_reports: {
    account_id: AccountId;
    year: number;
    /** Form of the data. */
    schema_version: number;
    data: JSONColumnType<ReportData>;
    /** Whoever knows it can see the report. */
    share_key: string;
    /** Null: the account has not seen it. */
    viewed_at: Date | null;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<AnnualReportTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends AnnualReportTables {}
}
