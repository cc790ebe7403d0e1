import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { notificationsChanged } from './events.ts';

/** Announces that notifications were deleted or are no longer filtered. `rows`: one or more for each of their recipients. */
export function announceChanges({ emit }: Transaction, rows: readonly { readonly account_id: AccountId }[]): void {
  if (rows.length > 0) emit(notificationsChanged({ accountIds: [...new Set(rows.map((row) => row.account_id))] }));
}
