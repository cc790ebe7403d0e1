import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { mentionsAdded, statusChanged } from '../events.ts';
import { writable } from '../tables.ts';

/**
 * Adds a local account to the recipients of a remote direct status. No-op for other statuses and existing recipients.
 */
export async function addRecipient(app: App, statusId: StatusId, recipientId: AccountId): Promise<void> {
  await transaction(app, async (tx) => {
    const { db } = tx;
    const status = await db
      .selectFrom('statuses')
      .select('account_id')
      .where('id', '=', statusId)
      .where('local', '=', false)
      .where('visibility', '=', 'direct')
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    if (status === undefined) return;
    const added = await writable(db)
      .insertInto('mentions')
      .values({ id: newId<'row'>(app.clock.now()), status_id: statusId, account_id: recipientId, silent: false })
      .onConflict((conflict) => conflict.columns(['status_id', 'account_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added === undefined) return;
    tx.emit(statusChanged({ statusId }));
    tx.emit(mentionsAdded({ statusId, accountId: status.account_id, mentionedIds: [recipientId] }));
  });
}
