import type { AccountId, RowId } from '../platform/ids.ts';

export interface ProfileTables {
  /** When an account, local or remote, moved, and where to. */
  account_moves: { id: RowId; account_id: AccountId; target_account_id: AccountId; created_at: Date };
}
