import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, PollId, RowId, StatusId } from '../platform/ids.ts';

export interface PollTables {
  polls: {
    id: PollId;
    status_id: StatusId;
    account_id: AccountId;
    options: string[];
    /** Votes of each option. */
    tallies: number[];
    multiple: boolean;
    hide_totals: boolean;
    /** Null: never expires; remote polls only. */
    expires_at: Date | null;
    /** Null: unknown. */
    voters_count: number | null;
    /** Raised by an edit that deletes the votes. */
    round: Generated<number>;
    /** When `pollEnded` was emitted. */
    ended_at: Date | null;
    /** An update of its counts is queued. */
    tally_due: Generated<boolean>;
    created_at: Date;
  };
  poll_votes: {
    id: RowId;
    poll_id: PollId;
    account_id: AccountId;
    /** Index of the option, from 0. */
    choice: number;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<PollTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends PollTables {}
}
