import type { App } from '../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { staffAccountId, type Staff } from '../site/index.ts';
import { accountModerated } from './events.ts';

export interface ModerationDecision {
  readonly accountId: AccountId;
  /** Message of staff in the mail to the user. */
  readonly text?: string | undefined;
  /** Whether the user gets a mail. */
  readonly notify?: boolean | undefined;
}

export type ModerationAction = Parameters<typeof accountModerated>[0]['action'];

/**
 * Runs `change` in one transaction and emits `accountModerated` if it returns true. Returns its result: false means that
 * nothing changed.
 */
export function applyDecision(
  app: App,
  staff: Staff,
  { accountId, action }: { readonly accountId: AccountId; readonly action: ModerationAction },
  change: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(app, async (tx) => {
    const isChanged = await change(tx);
    if (isChanged) tx.emit(accountModerated({ accountId, staffId: staffAccountId(staff), action }));
    return isChanged;
  });
}
