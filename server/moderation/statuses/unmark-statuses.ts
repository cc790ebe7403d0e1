import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { compareIds, type AccountId, type StatusId } from '../../platform/ids.ts';
import { setStatusSensitive } from '../../statuses/edit/index.ts';
import type { WarningId } from '../warnings/schema.ts';

/**
 * Undoes the marks of a decision that was lifted. A post that a later decision is about as well stays marked, and is
 * that one's from now on. Returns the posts that changed.
 */
export async function unmarkStatuses(
  tx: Transaction,
  app: App,
  { accountId, statusIds }: { readonly accountId: AccountId; readonly statusIds: readonly StatusId[] },
): Promise<StatusId[]> {
  const changed: StatusId[] = [];
  for (const id of statusIds.toSorted(compareIds)) {
    if (await passToOtherStrike(tx, accountId, id)) continue;
    if (await setStatusSensitive(tx, app, id, false)) changed.push(id);
  }
  return changed;
}

/** Makes another decision that still stands the cause of the mark. Returns false if there is none. */
async function passToOtherStrike({ db }: Transaction, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const { rows } = await sql<{ id: WarningId }>`
    update account_warnings set effective = true, changed_status_ids = array_append(changed_status_ids, ${statusId}::bigint)
    where id = (
      select id from account_warnings
      where account_id = ${accountId} and action = 'mark_statuses_as_sensitive' and lifted_at is null
        and ${statusId}::bigint = any(status_ids)
      order by id limit 1)
    returning id`.execute(db);
  return rows.length > 0;
}
