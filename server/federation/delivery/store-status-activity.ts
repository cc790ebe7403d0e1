import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { Visibility } from '../../statuses/index.ts';
import { staysHere } from '../../statuses/visibility/index.ts';
import type { ActivityWithContext } from './sign-for-forwarding.ts';
import { storeActivity } from './store-activity.ts';

type Db = App['db'];

/** Columns that determine the recipients of activities about a local status. */
export interface LocalStatusRow {
  readonly account_id: AccountId;
  readonly uri: string;
  readonly visibility: Visibility;
  /** Its public posts are unlisted to others, and it reaches only mentioned accounts that follow it. */
  readonly author_silenced: boolean;
  readonly in_reply_to_account_id: AccountId | null;
  readonly deleted_at: Date | null;
  /** URI of the parent if it is a post of the same author. */
  readonly own_parent_uri: string | null;
}

/** Returns a local status and locks it against deletion, so that its Delete is stored after this activity. */
export function lockLocalStatus({ db }: Transaction, id: StatusId): Promise<LocalStatusRow | undefined> {
  return localStatusQuery(db, id).forShare().executeTakeFirst();
}

/** Returns a local status, deleted or not. */
export function findLocalStatus(db: Db, id: StatusId): Promise<LocalStatusRow | undefined> {
  return localStatusQuery(db, id).executeTakeFirst();
}

const localStatusQuery = (db: Db, id: StatusId) =>
  db
    .selectFrom('statuses')
    .select(['account_id', 'uri', 'visibility', 'in_reply_to_account_id', 'deleted_at'])
    .select([
      sql<boolean>`(select author.silenced_at is not null from accounts author where author.id = account_id)`.as(
        'author_silenced',
      ),
      sql<string | null>`(select parent.uri from statuses parent
        where parent.id = statuses.in_reply_to_id and parent.account_id = statuses.account_id)`.as('own_parent_uri'),
    ])
    .where('id', '=', id)
    .where('local', '=', true);

/** Returns the recipients of an activity about a status. */
export type InboxQuery = (db: Db, status: LocalStatusRow) => Promise<string[]>;

/**
 * Stores an activity about a local status unless it was deleted or is local-only. An activity about a private status carries a digest of
 * the followers (FEP-8fcf).
 */
export async function storeStatusActivity(
  app: App,
  statusId: StatusId,
  outgoing: ActivityWithContext,
  inboxesOf: InboxQuery,
): Promise<void> {
  await transaction(app, async (tx) => {
    const status = await lockLocalStatus(tx, statusId);
    if (status === undefined || status.deleted_at !== null || staysHere(status.visibility)) return;
    await storeActivity(tx, app, {
      senderId: status.account_id,
      ...outgoing,
      inboxes: await inboxesOf(tx.db, status),
      orderKey: status.uri,
      afterKey: status.own_parent_uri ?? undefined,
      includesFollowersDigest: status.visibility === 'private',
    });
  });
}
