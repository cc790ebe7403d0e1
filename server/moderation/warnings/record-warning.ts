import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { accountWarned } from '../events.ts';
import type { AccountWarning } from './schema.ts';

export interface NewWarning {
  readonly accountId: AccountId;
  readonly action: AccountWarning['action'];
  /** The message of staff. */
  readonly text?: string | undefined;
  /** Whether the user is notified. */
  readonly notify: boolean;
}

/** Stores what staff decided about an account. */
export async function recordWarning(
  { db, emit }: Transaction,
  app: App,
  staff: Staff,
  { accountId, action, text = '', notify }: NewWarning,
): Promise<void> {
  const now = app.clock.now();
  const id = newId<'warning'>(now);
  await db
    .insertInto('account_warnings')
    .values({
      id,
      account_id: accountId,
      staff_id: staffAccountId(staff),
      action,
      text,
      status_ids: null,
      created_at: now,
    })
    .execute();
  if (notify) emit(accountWarned({ warningId: id, accountId }));
}
