import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { staffAccountId, type Staff } from '../site/index.ts';
import { accountModerated } from './events.ts';

/** What staff decide about one account. */
export interface Decision {
  readonly accountId: AccountId;
  /** What staff tell the user, for the mail. */
  readonly text?: string | undefined;
  /** Whether the user gets a mail. */
  readonly notify?: boolean | undefined;
}

export type Action = Parameters<typeof accountModerated>[0]['action'];

/**
 * Runs `change` in one transaction and emits `accountModerated` if it returns true. Returns what it returned: false means
 * that everything was as decided before.
 */
export function decide(
  app: App,
  staff: Staff,
  { accountId, action }: { readonly accountId: AccountId; readonly action: Action },
  change: (write: Write) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(app, async (write) => {
    const isChanged = await change(write);
    if (isChanged) write.emit(accountModerated({ accountId, staffId: staffAccountId(staff), action }));
    return isChanged;
  });
}
