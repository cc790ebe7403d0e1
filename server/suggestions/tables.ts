import type { AccountId } from '../platform/ids.ts';
import { writableTables } from '../platform/database/writable-tables.ts';

export interface SuggestionTables {
  /** Suggestions that an account does not want to see again. */
  dismissed_suggestions: { account_id: AccountId; target_account_id: AccountId; created_at: Date };
  /** Accounts that are suggested to everyone. */
  popular_accounts: { source: 'most_followed' | 'most_interactions'; account_id: AccountId; score: number };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<SuggestionTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends SuggestionTables {}
}
