import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { decrementCounts } from './react-to-announcement.ts';
import { writable } from './tables.ts';

/** Deletes the reactions and dismissals of a deleted account. */
export const deleteReactionsOfDeletedAccount = later('background', [accountDeleted], {
  name: 'announcement.delete_reactions',
  run: async (app, { accountId }) => {
    await deleteReactions(app, accountId);
    await transaction(app, ({ db }) =>
      writable(db).deleteFrom('announcement_dismissals').where('account_id', '=', accountId).execute(),
    );
  },
});

function deleteReactions(app: App, accountId: AccountId): Promise<void> {
  return transaction(app, async (tx) => {
    const ownReactions = tx.db.selectFrom('announcement_reactions').where('account_id', '=', accountId);
    // Reactions lock their announcement first.
    await tx.db
      .selectFrom('announcements')
      .select('id')
      .where('id', 'in', ownReactions.select('announcement_id'))
      .orderBy('id')
      .forUpdate()
      .execute();
    const rows = await writable(tx.db)
      .deleteFrom('announcement_reactions')
      .where('account_id', '=', accountId)
      .returning(['announcement_id', 'name'])
      .execute();
    for (const [id, reactions] of Map.groupBy(rows, ({ announcement_id: announcementId }) => announcementId)) {
      await decrementCounts(
        tx,
        id,
        reactions.map(({ name }) => name),
      );
    }
  });
}
