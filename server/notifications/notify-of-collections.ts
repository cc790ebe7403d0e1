import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, CollectionId, CollectionItemId } from '../platform/ids.ts';
import { notify } from './notify.ts';

interface Told {
  readonly owner_id: AccountId;
  readonly recipients: AccountId[];
}

/** Local accounts in a collection: all of them, or the one at one place. */
const membersOf = prepared<Told>()(
  (db, args: { collectionId: CollectionId; itemId: CollectionItemId | null; untoldSince: boolean }) => ({
    compile: () =>
      sql<Told>`
        select c.account_id as owner_id, array(
          select i.account_id from collection_items i join accounts a on a.id = i.account_id
          where i.collection_id = c.id and i.state = 'accepted' and a.domain is null
            and (${args.itemId}::bigint is null or i.id = ${args.itemId}::bigint)
            and not (${args.untoldSince}::boolean and exists (
              select 1 from notifications n
              where n.account_id = a.id and n.type = 'collection_update' and n.collection_id = c.id
                and n.created_at >= c.updated_at))) as recipients
        from collections c where c.id = ${args.collectionId}::bigint`.compile(db),
  }),
);

interface Made {
  readonly collectionId: CollectionId;
  readonly itemId?: CollectionItemId;
}

/** Tells the accounts of this server that they were put into a collection: the first of a new one, or one more. */
export async function notifyOfAddition(app: App, { collectionId, itemId }: Made): Promise<void> {
  const [told] = await membersOf(app, { collectionId, itemId: itemId ?? null, untoldSince: false });
  if (told === undefined) return;
  const { owner_id: fromAccountId, recipients } = told;
  await notify(app, { type: 'added_to_collection', fromAccountId, collectionId, recipients });
}

interface Updated {
  readonly collectionId: CollectionId;
  readonly renamed: boolean;
}

/** Tells those who stand in a collection that it says something else now; what they were told of earlier changes goes. */
export async function notifyOfCollectionUpdate(app: App, { collectionId, renamed }: Updated): Promise<void> {
  if (!renamed) return;
  const [told] = await membersOf(app, { collectionId, itemId: null, untoldSince: true });
  if (told === undefined || told.recipients.length === 0) return;
  const { owner_id: fromAccountId, recipients } = told;
  await write(app, async ({ db }) => {
    await db
      .deleteFrom('notifications')
      .where('account_id', '=', sql<AccountId>`any(${recipients}::bigint[])`)
      .where('collection_id', '=', collectionId)
      .where('type', '=', 'collection_update')
      .execute();
  });
  await notify(app, { type: 'collection_update', fromAccountId, collectionId, recipients });
}

interface Removed {
  readonly collectionId: CollectionId;
  readonly memberId: AccountId;
}

/** Takes back what somebody was told of a collection that it stands in no longer. */
export async function forgetCollection(app: App, { collectionId, memberId }: Removed): Promise<void> {
  await write(app, async ({ db }) => {
    await db
      .deleteFrom('notifications')
      .where('account_id', '=', memberId)
      .where('collection_id', '=', collectionId)
      .where(
        sql<boolean>`not exists (
          select 1 from collection_items
          where collection_id = ${collectionId}::bigint and account_id = ${memberId}::bigint and state = 'accepted')`,
      )
      .execute();
  });
}
