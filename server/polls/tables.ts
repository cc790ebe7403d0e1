import type { Generated } from 'kysely';
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
    /** Null: open without end, of other servers only. */
    expires_at: Date | null;
    /** Null: the server of the poll does not tell. */
    voters_count: number | null;
    /** Grows when an edit throws the votes away. */
    round: Generated<number>;
    /** When its end was told. */
    ended_at: Date | null;
    /** Its new counts are about to be told to other servers. */
    tally_due: Generated<boolean>;
    created_at: Date;
  };
  poll_votes: {
    id: RowId;
    poll_id: PollId;
    account_id: AccountId;
    /** Place of the option in the poll, from 0. */
    choice: number;
    created_at: Date;
  };
}

declare module '../platform/database/tables.ts' {
  interface Tables extends PollTables {}
}
