import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Visibility } from '../../statuses/index.ts';
import type { ActivityWithContext } from './sign-for-forwarding.ts';
import { storeActivity } from './store-activity.ts';

type Db = App['db'];

/** What decides where news of a local status goes. */
export interface LocalStatusRow {
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  readonly in_reply_to_account_id: AccountId | null;
  readonly deleted_at: Date | null;
}

/** The row of a local status, kept from being deleted meanwhile: its Delete is then stored after what is stored here. */
export function lockLocalStatus({ db }: Transaction, id: StatusId): Promise<LocalStatusRow | undefined> {
  return localStatusQuery(db, id).forShare().executeTakeFirst();
}

/** The row of a local status, gone or not. */
export function findLocalStatus(db: Db, id: StatusId): Promise<LocalStatusRow | undefined> {
  return localStatusQuery(db, id).executeTakeFirst();
}

const localStatusQuery = (db: Db, id: StatusId) =>
  db
    .selectFrom('statuses')
    .select(['account_id', 'uri', 'visibility', 'in_reply_to_account_id', 'deleted_at'])
    .where('id', '=', id)
    .where('local', '=', true);

/** Where news of a status goes. */
export type InboxQuery = (db: Db, status: LocalStatusRow) => Promise<string[]>;

/** Stores an activity about a local status, unless that is gone; about one for followers, with who these are (FEP-8fcf). */
export async function storeStatusActivity(
  app: App,
  statusId: StatusId,
  outgoing: ActivityWithContext,
  inboxesOf: InboxQuery,
): Promise<void> {
  await transaction(app, async (tx) => {
    const status = await lockLocalStatus(tx, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeActivity(tx, app, {
      senderId: status.account_id,
      ...outgoing,
      inboxes: await inboxesOf(tx.db, status),
      orderKey: status.uri,
      includesFollowersDigest: status.visibility === 'private',
    });
  });
}
