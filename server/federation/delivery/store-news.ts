import type { App } from '../../platform/app.ts';
import { write, type Write } from '../../platform/database/write.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Visibility } from '../../statuses/index.ts';
import type { Contextual } from './sign-for-others.ts';
import { storeActivity } from './store-activity.ts';

type Db = App['db'];

/** What decides where news of a local status goes. */
export interface StatusFacts {
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  readonly in_reply_to_account_id: AccountId | null;
  readonly deleted_at: Date | null;
}

/** The row of a local status, kept from being deleted meanwhile: its Delete is then stored after what is stored here. */
export function lockStatus({ db }: Write, id: StatusId): Promise<StatusFacts | undefined> {
  return statusQuery(db, id).forShare().executeTakeFirst();
}

/** The row of a local status, gone or not. */
export function findStatus(db: Db, id: StatusId): Promise<StatusFacts | undefined> {
  return statusQuery(db, id).executeTakeFirst();
}

const statusQuery = (db: Db, id: StatusId) =>
  db
    .selectFrom('statuses')
    .select(['account_id', 'uri', 'visibility', 'in_reply_to_account_id', 'deleted_at'])
    .where('id', '=', id)
    .where('local', '=', true);

/** Where news of a status goes. */
export type InboxesOf = (db: Db, status: StatusFacts) => Promise<string[]>;

/** Stores an activity about a local status, unless that is gone; about one for followers, with who these are (FEP-8fcf). */
export async function storeNews(app: App, statusId: StatusId, news: Contextual, inboxesOf: InboxesOf): Promise<void> {
  await write(app, async (write) => {
    const status = await lockStatus(write, statusId);
    if (status === undefined || status.deleted_at !== null) return;
    await storeActivity(write, app, {
      senderId: status.account_id,
      ...news,
      inboxes: await inboxesOf(write.db, status),
      orderKey: status.uri,
      tellsFollowers: status.visibility === 'private',
    });
  });
}
