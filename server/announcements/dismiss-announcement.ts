import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { requirePublished } from './find-announcements.ts';
import { writable, type AnnouncementId } from './tables.ts';

/** Marks an announcement as read by an account. Idempotent. Throws 404 if it is not published. */
export async function dismissAnnouncement(app: App, accountId: AccountId, id: AnnouncementId): Promise<void> {
  await requirePublished(app, id);
  await transaction(app, async ({ db }) => {
    // It may have been deleted meanwhile.
    await writable(db)
      .insertInto('announcement_dismissals')
      .columns(['account_id', 'announcement_id'])
      .expression(
        db
          .selectFrom('announcements')
          .select((eb) => [eb.val(accountId).$castTo<AccountId>().as('account_id'), 'id'])
          .where('id', '=', id)
          .forKeyShare(),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
