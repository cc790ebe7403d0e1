import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { announceChanges } from './announce-changes.ts';
import { notify } from './notify.ts';
import { writable } from './tables.ts';

interface MemberRecipients {
  readonly owner_id: AccountId;
  readonly recipients: AccountId[];
}

/** Loads the local accounts in a collection, or the account of one item. */
const loadMembers = preparedQuery<MemberRecipients>()(
  (db, args: { collectionId: CollectionId; itemId: CollectionItemId | null; skipNotified: boolean }) => ({
    compile: () =>
      sql<MemberRecipients>`
        select c.account_id as owner_id, array(
          select i.account_id from collection_items i join accounts a on a.id = i.account_id
          where i.collection_id = c.id and i.state = 'accepted' and a.domain is null
            and (${args.itemId}::bigint is null or i.id = ${args.itemId}::bigint)
            and not (${args.skipNotified}::boolean and exists (
              select 1 from notifications n
              where n.account_id = a.id and n.type = 'collection_update' and n.collection_id = c.id
                and n.created_at >= c.updated_at))) as recipients
        from collections c where c.id = ${args.collectionId}::bigint`.compile(db),
  }),
);

interface CollectionAddition {
  readonly collectionId: CollectionId;
  readonly itemId?: CollectionItemId;
}

/** Notifies local accounts that they were added to a new or existing collection. */
export async function notifyOfCollectionAddition(
  app: App,
  { collectionId, itemId }: CollectionAddition,
): Promise<void> {
  const [members] = await loadMembers(app, { collectionId, itemId: itemId ?? null, skipNotified: false });
  if (members === undefined) return;
  const { owner_id: fromAccountId, recipients } = members;
  await notify(app, { type: 'added_to_collection', fromAccountId, collectionId, recipients });
}

interface CollectionUpdate {
  readonly collectionId: CollectionId;
  readonly renamed: boolean;
}

/** Notifies the members of a collection that its name or description changed, in place of earlier changes. */
export async function notifyOfCollectionUpdate(app: App, { collectionId, renamed }: CollectionUpdate): Promise<void> {
  if (!renamed) return;
  const [members] = await loadMembers(app, { collectionId, itemId: null, skipNotified: true });
  if (members === undefined || members.recipients.length === 0) return;
  const { owner_id: fromAccountId, recipients } = members;
  await transaction(app, async (tx) => {
    const deleted = await writable(tx.db)
      .deleteFrom('notifications')
      .where('account_id', '=', sql<AccountId>`any(${recipients}::bigint[])`)
      .where('collection_id', '=', collectionId)
      .where('type', '=', 'collection_update')
      .returning('account_id')
      .execute();
    announceChanges(tx, deleted);
  });
  await notify(app, { type: 'collection_update', fromAccountId, collectionId, recipients });
}

interface RemovedMember {
  readonly collectionId: CollectionId;
  readonly memberId: AccountId;
}

/** Deletes the notifications about a collection to a member that was removed from it. */
export async function deleteCollectionNotifications(
  app: App,
  { collectionId, memberId }: RemovedMember,
): Promise<void> {
  await transaction(app, async (tx) => {
    await writable(tx.db)
      .deleteFrom('notifications')
      .where('account_id', '=', memberId)
      .where('collection_id', '=', collectionId)
      .where(
        sql<boolean>`not exists (
          select 1 from collection_items
          where collection_id = ${collectionId}::bigint and account_id = ${memberId}::bigint and state = 'accepted')`,
      )
      .execute();
    // Also if the collection was deleted meanwhile, with the notifications about it.
    announceChanges(tx, [{ account_id: memberId }]);
  });
}
